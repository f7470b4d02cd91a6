-- Transactions of the operator's keys that freeze or unfreeze the accounts of live wallets. No row is deleted once it was signed.
create table operator_transactions (
  tenant_id text not null,
  transaction_id text not null,
  wallet_id text not null,
  network text not null,
  action text not null check (action in ('freeze', 'unfreeze')),
  -- Becomes part of the id of the account's epoch. Random, so that nothing can be signed for a later epoch.
  salt bigint not null,
  -- The address and the nonce that it was signed with. Null until then. What was signed with a nonce can be executed at any time
  -- until the nonce is used.
  sender text,
  nonce bigint,
  signed_transaction text,
  -- Of everything that was signed with this nonce, newest last. Each pays more for gas than the one before.
  hashes text[] not null default '{}',
  -- It never pays more for a unit of gas.
  fee_limit numeric(78, 0),
  signed_at timestamptz,
  -- When a node took it. Null until one did, and when a block that contained it was replaced.
  sent_at timestamptz,
  -- The block that contains it, and its hash. Another block can replace it until it is final.
  block_number bigint,
  transaction_hash text,
  -- Of an unfreeze: who lifts the freeze, and what the history of freezes says about it.
  unfreeze jsonb,
  actor jsonb,
  request_id text,
  created_at timestamptz not null,
  -- An alarm follows ten minutes after it if it is in no block. A repeated request sets it anew.
  requested_at timestamptz not null,
  -- When its block was final, or when it was no longer needed.
  ended_at timestamptz,
  primary key (tenant_id, transaction_id),
  foreign key (tenant_id, wallet_id) references wallets (tenant_id, wallet_id),
  -- All of them or none.
  constraint signed_whole check (num_nulls(sender, nonce, signed_transaction, fee_limit, signed_at) % 5 = 0)
);
-- No two transactions are signed with the same nonce, unless one replaces the other.
create unique index operator_transactions_nonces on operator_transactions (network, sender, nonce) where ended_at is null;
create index operator_transactions_open on operator_transactions (network, transaction_id) where ended_at is null;
create index operator_transactions_of_wallet on operator_transactions (tenant_id, wallet_id);

call purser_protect(false, 'operator_transactions');

-- The transaction that freezes or unfreezes the account, as it is shown. The block is null until one contains it.
alter table wallets add column onchain_freeze_tx text;
alter table wallets add column onchain_freeze_block bigint;

alter table kill_switch_targets drop constraint kill_switch_targets_onchain_check;
alter table kill_switch_targets add constraint kill_switch_targets_onchain_check
  check (onchain in ('simulated', 'confirmed', 'blocked_pending', 'failed'));
