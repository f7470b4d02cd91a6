-- Conversions of dollars in bank accounts into stablecoins in wallets, and back. Also quotes, which are not executed yet.
create table conversions (
  tenant_id text not null references developers (tenant_id),
  conversion_id text not null,
  mode text not null check (mode in ('live', 'test')),
  direction text not null check (direction in ('on_ramp', 'off_ramp')),
  status text not null check (status in ('quoted', 'awaiting_funds', 'in_review', 'funds_received', 'payment_submitted',
    'completed', 'undeliverable', 'returned', 'missing_return_policy', 'refund_in_flight', 'refunded', 'refund_failed',
    'canceled', 'expired', 'failed')),
  -- The highest rank that a status has had. `in_review` has none.
  rank integer not null,
  account_id text not null,
  wallet_id text not null,
  network text not null,
  address text not null,
  -- The agent that acts. Null for the developer.
  agent_id uuid,
  project_id text,
  asset text not null check (asset = 'usdc'),
  payment_rail text not null,
  source_cents bigint not null check (source_cents > 0),
  fee_cents bigint not null check (fee_cents >= 0 and fee_cents < source_cents),
  quote_id text,
  quote_expires_at timestamptz,
  -- Whose account at the ramp vendor it is with, and the vendor's ids.
  ramp_owner text not null check (ramp_owner in ('developer', 'operator')),
  ramp_customer_id text not null,
  external_account_id text,
  transfer_id text,
  -- When the vendor was first asked for the transfer. Without `transfer_id`, it is not known whether there is one.
  transfer_asked_at timestamptz,
  reservation_id text,
  -- The hold in the ledger, and the transfer that posted it or credited the wallet.
  hold_id text,
  ledger_transfer_id text,
  deposit_instructions jsonb,
  trace jsonb,
  failure jsonb,
  return_reason text,
  -- When the vendor's answer differed from this row. Nothing moves until an operator looks.
  halted_at timestamptz,
  statement_descriptor text,
  external_reference_id text,
  metadata jsonb not null default '{}',
  timeline jsonb not null,
  executed_at timestamptz,
  expected_completion_at timestamptz,
  completed_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, conversion_id),
  foreign key (tenant_id, account_id) references fiat_accounts (tenant_id, account_id),
  foreign key (tenant_id, wallet_id) references wallets (tenant_id, wallet_id)
);
create index conversions_listed on conversions (tenant_id, mode, created_at desc, conversion_id desc);
create index conversions_of_wallet on conversions (tenant_id, wallet_id, created_at desc, conversion_id desc);
create unique index conversions_by_quote on conversions (tenant_id, quote_id) where quote_id is not null;
create index conversions_by_transfer on conversions (transfer_id) where transfer_id is not null;
-- What an account or a wallet still has to wait for.
create index conversions_open on conversions (tenant_id, account_id)
  where status not in ('quoted', 'completed', 'refunded', 'refund_failed', 'canceled', 'expired', 'failed');
-- For the job that cancels the off-ramps of frozen wallets.
create index conversions_held on conversions (tenant_id, wallet_id)
  where hold_id is not null and ledger_transfer_id is null
    and status not in ('quoted', 'completed', 'refunded', 'refund_failed', 'canceled', 'expired', 'failed');

call purser_protect(false, 'conversions');
