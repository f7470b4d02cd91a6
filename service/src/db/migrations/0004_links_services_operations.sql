-- Who acts for a developer. Agents come into being with wallets and by POST /agents; here is what the know-your-agent gate reads.
create table agents (
  tenant_id text not null references developers (tenant_id),
  agent_id uuid not null,
  mode text not null check (mode in ('live', 'test')),
  name text not null,
  status text not null check (status in ('active', 'suspended', 'revoked', 'expired')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, mode, agent_id)
);
call purser_protect('agents', false);

-- A provider's account that a project may make services in.
create table provider_links (
  tenant_id text not null,
  link_id text not null,
  project_id text not null,
  mode text not null check (mode in ('live', 'test')),
  provider text not null,
  flow text not null check (flow in ('oauth', 'api_token', 'instant')),
  status text not null check (status in ('pending_auth', 'linked', 'failed', 'expired', 'revoked')),
  -- Why it failed, as one of our own words. Never what the provider's redirect said.
  error text,
  -- The account or organization at the provider, and what people call it.
  account_id text,
  account_label text,
  scopes text[] not null default '{}',
  accepted_terms_version text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Until when it can be completed.
  expires_at timestamptz not null,
  linked_at timestamptz,
  primary key (tenant_id, link_id),
  foreign key (tenant_id, project_id) references projects (tenant_id, project_id)
);
create unique index link_in_force on provider_links (tenant_id, project_id, provider) where status = 'linked';
create index links_of_project on provider_links (tenant_id, project_id, created_at desc, link_id desc);
call purser_protect('provider_links', false);

-- What completes a link and what it then gives access with, sealed under the tenant's data key.
create table provider_link_secrets (
  tenant_id text not null,
  link_id text not null,
  -- The PKCE verifier, or the paste form's one-time field; gone once the link is complete.
  pending_sealed bytea,
  -- JSON of the tokens; null until the link is complete, and again once it is revoked.
  access_sealed bytea,
  -- Counts the refreshes, so that of two at once only one is kept.
  version integer not null default 0,
  access_expires_at timestamptz,
  primary key (tenant_id, link_id),
  foreign key (tenant_id, link_id) references provider_links (tenant_id, link_id)
);
call purser_protect('provider_link_secrets', true);

-- Global look-up: what a provider's redirect, or a paste form's address, carries, by hash. Single use.
create table link_states (
  state_hash text primary key,
  tenant_id text not null,
  link_id text not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index link_states_expired on link_states (expires_at);
grant select, insert, update, delete on link_states to purser_service;

-- A project's customer at the payment processor.
create table project_billing (
  tenant_id text not null,
  project_id text not null,
  customer_id text not null,
  status text not null check (status in ('requires_payment_method', 'requires_action', 'ready', 'past_due')),
  payment_method_id text,
  -- As it may be shown: type, brand, last four, expiry.
  payment_method jsonb,
  setup_intent_id text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, project_id),
  foreign key (tenant_id, project_id) references projects (tenant_id, project_id)
);
call purser_protect('project_billing', false);

create table services (
  tenant_id text not null,
  service_id text not null,
  project_id text not null,
  mode text not null check (mode in ('live', 'test')),
  link_id text not null,
  provider text not null,
  -- As the catalog names it: provider/slug.
  service text not null,
  name text not null,
  plan text not null,
  region text not null,
  config jsonb not null,
  status text not null check (status in ('pending', 'requires_action', 'provisioning', 'active', 'updating', 'rotating',
    'suspended', 'removing', 'removed', 'failed')),
  environments text[] not null,
  env_prefix text,
  -- Each variable's name at the provider to the name that it has here. Fixed when the service is added, so that no name ever
  -- passes from one service to another behind a running program's back.
  env_names jsonb not null default '{}',
  -- The resource at the provider, once it is known, and whether it was there before us.
  provider_resource_id text,
  adopted boolean not null default false,
  price_cents numeric(20, 0) not null check (price_cents >= 0),
  credential_version integer not null default 0,
  credential_rotated_at timestamptz,
  agent_id uuid,
  metadata jsonb not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  removed_at timestamptz,
  primary key (tenant_id, service_id),
  foreign key (tenant_id, project_id) references projects (tenant_id, project_id),
  foreign key (tenant_id, link_id) references provider_links (tenant_id, link_id)
);
create unique index service_name_taken on services (tenant_id, project_id, name)
  where status not in ('removed', 'failed');
-- Whoever removed one of two services of one resource would take it from the other.
create unique index resource_in_use on services (tenant_id, provider, provider_resource_id)
  where status not in ('removed', 'failed');
create index services_of_project on services (tenant_id, project_id, created_at desc, service_id desc);
call purser_protect('services', false);

-- A service's secrets, sealed under the tenant's data key: a password of our making from before it was there, and each
-- version of what a program needs to use it.
create table service_secrets (
  tenant_id text not null,
  service_id text not null,
  kind text not null check (kind in ('password', 'env')),
  version integer not null,
  value_sealed bytea not null,
  created_at timestamptz not null,
  primary key (tenant_id, service_id, kind, version),
  foreign key (tenant_id, service_id) references services (tenant_id, service_id)
);
call purser_protect('service_secrets', true);

-- Long work, as its callers watch it. The workflow of the same id does it.
create table operations (
  tenant_id text not null,
  operation_id text not null,
  project_id text not null,
  mode text not null check (mode in ('live', 'test')),
  type text not null check (type in ('service.add', 'service.remove', 'project.delete')),
  service_id text,
  status text not null check (status in ('running', 'succeeded', 'failed', 'compensated', 'needs_operator')),
  -- Who began it: what the workflow writes later is written in their name.
  actor jsonb not null,
  request_id text,
  -- {code, detail} of our own catalog.
  error jsonb,
  -- While somebody else works on it: in how many seconds it is done as a rule.
  expected_callback_seconds integer,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, operation_id),
  foreign key (tenant_id, project_id) references projects (tenant_id, project_id)
);
create index operations_running on operations (created_at) where status = 'running';
create index operations_of_service on operations (tenant_id, service_id, created_at desc);
call purser_protect('operations', false);

create table operation_steps (
  tenant_id text not null,
  operation_id text not null,
  position integer not null,
  name text not null,
  status text not null check (status in ('pending', 'running', 'succeeded', 'failed', 'compensated', 'skipped')),
  at timestamptz,
  primary key (tenant_id, operation_id, position),
  foreign key (tenant_id, operation_id) references operations (tenant_id, operation_id)
);
call purser_protect('operation_steps', false);

-- Which processes live that run workflows. Of no tenant. One that stops renewing its lease has its work taken over.
create table workflow_executors (
  executor_id text primary key,
  lease_expires_at timestamptz not null
);
grant select, insert, update, delete on workflow_executors to purser_service;
