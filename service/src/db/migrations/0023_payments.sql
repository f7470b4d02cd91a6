-- Payments of agents.
create table payments (
  tenant_id text not null,
  payment_id text not null,
  mode text not null check (mode in ('live', 'test')),
  agent_id uuid not null,
  wallet_id text not null,
  network text not null,
  asset text not null,
  -- What the payee gets.
  base_units numeric(38, 0) not null check (base_units > 0),
  -- As the caller named the payee: type and value.
  payee jsonb not null,
  -- With the checksum of EIP-55.
  payee_address text not null,
  -- The wallet of the same tenant that is paid, if it is one, and its agent.
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
  -- Outcome, policy, version, rule and know-your-agent level.
  decision jsonb not null,
  reservation_id text,
  -- The transfer that paid, or the hold.
  transfer_id text,
  -- What was paid. Less than `base_units` if less was captured.
  paid_base_units numeric(38, 0),
  refunded_base_units numeric(38, 0) not null default 0,
  -- When the payment expires while it waits for an approval or a capture.
  expires_at timestamptz,
  -- When the caller wants it to expire.
  requested_expires_at timestamptz,
  approval_id text,
  -- Code and detail of the error that ended the payment.
  failure jsonb,
  created_at timestamptz not null,
  settled_at timestamptz,
  updated_at timestamptz not null,
  primary key (tenant_id, payment_id),
  constraint refunds_what_was_paid check (refunded_base_units >= 0 and refunded_base_units <= coalesce(paid_base_units, 0))
);
create index payments_listed on payments (tenant_id, mode, created_at desc, payment_id desc);
create index payments_of_wallet on payments (tenant_id, wallet_id, created_at desc, payment_id desc);
create index payments_to_wallet on payments (tenant_id, payee_wallet_id, created_at desc, payment_id desc)
  where payee_wallet_id is not null;
create index payments_of_project on payments (tenant_id, project_id, created_at desc, payment_id desc)
  where project_id is not null;
create index payments_waiting on payments (tenant_id, wallet_id, payment_id) where status in ('requires_approval', 'authorized');
create index payments_expiring on payments (expires_at, tenant_id, payment_id) where status in ('requires_approval', 'authorized');
call purser_protect('payments', false);

-- For the job that cancels the waiting payments of frozen wallets.
create index wallets_frozen on wallets (tenant_id, wallet_id) where freeze_mode is not null;

-- Lowers what a committed reservation counts in one budget, because a part of the amount was paid back. Does nothing unless
-- the reservation was counted in the period of the budget that contains `at`. Returns whether it was.
create function purser_refund_reservation(
  refunded_reservation_id text, refunded_budget_id text, amount numeric, at timestamptz
) returns boolean language plpgsql as $$
declare
  tenant constant text := purser_tenant();
  current_start timestamptz;
begin
  select purser_budget_bucket(period, at) into current_start from budgets
    where tenant_id = tenant and budget_id = refunded_budget_id for no key update;
  update budget_reservation_lines as line
    set amount_micros = coalesce(line.amount_micros, reservation.committed_micros) - amount
    from budget_reservations as reservation
    where reservation.tenant_id = tenant and reservation.reservation_id = refunded_reservation_id
      and reservation.status = 'committed'
      and line.tenant_id = tenant and line.reservation_id = refunded_reservation_id
      and line.budget_id = refunded_budget_id and line.period_start = current_start;
  if not found then return false; end if;
  update budget_periods set spent_micros = spent_micros - amount, changed_at = at
    where tenant_id = tenant and budget_id = refunded_budget_id and period_start = current_start;
  return true;
end $$;

-- Whom an agent has paid.
create table paid_payees (
  tenant_id text not null,
  mode text not null check (mode in ('live', 'test')),
  agent_id uuid not null,
  -- In lowercase.
  payee_address text not null,
  primary key (tenant_id, mode, agent_id, payee_address)
);
call purser_protect('paid_payees', false);
create index projects_of_agent on projects using gin (agent_ids) where deleted_at is null;

-- What a payment needs before it is decided, as one object: the paying wallet, the payee's wallet, their accounts, the
-- agent's projects, whether the agent has paid the payee before, and the facts of purser_read_decision_facts. Nothing is
-- locked: purser_spend and the policy revision check again whatever can change.
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
  wallet_count integer := 0;
  payee_wallet_id text;
  payee record;
  project record;
  project_count integer;
  payee_is_new boolean;
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
  wallet_count := coalesce(wallet.found, 0);

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
  project_count := coalesce(project.found, 0);

  payee_is_new := not exists (
    select from paid_payees
    where tenant_id = payer_tenant_id and mode = payment_mode and agent_id = payer_agent_id
      and payee_address = coalesce(lower(payee.address), payee_value)
  );
  return json_build_object(
    'walletCount', wallet_count,
    'wallet', case when wallet_count > 0 then json_build_object('walletId', wallet.wallet_id, 'network', wallet.network,
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
    'projectCount', project_count,
    'project', case when project_count > 0 then json_build_object('projectId', project.project_id,
      'status', project.status, 'capBehavior', project.cap_behavior) end,
    'namedProjectExists', named_project_id is not null and exists (
      select from projects
      where tenant_id = payer_tenant_id and mode = payment_mode and project_id = named_project_id and deleted_at is null
    ),
    'payeeIsNew', payee_is_new,
    'decision', purser_read_decision_facts(payer_tenant_id, payment_mode, payer_agent_id, wallet.wallet_id,
      project.project_id, decided_at)
  );
end $$;

-- With the default setting, PostgreSQL plans the statement that locks the budgets anew for each call.
alter function purser_spend_or_raise(text, text, text, timestamptz, text, numeric, jsonb, timestamptz, text, text, text,
  numeric, text, text, boolean) set plan_cache_mode = force_generic_plan;

-- Each decision locked the row of its tenant, and all payments of a tenant shared that lock.
alter table policy_decisions drop constraint policy_decisions_tenant_id_fkey;
