-- Wallets of agents: smart accounts, one for each agent, network and mode. Balances are those of the ledger.
create table wallets (
  tenant_id text not null references developers (tenant_id),
  wallet_id text not null,
  mode text not null check (mode in ('live', 'test')),
  agent_id uuid not null,
  network text not null,
  name text,
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
  epoch integer not null default 0,
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
  constraint frozen_has_mode
    check ((frozen_at is null) = (freeze_mode is null) and (frozen_at is null) = (freeze_source is null))
);
create index wallets_listed on wallets (tenant_id, mode, created_at desc, wallet_id desc);
create unique index wallets_by_address on wallets (tenant_id, mode, network, lower(address));
-- An admin finds a wallet by its id alone.
create index wallets_by_id on wallets (wallet_id);
-- For the job that cancels the waiting payments of frozen wallets.
create index wallets_frozen on wallets (tenant_id, wallet_id) where freeze_mode is not null;

-- The private keys of wallets whose signer is local.
create table wallet_signer_keys (
  tenant_id text not null,
  wallet_id text not null,
  key_sealed bytea not null,
  primary key (tenant_id, wallet_id),
  foreign key (tenant_id, wallet_id) references wallets (tenant_id, wallet_id)
);
call purser_keep_data_key('wallet_signer_keys', 'key_sealed');

-- The history of freezes, for the wallet's activity.
create table wallet_freezes (
  tenant_id text not null,
  freeze_id text not null,
  wallet_id text not null,
  mode text not null check (mode in ('live', 'test')),
  action text not null check (action in ('freeze', 'unfreeze')),
  freeze_mode text not null check (freeze_mode in ('outgoing_only', 'full')),
  source text not null check (source in ('developer', 'admin')),
  reason text,
  note text,
  reference text,
  actor jsonb not null,
  created_at timestamptz not null,
  primary key (tenant_id, freeze_id),
  foreign key (tenant_id, wallet_id) references wallets (tenant_id, wallet_id)
);
create index wallet_freezes_listed on wallet_freezes (tenant_id, wallet_id, created_at desc, freeze_id desc);

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

call purser_protect(true, 'wallet_signer_keys');
call purser_protect(false, 'wallets', 'wallet_freezes', 'wallet_fundings');
