-- OAuth tokens of links that have ended. A job revokes them at the provider and deletes them.
create table token_revocations (
  tenant_id text not null,
  link_id text not null,
  -- The version with which the tokens are sealed, as in provider_link_secrets.
  version integer not null,
  access_sealed bytea not null,
  -- The account that the tokens belong to. The link has none if it failed.
  account_id text,
  account_label text,
  attempts integer not null default 0,
  due_at timestamptz not null,
  created_at timestamptz not null,
  primary key (tenant_id, link_id, version),
  foreign key (tenant_id, link_id) references provider_links (tenant_id, link_id)
);
create index token_revocations_due on token_revocations (due_at);
-- Like the outbox, it can be read without a tenant: the job lists the tenants.
call purser_protect('token_revocations', false);
call purser_keep_data_key('token_revocations', 'access_sealed');

-- Tokens are revoked only if no link to their account is left.
create index linked_accounts on provider_links (provider, account_id) where status = 'linked';
