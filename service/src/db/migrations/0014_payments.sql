-- Payments of agents.
create table payments (
  tenant_id text not null,
  payment_id text not null,
  mode text not null check (mode in ('live', 'test')),
  agent_id uuid not null,
  wallet_id text not null,
  network text not null,
  asset text not null,
  base_units numeric(38, 0) not null check (base_units > 0),
  payee jsonb not null,
  payee_address text not null,
  payee_wallet_id text,
  payee_agent_id uuid,
  debit_account_id text not null,
  credit_account_id text not null,
  -- The project whose cap the payment counts in.
  project_id text,
  status text not null,
  execution text not null check (execution in ('auto', 'authorize_only')),
  purpose text,
  reference text,
  max_fee_base_units numeric(38, 0),
  metadata jsonb not null default '{}',
  decision jsonb not null,
  reservation_id text,
  transfer_id text,
  paid_base_units numeric(38, 0),
  refunded_base_units numeric(38, 0) not null default 0,
  expires_at timestamptz,
  requested_expires_at timestamptz,
  approval_id text,
  failure jsonb,
  created_at timestamptz not null,
  settled_at timestamptz,
  updated_at timestamptz not null,
  primary key (tenant_id, payment_id),
  constraint refunds_what_was_paid
    check (refunded_base_units >= 0 and refunded_base_units <= coalesce(paid_base_units, 0))
);
create index payments_listed on payments (tenant_id, mode, created_at desc, payment_id desc);
create index payments_of_wallet on payments (tenant_id, wallet_id, created_at desc, payment_id desc);
create index payments_to_wallet on payments (tenant_id, payee_wallet_id, created_at desc, payment_id desc)
  where payee_wallet_id is not null;
create index payments_of_project on payments (tenant_id, project_id, created_at desc, payment_id desc)
  where project_id is not null;
create index payments_waiting on payments (tenant_id, wallet_id, payment_id)
  where status in ('requires_approval', 'authorized');
create index payments_expiring on payments (expires_at, tenant_id, payment_id)
  where status in ('requires_approval', 'authorized');

-- Whom an agent has paid.
create table paid_payees (
  tenant_id text not null,
  mode text not null check (mode in ('live', 'test')),
  agent_id uuid not null,
  payee_address text not null,
  primary key (tenant_id, mode, agent_id, payee_address)
);

-- What a payment needs before it is decided, as one object: the paying wallet, the payee's wallet, their accounts, the
-- agent's projects, whether the agent has paid the payee before, and the facts of purser_read_decision_facts. Nothing
-- is locked: purser_spend and the policy revision check again whatever can change.
create function purser_read_payment_facts(
  payer_tenant_id text, payment_mode text, payer_agent_id uuid,
  -- The paying wallet by its id, or by its network, or neither if the agent has only one wallet.
  payer_wallet_id text, payer_network text,
  payment_asset text,
  -- `address`, `wallet` or `agent`. An address is in lowercase.
  payee_type text, payee_value text,
  -- Null if the caller names none.
  named_project_id text,
  decided_at timestamptz
) returns json language plpgsql stable set plan_cache_mode = force_generic_plan as $$
declare
  wallet record;
  payee_wallet_id text;
  payee record;
  project record;
begin
  select own.wallet_id, own.network, own.address, own.freeze_mode, account.account_id, account.stopped,
      count(*) over () as found
    into wallet
    from wallets as own
    join ledger_accounts as account on account.subject_id = own.wallet_id and account.tenant_id = own.tenant_id
      and account.mode = own.mode and account.subject_type = 'wallet' and account.kind = 'wallet'
      and account.asset = payment_asset
    where own.tenant_id = payer_tenant_id and own.mode = payment_mode and own.agent_id = payer_agent_id
      and (payer_wallet_id is null or own.wallet_id = payer_wallet_id)
      -- A named wallet on another network is reported to the caller.
      and (payer_wallet_id is not null or payer_network is null or own.network = payer_network)
    limit 1;

  -- One condition for all types would not use the indexes.
  case payee_type
    when 'wallet' then payee_wallet_id := payee_value;
    when 'agent' then
      select wallet_id into payee_wallet_id from wallets
        where tenant_id = payer_tenant_id and mode = payment_mode and agent_id = payee_value::uuid
          and network = wallet.network;
    else
      select wallet_id into payee_wallet_id from wallets
        where tenant_id = payer_tenant_id and mode = payment_mode and network = wallet.network
          and lower(address) = payee_value;
  end case;
  select paid.wallet_id, paid.agent_id, paid.network, paid.address, paid.freeze_mode, account.account_id
    into payee
    from wallets as paid
    join ledger_accounts as account on account.subject_id = paid.wallet_id and account.tenant_id = paid.tenant_id
      and account.mode = paid.mode and account.subject_type = 'wallet' and account.kind = 'wallet'
      and account.asset = payment_asset
    where paid.tenant_id = payer_tenant_id and paid.mode = payment_mode and paid.wallet_id = payee_wallet_id;

  select found.project_id, found.status, found.cap_behavior, count(*) over () as found into project
    from projects as found
    where found.tenant_id = payer_tenant_id and found.mode = payment_mode and found.deleted_at is null
      and found.agent_ids @> array[payer_agent_id::text]
      and (named_project_id is null or found.project_id = named_project_id)
    limit 1;

  return json_build_object(
    'walletCount', coalesce(wallet.found, 0),
    'wallet', case when wallet.found > 0 then json_build_object('walletId', wallet.wallet_id, 'network', wallet.network,
      'address', wallet.address, 'freezeMode', wallet.freeze_mode, 'stopped', wallet.stopped,
      'accountId', wallet.account_id) end,
    'payee', case when payee.wallet_id is not null then json_build_object('walletId', payee.wallet_id,
      'agentId', payee.agent_id, 'network', payee.network, 'address', payee.address, 'freezeMode', payee.freeze_mode,
      'accountId', payee.account_id) end,
    'externalAccountId', (
      select account_id from ledger_accounts
      where subject_id = payer_tenant_id and tenant_id = payer_tenant_id and mode = payment_mode
        and subject_type = 'external' and kind = 'external' and asset = payment_asset
    ),
    'projectCount', coalesce(project.found, 0),
    'project', case when project.found > 0 then json_build_object('projectId', project.project_id,
      'status', project.status, 'capBehavior', project.cap_behavior) end,
    'namedProjectExists', named_project_id is not null and exists (
      select from projects
      where tenant_id = payer_tenant_id and mode = payment_mode and project_id = named_project_id and deleted_at is null
    ),
    'payeeIsNew', not exists (
      select from paid_payees
      where tenant_id = payer_tenant_id and mode = payment_mode and agent_id = payer_agent_id
        and payee_address = coalesce(lower(payee.address), payee_value)
    ),
    'decision', purser_read_decision_facts(payer_tenant_id, payment_mode, payer_agent_id, wallet.wallet_id,
      project.project_id, decided_at)
  );
end $$;

-- A number for each tenant and mode that grows with every change of what purser_read_payment_facts returns, except for
-- what is used of the limits, which are checked when they are reserved, and except for freezes and stops, which are
-- checked when the tokens are moved. Kept facts are valid as long as the number is the same.
create table payment_revisions (
  tenant_id text not null,
  mode text not null,
  revision bigint not null,
  primary key (tenant_id, mode)
);

-- A trigger, because a change that is forgotten would let a payment be decided by outdated facts. It runs at the end of
-- the transaction, so that the transaction waits for no other lock while it holds the revision. The number follows the
-- clock, so that none repeats after a failover that has lost a change.
create function purser_raise_payment_revision() returns trigger language plpgsql as $$
declare
  modes text[];
  now_micros constant bigint := extract(epoch from clock_timestamp()) * 1000000;
begin
  -- A developer has both modes.
  if tg_table_name = 'developers' then
    modes := array['live', 'test'];
  else
    modes := array[coalesce(new.mode, old.mode)];
  end if;
  insert into payment_revisions as earlier (tenant_id, mode, revision)
    select coalesce(new.tenant_id, old.tenant_id), unnest(modes), now_micros
    on conflict (tenant_id, mode) do update set revision = greatest(earlier.revision + 1, now_micros);
  return null;
end $$;

create constraint trigger payment_revision after insert or update on policies
  deferrable initially deferred for each row execute function purser_raise_payment_revision();
create constraint trigger payment_revision
  after update of status, expires_at, policy_id, attested_by, attested_until, deleted_at on agents
  deferrable initially deferred for each row execute function purser_raise_payment_revision();
create constraint trigger payment_revision after insert or delete on agent_public_keys
  deferrable initially deferred for each row execute function purser_raise_payment_revision();
create constraint trigger payment_revision after update of kyb_status, kyb_expires_at on developers
  deferrable initially deferred for each row execute function purser_raise_payment_revision();
create constraint trigger payment_revision after insert or update of policy_id on wallets
  deferrable initially deferred for each row execute function purser_raise_payment_revision();
create constraint trigger payment_revision
  after insert or update of agent_ids, status, cap_behavior, policy_id, deleted_at on projects
  deferrable initially deferred for each row execute function purser_raise_payment_revision();

-- Raises PR002 if the facts with which a payment to an address was decided are not current: if the kept facts are
-- outdated, if the address is that of a wallet of the tenant, or if the agent has paid it before and was assumed not to
-- have, or the other way round. The caller then reads the facts.
create function purser_require_payment_facts(
  decided_mode text, known_revision bigint, payer_agent_id uuid, payment_network text,
  -- In lowercase.
  payee text, payee_is_new boolean
) returns void language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  tenant constant text := purser_tenant();
begin
  if known_revision <> coalesce((
      select revision from payment_revisions where tenant_id = tenant and mode = decided_mode
    ), 0)
    or exists (
      select from wallets
      where tenant_id = tenant and mode = decided_mode and network = payment_network and lower(address) = payee
    )
    or payee_is_new = exists (
      select from paid_payees
      where tenant_id = tenant and mode = decided_mode and agent_id = payer_agent_id and payee_address = payee
    )
  then
    raise exception using errcode = 'PR002', message = 'the facts of the payment are not current';
  end if;
end $$;

-- Returns whether the wallet has fewer open authorizations than the maximum. Takes a lock until the transaction ends,
-- so that the authorizations of a wallet are counted one after another.
create function purser_can_authorize(authorizing_wallet_id text, at timestamptz, maximum integer) returns boolean
language plpgsql as $$
declare
  tenant constant text := purser_tenant();
begin
  perform pg_advisory_xact_lock(hashtextextended('authorizations ' || tenant || ' ' || authorizing_wallet_id, 0));
  return (
    select count(*) < maximum from (
      select from payments
      where tenant_id = tenant and wallet_id = authorizing_wallet_id and status = 'authorized' and expires_at > at
      limit maximum
    ) as open
  );
end $$;

-- Raises PR001 unless purser_can_authorize returns true.
create function purser_require_authorizable(authorizing_wallet_id text, at timestamptz, maximum integer) returns void
language plpgsql as $$
begin
  if not purser_can_authorize(authorizing_wallet_id, at, maximum) then
    raise exception using errcode = 'PR001';
  end if;
end $$;

call purser_protect(false, 'payments', 'paid_payees', 'payment_revisions');
