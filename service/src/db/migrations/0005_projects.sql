create table projects (
  tenant_id text not null references developers (tenant_id),
  project_id text not null,
  mode text not null check (mode in ('live', 'test')),
  name text not null,
  name_key text not null,
  slug text not null,
  description text,
  status text not null check (status in ('active', 'suspended', 'deleting', 'deleted', 'delete_failed')),
  monthly_cap_cents numeric(20, 0) not null check (monthly_cap_cents >= 0),
  currency text not null check (currency in ('usd')),
  cap_behavior text not null check (cap_behavior in ('block', 'require_approval')),
  provider_caps jsonb not null default '{}',
  environments text[] not null,
  agent_ids text[] not null default '{}',
  policy_id text,
  metadata jsonb not null default '{}',
  env_version integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (tenant_id, project_id)
);
create unique index project_name_taken on projects (tenant_id, mode, name_key) where deleted_at is null;
create index projects_newest on projects (tenant_id, mode, created_at desc, project_id desc) where deleted_at is null;
create index projects_of_agent on projects using gin (agent_ids) where deleted_at is null;

create table project_variables (
  tenant_id text not null,
  project_id text not null,
  name text not null,
  environment text not null,
  value_sealed bytea not null,
  sensitive boolean not null,
  version integer not null,
  updated_at timestamptz not null,
  primary key (tenant_id, project_id, name, environment),
  foreign key (tenant_id, project_id) references projects (tenant_id, project_id)
);
call purser_keep_data_key('project_variables', 'value_sealed');

-- A provider's account in which a project can create services.
create table provider_links (
  tenant_id text not null,
  link_id text not null,
  project_id text not null,
  mode text not null check (mode in ('live', 'test')),
  provider text not null,
  flow text not null check (flow in ('oauth', 'api_token', 'instant')),
  status text not null check (status in ('pending_auth', 'linked', 'failed', 'expired', 'revoked')),
  error text,
  -- The id and the name of the account or organization at the provider.
  account_id text,
  account_label text,
  scopes text[] not null default '{}',
  accepted_terms_version text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  expires_at timestamptz not null,
  linked_at timestamptz,
  inventory_checked_at timestamptz,
  primary key (tenant_id, link_id),
  foreign key (tenant_id, project_id) references projects (tenant_id, project_id)
);
create unique index link_in_force on provider_links (tenant_id, project_id, provider) where status = 'linked';
create index links_of_project on provider_links (tenant_id, project_id, created_at desc, link_id desc);
create index linked_links on provider_links (tenant_id, link_id) where status = 'linked';
-- Tokens are revoked only if no link to their account is left.
create index linked_accounts on provider_links (provider, account_id) where status = 'linked';

-- What completes a link, and the tokens that it results in.
create table provider_link_secrets (
  tenant_id text not null,
  link_id text not null,
  -- The PKCE verifier, or the paste form's one-time field. Null after the link is complete.
  pending_sealed bytea,
  -- The tokens as JSON. Null until the link is complete, and after it is revoked.
  access_sealed bytea,
  -- Raised by each refresh, so that only one of two concurrent refreshes is stored.
  version integer not null default 0,
  access_expires_at timestamptz,
  primary key (tenant_id, link_id),
  foreign key (tenant_id, link_id) references provider_links (tenant_id, link_id)
);
call purser_keep_data_key('provider_link_secrets', 'pending_sealed');
call purser_keep_data_key('provider_link_secrets', 'access_sealed');

-- What is in a provider's redirect or the URL of a paste form, by hash. Each is used once.
create table link_states (
  state_hash text primary key,
  tenant_id text not null,
  link_id text not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index link_states_expired on link_states (expires_at);
grant select, insert, update, delete on link_states to purser_service;

-- OAuth tokens of links that have ended. A job revokes them at the provider and deletes them.
create table token_revocations (
  tenant_id text not null,
  link_id text not null,
  version integer not null,
  access_sealed bytea not null,
  account_id text,
  account_label text,
  created_at timestamptz not null,
  primary key (tenant_id, link_id, version),
  foreign key (tenant_id, link_id) references provider_links (tenant_id, link_id)
);
call purser_keep_data_key('token_revocations', 'access_sealed');

-- The last valid catalog entry of each provider that is configured, so that its offers are known while it is down.
create table provider_catalogs (
  provider text primary key check (provider ~ '^[a-z][a-z0-9-]{0,31}$'),
  entry jsonb not null,
  read_at timestamptz not null
);
grant select, insert, update on provider_catalogs to purser_service;

call purser_protect(true, 'project_variables', 'provider_link_secrets');
call purser_protect(false, 'projects', 'provider_links', 'token_revocations');
