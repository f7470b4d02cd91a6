create table projects (
  tenant_id text not null references developers (tenant_id),
  project_id text not null,
  mode text not null check (mode in ('live', 'test')),
  name text not null,
  -- The name as it must be unique: Unicode NFC, lower case.
  name_key text not null,
  slug text not null,
  description text,
  status text not null check (status in ('active', 'suspended', 'deleting', 'deleted', 'delete_failed')),
  monthly_cap_cents numeric(20, 0) not null check (monthly_cap_cents >= 0),
  currency text not null check (currency in ('usd')),
  cap_behavior text not null check (cap_behavior in ('block', 'require_approval')),
  -- Provider to cents, as text: a JSON number would be a float.
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
call purser_protect('projects', false);

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
call purser_protect('project_variables', true);

-- What was or will be paid for a project's services. Reserved before it is spent.
create table charges (
  tenant_id text not null,
  charge_id text not null,
  project_id text not null,
  mode text not null check (mode in ('live', 'test')),
  service_id text,
  provider text not null,
  type text not null check (type in ('subscription', 'usage', 'one_time', 'refund', 'adjustment')),
  description text not null,
  amount_cents numeric(20, 0) not null,
  currency text not null check (currency in ('usd')),
  status text not null check (status in ('reserved', 'pending', 'succeeded', 'failed', 'released', 'refunded', 'disputed')),
  agent_id text,
  payment_id text,
  occurred_at timestamptz not null,
  primary key (tenant_id, charge_id),
  foreign key (tenant_id, project_id) references projects (tenant_id, project_id)
);
create index charges_of_project on charges (tenant_id, project_id, occurred_at desc, charge_id desc);
call purser_protect('charges', false);
