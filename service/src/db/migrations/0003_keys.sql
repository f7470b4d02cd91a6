create table api_keys (
  tenant_id text not null references developers (tenant_id),
  key_id text not null,
  mode text not null check (mode in ('live', 'test')),
  name text not null,
  key_hash text not null,
  key_hint text not null,
  signature_alg text not null check (signature_alg in ('hmac-sha256', 'ed25519')),
  -- The signing key is the hash of the secret. Whoever reads it can sign, so it is encrypted.
  signing_key_sealed bytea,
  public_key text,
  is_account_pair boolean not null default false,
  scopes text[] not null,
  agent_ids text[] not null default '{}',
  project_ids text[] not null default '{}',
  ip_allowlist text[] not null default '{}',
  rate_limit_per_minute integer,
  metadata jsonb not null default '{}',
  created_by text not null,
  expires_at timestamptz,
  last_used_at timestamptz,
  last_used_network text,
  rotated_from text,
  replaced_by text,
  grace_expires_at timestamptz,
  -- When the developer was last told that many requests with the key fail.
  failures_told_at timestamptz,
  revoked_at timestamptz,
  revoke_reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, key_id),
  constraint api_key_signs_one_way check ((signing_key_sealed is null) <> (public_key is null))
);
call purser_keep_data_key('api_keys', 'signing_key_sealed');

-- The tenant of each key, by the hash of the key.
create table api_key_lookups (
  key_hash text primary key,
  tenant_id text not null,
  key_id text not null
);
grant select, insert, delete on api_key_lookups to purser_service;

-- Why requests were not authenticated, for the developer. Similar ones of one minute are one row.
create table auth_failures (
  tenant_id text not null references developers (tenant_id),
  failure_id text not null,
  key_id text,
  mode text not null check (mode in ('live', 'test')),
  step integer not null,
  reason text not null,
  skew_seconds integer,
  network text not null,
  count integer not null,
  request_id text not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (tenant_id, failure_id)
);
create index auth_failures_newest on auth_failures (tenant_id, last_at desc, failure_id desc);
create index auth_failures_expired on auth_failures (last_at);

-- Devices that ask for a key pair (RFC 8628). They have no tenant until a developer approves them. The pair is then
-- stored here, encrypted, until it is handed out once.
create table device_authorizations (
  device_code_hash text primary key,
  user_code_hash text not null unique,
  client_name text not null,
  scopes text[] not null,
  network text,
  user_agent text,
  status text not null check (status in ('pending', 'approved', 'denied', 'handed_out')),
  tenant_id text,
  key_id text,
  pair_sealed bytea,
  poll_interval_seconds integer not null,
  last_polled_at timestamptz,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  constraint device_pair_has_owner check (pair_sealed is null or (tenant_id is not null and key_id is not null))
);
create index device_authorizations_expired on device_authorizations (expires_at);
grant select, insert, update, delete on device_authorizations to purser_service;
call purser_keep_data_key('device_authorizations', 'pair_sealed');

create table provider_keys (
  tenant_id text not null references developers (tenant_id),
  mode text not null check (mode in ('live', 'test')),
  provider text not null check (provider in ('pimlico', 'turnkey', 'fireblocks', 'bridge', 'helius')),
  -- Raised by each change and deletion.
  version integer not null,
  configured boolean not null,
  label text,
  fields_configured text[] not null default '{}',
  verification_status text not null
    check (verification_status in ('verified', 'failed', 'unverified', 'unreachable')),
  verification_detail text,
  verification_checked_at timestamptz,
  expires_at timestamptz,
  -- How many days before the expiry the developer was last reminded.
  reminded_days integer,
  last_used_at timestamptz,
  updated_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, mode, provider)
);
create index provider_keys_expiring on provider_keys (expires_at) where configured and expires_at is not null;

-- Encrypted, one row for each field. They are never shown.
create table provider_key_secrets (
  tenant_id text not null,
  mode text not null,
  provider text not null,
  field text not null,
  version integer not null,
  sealed bytea not null,
  primary key (tenant_id, mode, provider, field),
  foreign key (tenant_id, mode, provider) references provider_keys (tenant_id, mode, provider)
);
call purser_keep_data_key('provider_key_secrets', 'sealed');

call purser_protect(true, 'api_keys', 'provider_key_secrets');
call purser_protect(false, 'auth_failures', 'provider_keys');
