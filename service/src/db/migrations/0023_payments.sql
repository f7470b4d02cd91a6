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
