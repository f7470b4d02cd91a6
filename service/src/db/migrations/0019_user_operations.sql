-- Operations of live wallets' accounts (ERC-4337): each transfers a payment, or only deploys the account.
create table user_operations (
  tenant_id text not null,
  operation_id text not null,
  wallet_id text not null,
  network text not null,
  -- Null for an operation that only deploys the account.
  payment_id text,
  -- One of eight. The account executes the operations of a lane one after another.
  lane smallint not null check (lane between 0 and 7),
  -- The wallet's epoch when the operation was begun. It is not sent once the wallet has another one.
  wallet_epoch integer not null,
  -- What was signed. Null until then. It is sent as it is, also when it is sent again.
  signed_operation text,
  user_op_hash text,
  nonce numeric(78, 0),
  -- The account's epoch on its chain.
  chain_epoch bigint,
  valid_until timestamptz,
  -- The first block that was not final when the operation was signed. The chain has no trace of it before.
  searched_from bigint,
  -- When the bundler was last called. Set before the first call, because a call that fails may have arrived.
  sent_at timestamptz,
  -- The block that contains it, and its transaction. Another block can replace it until it is final.
  block_number bigint,
  transaction_hash text,
  outcome text check (outcome in ('confirmed', 'reverted', 'expired', 'frozen', 'replaced', 'not_sent')),
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (tenant_id, operation_id),
  foreign key (tenant_id, wallet_id) references wallets (tenant_id, wallet_id),
  constraint ended_has_outcome check ((ended_at is null) = (outcome is null)),
  -- All of them or none.
  constraint signed_whole check (
    num_nulls(signed_operation, user_op_hash, nonce, chain_epoch, valid_until, searched_from, sent_at) % 7 = 0
  )
);
-- A lane has one operation in flight.
create unique index user_operations_lanes on user_operations (tenant_id, wallet_id, lane) where ended_at is null;
-- A payment has one operation. It is never signed again.
create unique index user_operations_payments on user_operations (tenant_id, payment_id);
-- What is looked for on a chain.
create index user_operations_open on user_operations (network, operation_id) where ended_at is null;
-- For the comparison of balances with the chain.
create index user_operations_of_wallet on user_operations (tenant_id, wallet_id, block_number);
create unique index user_operations_by_hash on user_operations (user_op_hash);

call purser_protect(false, 'user_operations');

-- What a live payment transfers after a capture. Null for the whole amount.
alter table payments add column captured_base_units numeric(38, 0);
-- Its operation on the chain, as it is shown.
alter table payments add column onchain jsonb;

-- A queued payment waits as well.
drop index payments_waiting;
create index payments_waiting on payments (tenant_id, wallet_id, payment_id)
  where status in ('requires_approval', 'authorized', 'queued');
drop index payments_expiring;
create index payments_expiring on payments (expires_at, tenant_id, payment_id)
  where status in ('requires_approval', 'authorized', 'queued') and expires_at is not null;
