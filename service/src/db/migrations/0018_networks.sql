-- How far the chain of each network in use has been read. Belongs to no tenant.
create table network_cursors (
  network text primary key,
  -- The block at which the network came into use. Only deposits after it are looked for.
  started_block bigint not null,
  -- The newest block that was read.
  block_number bigint not null,
  block_hash text not null,
  -- The newest final block whose deposits are credited. Only a resume can take it back.
  final_number bigint not null,
  final_hash text not null,
  -- How many blocks are read at once. Fewer after a failure, because nodes limit their answers.
  blocks_max integer not null default 500,
  -- When the chain was last read without a failure.
  read_at timestamptz not null,
  -- Since when the nodes differ. Null if they do not.
  disputed_at timestamptz,
  -- Set if a final block was replaced. Nothing is sent or credited until an operator resumes the network.
  stopped_at timestamptz,
  balances_checked_at timestamptz not null,
  created_at timestamptz not null
);
grant select, insert, update on network_cursors to purser_service;

-- Transfers of tokens to wallets, as logged on their chains.
create table deposits (
  tenant_id text not null,
  deposit_id text not null,
  wallet_id text not null,
  mode text not null check (mode = 'live'),
  network text not null,
  transaction_hash text not null,
  -- The place of the transfer among those of this transaction to this wallet. It stays the same if the transaction is put
  -- into another block, where its logs have other indexes.
  ordinal integer not null,
  block_number bigint not null,
  sender text not null,
  asset text not null,
  base_units numeric(38, 0) not null check (base_units > 0),
  status text not null check (status in ('pending', 'confirmed')),
  created_at timestamptz not null,
  confirmed_at timestamptz,
  primary key (tenant_id, deposit_id),
  foreign key (tenant_id, wallet_id) references wallets (tenant_id, wallet_id),
  constraint deposit_once unique (tenant_id, wallet_id, network, transaction_hash, ordinal)
);
create index deposits_listed on deposits (tenant_id, wallet_id, created_at desc, deposit_id desc);
create index deposits_pending on deposits (network, block_number) where status = 'pending';
-- For the comparison of balances with the chain.
create index deposits_of_wallet on deposits (tenant_id, wallet_id, block_number);
-- The wallets whose deposits are looked for.
create index wallets_live on wallets (network, wallet_id) where mode = 'live';

call purser_protect(false, 'deposits');
