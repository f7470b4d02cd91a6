-- Requests with a dashboard token are recorded too. They have no API key.

alter table auth_failures alter column key_id drop not null;
