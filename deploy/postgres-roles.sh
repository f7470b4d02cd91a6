#!/bin/sh
# The roles and the database of docs/production.md. The image of PostgreSQL runs this once, in an empty data folder.
set -eu
psql --set ON_ERROR_STOP=1 --username postgres <<SQL
create role purser_service nologin;
create role purser_pii nologin;
create role purser_owner login createrole password '$OWNER_PASSWORD';
create role purser_app login password '$APP_PASSWORD' in role purser_service;
create role purser_pii_app login password '$PII_PASSWORD' in role purser_pii;
create database purser owner purser_owner;
SQL
