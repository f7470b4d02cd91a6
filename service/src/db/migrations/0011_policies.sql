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

-- Every version of every policy, including the current one.
create table policy_versions (
  tenant_id text not null,
  policy_id text not null,
  version integer not null,
  content jsonb not null,
  created_at timestamptz not null,
  primary key (tenant_id, policy_id, version),
  foreign key (tenant_id, policy_id) references policies (tenant_id, policy_id)
);

-- A number for each tenant and mode that grows whenever a change can alter the decision about a spending: of a policy,
-- an agent, or of what names a policy. A decision is valid as long as the number is the same.
create table policy_revisions (
  tenant_id text not null references developers (tenant_id),
  mode text not null check (mode in ('live', 'test')),
  revision bigint not null,
  primary key (tenant_id, mode)
);

-- The decisions about what agents asked to do. Back-tests read them. The tenant is not a foreign key, because all
-- payments of a tenant would share the lock on its row.
create table policy_decisions (
  tenant_id text not null,
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

-- Raises PR001 if policies have changed since a decision, so that the caller decides again.
create function purser_require_policy_revision(decided_mode text, decided_at_revision bigint)
returns void language plpgsql as $$
begin
  if decided_at_revision <> coalesce((
    select revision from policy_revisions where tenant_id = purser_tenant() and mode = decided_mode
  ), 0) then
    raise exception using errcode = 'PR001', message = 'policies have changed since the decision';
  end if;
end $$;

-- What a decision about an operation needs, as one object. An agent that does not exist has no status. Without an
-- agent, a wallet or a project, these are null.
--
-- The plans are generic: with the default setting, PostgreSQL plans the sums of budgets anew for each call, which takes
-- three times as long as executing them.
create function purser_read_decision_facts(
  decided_tenant_id text, decided_mode text, decided_agent_id uuid, decided_wallet_id text, decided_project_id text,
  decided_at timestamptz
) returns json language plpgsql stable set plan_cache_mode = force_generic_plan as $$
declare
  agent record;
  ancestor record;
  ancestor_id uuid;
  -- The agent and its ancestors.
  members json[];
  member_ids text[] := array[decided_agent_id::text];
  member_policy_ids text[];
  project_policy_id text;
  wallet_policy_id text;
  applied record;
  -- The budgets of the limits that apply. There are none before the first reservation.
  limit_ids text[];
  used json;
  developer record;
begin
  select status, expires_at, policy_id, ancestor_ids, attested_by, attested_until into agent from agents
    where tenant_id = decided_tenant_id and mode = decided_mode and agent_id = decided_agent_id and deleted_at is null;
  members := array[
    json_build_object('agentId', decided_agent_id, 'status', agent.status, 'expiresAt', agent.expires_at)
  ];
  member_policy_ids := array[agent.policy_id];
  foreach ancestor_id in array coalesce(agent.ancestor_ids, '{}') loop
    select status, expires_at, policy_id into ancestor from agents
      where tenant_id = decided_tenant_id and mode = decided_mode and agent_id = ancestor_id;
    members := members
      || json_build_object('agentId', ancestor_id, 'status', ancestor.status, 'expiresAt', ancestor.expires_at);
    member_ids := member_ids || ancestor_id::text;
    member_policy_ids := member_policy_ids || ancestor.policy_id;
  end loop;
  if decided_project_id is not null then
    select policy_id into project_policy_id from projects
      where tenant_id = decided_tenant_id and mode = decided_mode and project_id = decided_project_id
        and deleted_at is null;
  end if;
  if decided_wallet_id is not null then
    select policy_id into wallet_policy_id from wallets
      where tenant_id = decided_tenant_id and mode = decided_mode and wallet_id = decided_wallet_id;
  end if;

  select json_agg(json_build_object(
        'policyId', policy_id, 'version', version, 'isStarter', is_starter,
        'members', array(
          select member.id from unnest(member_ids, member_policy_ids) as member (id, policy_id)
          where member.id = any(policy.agent_ids) or member.policy_id = policy.policy_id
        ),
        'namesSubject', coalesce(decided_wallet_id = any(wallet_ids), false)
          or coalesce(decided_project_id = any(project_ids), false) or coalesce(policy_id = project_policy_id, false)
          or coalesce(policy_id = wallet_policy_id, false)
      ) order by policy_id collate "C") as policies,
      array_agg(policy_id) as policy_ids,
      -- The size is that of the stored, compressed rules. 256 KiB are the most that is decided.
      coalesce(sum(pg_column_size(rules)), 0) > 262144 as is_too_large
    into applied
    from policies as policy
    where tenant_id = decided_tenant_id and mode = decided_mode and deleted_at is null
      and (is_starter or agent_ids && member_ids or policy_id = any(member_policy_ids)
        or decided_wallet_id = any(wallet_ids) or decided_project_id = any(project_ids) or policy_id = project_policy_id
        or policy_id = wallet_policy_id);

  limit_ids := array(
    select budget_id from budgets
    where tenant_id = decided_tenant_id and subject_type in ('agent_rule', 'policy_rule')
      and subject_id = any(member_ids || applied.policy_ids)
      -- The name begins with the id of the policy. An agent keeps the budgets of earlier policies.
      and split_part(name, ':', 1) = any(applied.policy_ids)
  );
  if limit_ids <> '{}' then
    select json_object_agg(budget.budget_id, json_build_object(
        'amount', counted.amount::text, 'resetsAt', purser_budget_resets_at(budget.period, counted.oldest)
      ))
      into used
      from budgets as budget
      cross join lateral (
        select sum(part.held_micros + part.spent_micros) as amount,
          min(part.period_start) filter (where part.held_micros + part.spent_micros > 0) as oldest
        from purser_budget_bucket(budget.period, decided_at) as bucket_start
        join budget_periods as part on part.tenant_id = decided_tenant_id and part.budget_id = budget.budget_id
          and part.period_start >= bucket_start - purser_budget_window_length(budget.period)
          and (part.period_start = bucket_start or budget.period like 'rolling_%')
      ) as counted
      where budget.tenant_id = decided_tenant_id and budget.budget_id = any(limit_ids) and counted.amount is not null;
  end if;

  select kyb_status, kyb_expires_at,
      exists (
        select from agent_public_keys
        where tenant_id = decided_tenant_id and mode = decided_mode and agent_id = decided_agent_id
      ) as has_proven_key,
      (select revision from policy_revisions where tenant_id = decided_tenant_id and mode = decided_mode) as revision
    into developer
    from developers where tenant_id = decided_tenant_id;
  return json_build_object(
    'members', members,
    'kyb', json_build_object('status', developer.kyb_status, 'expiresAt', developer.kyb_expires_at),
    'hasProvenKey', developer.has_proven_key,
    'attestedBy', agent.attested_by,
    'attestedUntil', agent.attested_until,
    'isTooLarge', applied.is_too_large,
    'policies', case when applied.is_too_large then '[]' else coalesce(applied.policies, '[]') end,
    'used', coalesce(used, '{}'),
    'revision', coalesce(developer.revision, 0)::text
  );
end $$;

call purser_protect(false, 'policies', 'policy_versions', 'policy_revisions', 'policy_decisions');
