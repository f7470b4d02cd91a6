create table services (
  tenant_id text not null,
  service_id text not null,
  project_id text not null,
  mode text not null check (mode in ('live', 'test')),
  link_id text not null,
  provider text not null,
  -- Its name in the catalog: provider/slug.
  service text not null,
  name text not null,
  plan text not null,
  region text not null,
  config jsonb not null,
  status text not null check (status in ('pending', 'requires_action', 'provisioning', 'active', 'updating', 'rotating',
    'suspended', 'removing', 'removed', 'failed')),
  environments text[] not null,
  env_prefix text,
  -- The name of each variable at the provider, and its name here. It does not change after the service was added, so
  -- that no name passes from one service to another.
  env_names jsonb not null default '{}',
  -- The resource at the provider, once it is known, and whether Purser did not create it.
  provider_resource_id text,
  adopted boolean not null default false,
  price_cents numeric(20, 0) not null check (price_cents >= 0),
  preauthorization_cents numeric(20, 0) not null default 0 check (preauthorization_cents >= 0),
  billed_by text not null check (billed_by in ('vendor', 'purser')),
  -- The plan that the service changes to at `pending_plan_at`, the start of a month.
  pending_plan text,
  pending_plan_at timestamptz,
  credential_version integer not null default 0,
  credential_rotated_at timestamptz,
  credential_previous_valid_until timestamptz,
  resource_missing_since timestamptz,
  agent_id uuid,
  metadata jsonb not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  removed_at timestamptz,
  primary key (tenant_id, service_id),
  foreign key (tenant_id, project_id) references projects (tenant_id, project_id),
  foreign key (tenant_id, link_id) references provider_links (tenant_id, link_id),
  constraint pending_plan_has_time check ((pending_plan is null) = (pending_plan_at is null))
);
create unique index service_name_taken on services (tenant_id, project_id, name)
  where status not in ('removed', 'failed');
-- The removal of one of two services with the same resource would remove the other's.
create unique index resource_in_use on services (tenant_id, provider, provider_resource_id)
  where status not in ('removed', 'failed');
create index services_of_project on services (tenant_id, project_id, created_at desc, service_id desc);
create index pending_plans on services (pending_plan_at, tenant_id, service_id) where pending_plan_at is not null;
-- A person can link the same account of a provider in several tenants, so a resource's service is looked up by its id.
create unique index services_by_id on services (service_id);

-- The encrypted secrets of a service: the password that Purser generated for it, and each version of its variables.
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
call purser_keep_data_key('service_secrets', 'value_sealed');

-- The version of a service's credential that each API key has pulled last.
create table credential_pulls (
  tenant_id text not null,
  service_id text not null,
  key_id text not null,
  version integer not null,
  pulled_at timestamptz not null,
  primary key (tenant_id, service_id, key_id)
);

-- Long-running work. The workflow with the same id does it. The types are those of the sagas.
create table operations (
  tenant_id text not null,
  operation_id text not null,
  project_id text,
  mode text not null check (mode in ('live', 'test')),
  type text not null,
  subject_type text not null,
  subject_id text not null,
  service_id text,
  status text not null
    check (status in ('running', 'requires_approval', 'succeeded', 'failed', 'compensated', 'needs_operator')),
  -- Who started it. The workflow writes in their name.
  actor jsonb not null,
  request_id text,
  error jsonb,
  expected_callback_seconds integer,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, operation_id),
  foreign key (tenant_id, project_id) references projects (tenant_id, project_id)
);
create index operations_running on operations (created_at) where status = 'running';
create index operations_of_subject on operations (tenant_id, subject_id, created_at desc);
create index operations_running_of_tenant on operations (tenant_id, mode) where status = 'running';

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

-- What each rotation was asked for, and what it did.
create table service_rotations (
  tenant_id text not null,
  operation_id text not null,
  service_id text not null,
  reason text not null check (reason in ('scheduled', 'compromised', 'personnel')),
  grace_period_seconds integer not null check (grace_period_seconds between 0 and 86400),
  confirms_downtime boolean not null,
  mode text check (mode in ('overlap', 'immediate')),
  credential_version integer,
  changed boolean,
  verified boolean,
  -- Until when an attempt to retire the former credential can take. Null while there is none.
  retiring_until timestamptz,
  primary key (tenant_id, operation_id),
  foreign key (tenant_id, operation_id) references operations (tenant_id, operation_id)
);

-- What the operations that change plans have been asked to do.
create table service_plan_changes (
  tenant_id text not null,
  operation_id text not null,
  service_id text not null,
  previous_plan text not null,
  plan text not null,
  timing text not null check (timing in ('immediate', 'scheduled', 'turn')),
  agent_id uuid,
  charge_id text,
  price_cents numeric(20, 0) not null check (price_cents >= 0),
  preauthorization_cents numeric(20, 0) not null check (preauthorization_cents >= 0),
  billed_by text not null check (billed_by in ('vendor', 'purser')),
  created_at timestamptz not null,
  primary key (tenant_id, operation_id),
  foreign key (tenant_id, operation_id) references operations (tenant_id, operation_id),
  foreign key (tenant_id, service_id) references services (tenant_id, service_id)
);
create index service_plan_changes_of_service on service_plan_changes (tenant_id, service_id);

call purser_protect(true, 'service_secrets');
call purser_protect(false, 'services', 'credential_pulls', 'operations', 'operation_steps', 'service_rotations',
  'service_plan_changes');
