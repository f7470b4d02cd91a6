-- What developers say and prove about their agents.
create table agents (
  tenant_id text not null references developers (tenant_id),
  agent_id uuid not null,
  mode text not null check (mode in ('live', 'test')),
  name text not null,
  description text,
  software jsonb,
  metadata jsonb not null default '{}',
  status text not null check (status in ('active', 'suspended', 'revoked', 'expired')),
  -- A policy that applies to the agent beside those that name it.
  policy_id text,
  ancestor_ids uuid[] not null default '{}' check (cardinality(ancestor_ids) <= 3),
  -- A token of another issuer that vouches for the agent.
  attested_by text,
  attested_at timestamptz,
  attested_until timestamptz,
  expires_at timestamptz,
  -- A deleted agent keeps its row, because its id is never free again.
  deleted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, mode, agent_id)
);
create index agents_listed on agents (tenant_id, mode, created_at desc, agent_id desc) where deleted_at is null;
create index agents_expiring on agents (expires_at, tenant_id, agent_id) where status in ('active', 'suspended');
create index agents_of_ancestor on agents using gin (ancestor_ids);

-- Public keys whose private keys the agent has proved to hold.
create table agent_public_keys (
  tenant_id text not null,
  mode text not null check (mode in ('live', 'test')),
  agent_id uuid not null,
  -- The first 16 hex characters of the SHA-256 of the raw public key.
  key_id text not null,
  public_key text not null,
  created_at timestamptz not null,
  primary key (tenant_id, mode, agent_id, key_id),
  foreign key (tenant_id, mode, agent_id) references agents (tenant_id, mode, agent_id)
);

call purser_protect(false, 'agents', 'agent_public_keys');
