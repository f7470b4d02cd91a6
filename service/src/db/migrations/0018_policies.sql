-- Policies decide what agents may do. A row holds the current version.
create table policies (
  tenant_id text not null references developers (tenant_id),
  policy_id text not null,
  mode text not null check (mode in ('live', 'test')),
  name text not null,
  version integer not null check (version > 0),
  -- The policy for agents to which no other policy applies.
  is_starter boolean not null default false,
  -- The agents, wallets and projects to which the policy applies.
  agent_ids text[] not null default '{}',
  wallet_ids text[] not null default '{}',
  project_ids text[] not null default '{}',
  rules jsonb not null,
  approvals jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (tenant_id, policy_id)
);
create unique index policies_starter on policies (tenant_id, mode) where is_starter;
create index policies_of_tenant on policies (tenant_id, mode, policy_id) where deleted_at is null;
call purser_protect('policies', false);

-- Every version of every policy, including the current one.
create table policy_versions (
  tenant_id text not null,
  policy_id text not null,
  version integer not null,
  -- Name, agents, wallets, projects, rules and approvals.
  content jsonb not null,
  created_at timestamptz not null,
  primary key (tenant_id, policy_id, version),
  foreign key (tenant_id, policy_id) references policies (tenant_id, policy_id)
);
call purser_protect('policy_versions', false);

-- A number for each tenant and mode that grows whenever a change can alter the decision about a spending: of a policy, an
-- agent, or of what names a policy. A decision is valid as long as the number is the same.
create table policy_revisions (
  tenant_id text not null references developers (tenant_id),
  mode text not null check (mode in ('live', 'test')),
  revision bigint not null,
  primary key (tenant_id, mode)
);
call purser_protect('policy_revisions', false);

-- The decisions about what agents asked to do. Back-tests read them.
create table policy_decisions (
  tenant_id text not null references developers (tenant_id),
  decision_id text not null,
  mode text not null check (mode in ('live', 'test')),
  agent_id uuid not null,
  operation text not null,
  -- The facts of the decision, by their names in the API.
  facts jsonb not null,
  outcome text not null check (outcome in ('allow', 'require_approval', 'deny')),
  -- Null for calls that no policy decided.
  policy_id text,
  policy_version integer,
  rule_id text,
  decided_at timestamptz not null,
  primary key (tenant_id, decision_id)
);
create index policy_decisions_of_agent on policy_decisions (tenant_id, mode, agent_id, decided_at, decision_id);
create index policy_decisions_by_time on policy_decisions (decided_at, tenant_id, decision_id);
call purser_protect('policy_decisions', false);
