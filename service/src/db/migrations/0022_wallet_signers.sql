-- Who holds the key of a wallet. It never changes.
alter table wallets add column signer text not null default 'local' check (signer in ('local', 'turnkey', 'aws-kms'));
-- Whether the developer's own keys of the signer's vendor are used, not the operator's.
alter table wallets add column uses_own_signer boolean not null default false;

-- A vendor that names the same key twice must not make two wallets of it.
create unique index wallets_live_addresses on wallets (network, lower(address)) where mode = 'live';

-- The wallets at Turnkey: one for each developer in an organization. Their accounts own the developer's wallets.
create table turnkey_wallets (
  tenant_id text not null,
  organization_id text not null,
  -- When it was asked for. A request with the same time has no second effect.
  requested_at timestamptz not null,
  -- Null until Turnkey has created it.
  turnkey_wallet_id text,
  next_index integer not null default 0,
  primary key (tenant_id, organization_id)
);

-- The accounts that were asked for. One that owns no wallet yet will own the agent's wallet on the network.
create table turnkey_accounts (
  tenant_id text not null,
  organization_id text not null,
  agent_id uuid not null,
  network text not null,
  account_index integer not null,
  requested_at timestamptz not null,
  primary key (tenant_id, organization_id, agent_id, network),
  unique (tenant_id, organization_id, account_index),
  foreign key (tenant_id, organization_id) references turnkey_wallets (tenant_id, organization_id)
);

call purser_protect(false, 'turnkey_wallets', 'turnkey_accounts');

-- What a vendor is asked to sign, and since when. It is stored before, so that it is asked for the same again.
alter table user_operations add column unsigned_operation text;
alter table user_operations add column sign_requested_at timestamptz;
alter table user_operations drop constraint signed_whole;
alter table user_operations add constraint planned_whole check (num_nulls(nonce, chain_epoch, valid_until) % 3 = 0);
alter table user_operations add constraint asked_whole check (
  num_nulls(unsigned_operation, sign_requested_at) % 2 = 0 and (unsigned_operation is null or nonce is not null)
);
alter table user_operations add constraint signed_whole check (
  num_nulls(signed_operation, user_op_hash, searched_from, sent_at) % 4 = 0
  and (signed_operation is null or nonce is not null)
);
