-- Wallets of agents: smart accounts, one for each agent, network and mode. Balances are those of the ledger.
create table wallets (
  tenant_id text not null references developers (tenant_id),
  wallet_id text not null,
  mode text not null check (mode in ('live', 'test')),
  agent_id uuid not null,
  -- The name of the network, for example `base`.
  network text not null,
  name text,
  -- The address of the account, with the checksum of EIP-55. It is known before the account is deployed.
  address text not null,
  account_type text not null,
  entry_point text not null,
  -- What the address is derived from.
  factory text not null,
  init_code_hash text not null,
  salt text not null,
  owner text not null,
  recovery_address text,
  deployment_status text not null check (deployment_status in ('counterfactual', 'deploying', 'deployed', 'failed')),
  deployment_tx text,
  status text not null check (status in ('active', 'freezing', 'frozen', 'unfreezing', 'closed')),
  -- Raised by each freeze.
  epoch integer not null default 0,
  -- The freeze, while the wallet is frozen.
  freeze_mode text check (freeze_mode in ('outgoing_only', 'full')),
  -- Who can lift the freeze: for a freeze by an admin, only an admin.
  freeze_source text check (freeze_source in ('developer', 'admin')),
  freeze_reason text,
  freeze_note text,
  freeze_reference text,
  frozen_by jsonb,
  frozen_at timestamptz,
  freeze_expires_at timestamptz,
  onchain_freeze text not null default 'not_frozen'
    check (onchain_freeze in ('not_frozen', 'pending', 'confirmed', 'failed', 'unfreeze_pending', 'simulated')),
  -- A policy that applies to the wallet beside those that name it.
  policy_id text,
  metadata jsonb not null default '{}',
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, wallet_id),
  constraint wallet_once unique (tenant_id, mode, agent_id, network),
  constraint frozen_has_mode check ((frozen_at is null) = (freeze_mode is null) and (frozen_at is null) = (freeze_source is null))
);
create index wallets_listed on wallets (tenant_id, mode, created_at desc, wallet_id desc);
create unique index wallets_by_address on wallets (tenant_id, mode, network, lower(address));
-- An admin finds a wallet by its id alone.
create index wallets_by_id on wallets (wallet_id);
call purser_protect('wallets', false);

-- The private keys of wallets whose signer is local.
create table wallet_signer_keys (
  tenant_id text not null,
  wallet_id text not null,
  key_sealed bytea not null,
  primary key (tenant_id, wallet_id),
  foreign key (tenant_id, wallet_id) references wallets (tenant_id, wallet_id)
);
call purser_protect('wallet_signer_keys', true);
call purser_keep_data_key('wallet_signer_keys', 'key_sealed');

-- The history of freezes, for the wallet's activity.
create table wallet_freezes (
  tenant_id text not null,
  freeze_id text not null,
  wallet_id text not null,
  mode text not null check (mode in ('live', 'test')),
  action text not null check (action in ('freeze', 'unfreeze')),
  -- Of the freeze that was made or lifted.
  freeze_mode text not null check (freeze_mode in ('outgoing_only', 'full')),
  source text not null check (source in ('developer', 'admin')),
  -- Null for an unfreezing.
  reason text,
  note text,
  reference text,
  -- Type and id.
  actor jsonb not null,
  created_at timestamptz not null,
  primary key (tenant_id, freeze_id),
  foreign key (tenant_id, wallet_id) references wallets (tenant_id, wallet_id)
);
create index wallet_freezes_listed on wallet_freezes (tenant_id, wallet_id, created_at desc, freeze_id desc);
call purser_protect('wallet_freezes', false);

-- Test tokens that wallets received.
create table wallet_fundings (
  tenant_id text not null,
  funding_id text not null,
  wallet_id text not null,
  mode text not null check (mode = 'test'),
  asset text not null,
  base_units numeric(38, 0) not null check (base_units > 0),
  transfer_id text not null,
  created_at timestamptz not null,
  primary key (tenant_id, funding_id),
  foreign key (tenant_id, wallet_id) references wallets (tenant_id, wallet_id)
);
create index wallet_fundings_listed on wallet_fundings (tenant_id, wallet_id, created_at desc, funding_id desc);
call purser_protect('wallet_fundings', false);

-- What a decision about an operation needs, as one object. An agent that does not exist has no status. Without an agent, a
-- wallet or a project, these are null. Since 0021, the policy that the wallet names applies too.
--
-- The plans are generic: with the default setting, PostgreSQL plans the sums of budgets anew for each call, which takes
-- three times as long as executing them.
create or replace function purser_read_decision_facts(
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
