-- Identities at providers, by which developers sign in. Of each provider a developer has one.
create table developer_identities (
  tenant_id text not null references developers (tenant_id),
  provider text not null check (provider in ('github', 'google')),
  subject text not null,
  email text not null,
  linked_at timestamptz not null,
  last_used_at timestamptz not null,
  primary key (tenant_id, provider)
);
call purser_protect('developer_identities', false);

-- Global look-up: whose identity this is. The subject is the provider's own id of the person, never an address or a name.
create table identity_lookups (
  provider text not null,
  subject text not null,
  tenant_id text not null,
  primary key (provider, subject)
);
grant select, insert, delete on identity_lookups to purser_service;

-- Global look-up: logins that were begun and have not come back. The browser that began one holds the other half; what is
-- secret of it (PKCE verifier, nonce) follows from both halves and is stored nowhere.
create table login_states (
  state_hash text primary key,
  provider text not null check (provider in ('github', 'google')),
  browser_hash text not null,
  redirect_uri text not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null
);
create index login_states_expired on login_states (expires_at);
grant select, insert, update, delete on login_states to purser_service;

create table developer_totp (
  tenant_id text primary key references developers (tenant_id),
  secret_sealed bytea not null,
  -- Null until a first code has shown that the owner's device has the secret.
  confirmed_at timestamptz,
  -- The newest step whose code was taken: no code is good twice.
  last_step bigint not null default 0,
  created_at timestamptz not null
);
call purser_protect('developer_totp', true);

create table developer_recovery_codes (
  tenant_id text not null references developers (tenant_id),
  code_hash text not null,
  used_at timestamptz,
  created_at timestamptz not null,
  primary key (tenant_id, code_hash)
);
call purser_protect('developer_recovery_codes', true);

-- Global look-up: logins whose first factor was right and that wait for the second.
create table mfa_challenges (
  token_hash text primary key,
  tenant_id text not null,
  method text not null check (method in ('password', 'github', 'google')),
  -- The subject of an identity at that provider which becomes the account's once the second factor has passed.
  new_subject text,
  attempts integer not null default 0,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null
);
create index mfa_challenges_by_tenant on mfa_challenges (tenant_id);
create index mfa_challenges_expired on mfa_challenges (expires_at);
grant select, insert, update, delete on mfa_challenges to purser_service;

alter table email_tokens drop constraint email_tokens_purpose_check;
alter table email_tokens add constraint email_tokens_purpose_check
  check (purpose in ('verify_email', 'reset_password'));

-- Global look-up: devices that ask for a key pair (RFC 8628). They belong to nobody until somebody approves them; then the
-- pair waits here, sealed under the approver's data key, to be handed out once.
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

-- Global look-up: keys in grace whose owners are to be told that it ends.
create table api_key_grace_notices (
  key_id text primary key,
  tenant_id text not null,
  due_at timestamptz not null
);
create index api_key_grace_notices_due on api_key_grace_notices (due_at);
grant select, insert, delete on api_key_grace_notices to purser_service;

-- When its owner was last told that many requests under the key fail.
alter table api_keys add column failures_told_at timestamptz;

-- What went wrong with requests that named a key, for the key's owner. Alike ones of one minute are one row.
create table auth_failures (
  tenant_id text not null references developers (tenant_id),
  failure_id text not null,
  key_id text not null,
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
call purser_protect('auth_failures', false);

create table provider_keys (
  tenant_id text not null references developers (tenant_id),
  mode text not null check (mode in ('live', 'test')),
  provider text not null check (provider in ('pimlico', 'turnkey', 'fireblocks', 'bridge', 'helius')),
  -- Counts every change of the set, deletions included, so that no version names two sets.
  version integer not null,
  configured boolean not null,
  label text,
  fields_configured text[] not null default '{}',
  verification_status text not null
    check (verification_status in ('verified', 'failed', 'unverified', 'unreachable')),
  verification_detail text,
  verification_checked_at timestamptz,
  expires_at timestamptz,
  -- How many days ahead the owner was last reminded of the expiry.
  reminded_days integer,
  last_used_at timestamptz,
  updated_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, mode, provider)
);
create index provider_keys_expiring on provider_keys (expires_at) where configured and expires_at is not null;
call purser_protect('provider_keys', false);

-- Sealed under the tenant's data key, one row a field. A deletion destroys them; nothing ever shows them.
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
call purser_protect('provider_key_secrets', true);

-- Global look-up: under which key encryption key each data key is wrapped, so that a rotation finds what is left. The
-- wrapped keys themselves stay behind their wall.
create table data_key_wrappings (
  tenant_id text not null,
  version integer not null,
  key_encryption_key_id text not null,
  -- Whether the tenant has a newer one: then its rotation has begun, and ends when this one is destroyed.
  superseded boolean not null default false,
  created_at timestamptz not null,
  primary key (tenant_id, version)
);
create index data_key_wrappings_by_key on data_key_wrappings (key_encryption_key_id, tenant_id, version);
create index data_key_wrappings_by_age on data_key_wrappings (created_at) where not superseded;
create index data_key_wrappings_superseded on data_key_wrappings (tenant_id) where superseded;
grant select, insert, update, delete on data_key_wrappings to purser_service;

-- The wall is lowered for the one statement that looks over it.
alter table tenant_data_keys no force row level security;
insert into data_key_wrappings (tenant_id, version, key_encryption_key_id, created_at)
  select tenant_id, version, key_encryption_key_id, created_at from tenant_data_keys;
alter table tenant_data_keys force row level security;

-- The operators of this service. No developer is one, so they stand apart: under a tenant of their own, whose rows no
-- developer's transaction sees.
create table admins (
  tenant_id text not null check (tenant_id = 'sys_operator'),
  admin_id text not null,
  email text not null,
  password_hash text not null,
  totp_secret_sealed bytea not null,
  last_step bigint not null default 0,
  disabled_at timestamptz,
  last_login_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, admin_id),
  unique (tenant_id, email)
);
call purser_protect('admins', true);

create table admin_challenges (
  tenant_id text not null,
  token_hash text not null,
  admin_id text not null,
  attempts integer not null default 0,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null,
  primary key (tenant_id, token_hash),
  foreign key (tenant_id, admin_id) references admins (tenant_id, admin_id)
);
call purser_protect('admin_challenges', true);

create table admin_sessions (
  tenant_id text not null,
  session_id text not null,
  admin_id text not null,
  network text,
  user_agent text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  primary key (tenant_id, session_id),
  foreign key (tenant_id, admin_id) references admins (tenant_id, admin_id)
);
call purser_protect('admin_sessions', true);

-- What admins decided about a developer's business. Where two are needed, the first one's decision waits here for the second.
create table kyb_decisions (
  tenant_id text not null references developers (tenant_id),
  decision_id text not null,
  status text not null check (status in ('verified', 'rejected', 'revoked')),
  legal_name text,
  registration_number text,
  jurisdiction text,
  reference text,
  note text,
  expires_at timestamptz,
  proposed_by text not null,
  proposed_at timestamptz not null,
  approved_by text,
  applied_at timestamptz,
  superseded_at timestamptz,
  primary key (tenant_id, decision_id)
);
create unique index kyb_decision_waiting on kyb_decisions (tenant_id) where applied_at is null and superseded_at is null;
create index kyb_decisions_applied on kyb_decisions (tenant_id, applied_at desc) where applied_at is not null;
call purser_protect('kyb_decisions', false);
create index developers_kyb_lapsing on developers (kyb_expires_at) where kyb_status = 'verified';
-- For admins who look for a developer by how their address begins.
create index developers_by_email on developers (email text_pattern_ops);

-- Under which version of its tenant's data key a value is sealed (crypto/envelope.ts: one byte of format, then four of
-- version). Null where there are too few bytes for that.
create function purser_sealed_under(sealed bytea) returns integer language sql immutable as
$$ select case when octet_length(sealed) >= 5 then
     get_byte(sealed, 1) << 24 | get_byte(sealed, 2) << 16 | get_byte(sealed, 3) << 8 | get_byte(sealed, 4) end $$;

-- Keeps a data key for as long as a value is sealed under it, and out a value whose data key is gone: a rotation may
-- destroy what nobody uses, and no value that is written meanwhile is lost.
create procedure purser_keep_data_key(target regclass, sealed_column text) language plpgsql as $$
begin
  execute format('alter table %s add column %I integer generated always as (purser_sealed_under(%I)) stored', target,
    sealed_column || '_under', sealed_column);
  execute format('alter table %s add foreign key (tenant_id, %I) references tenant_data_keys (tenant_id, version)', target,
    sealed_column || '_under');
end $$;

call purser_keep_data_key('api_keys', 'signing_key_sealed');
call purser_keep_data_key('outbox_messages', 'sealed');
call purser_keep_data_key('project_variables', 'value_sealed');
call purser_keep_data_key('provider_link_secrets', 'pending_sealed');
call purser_keep_data_key('provider_link_secrets', 'access_sealed');
call purser_keep_data_key('service_secrets', 'value_sealed');
call purser_keep_data_key('developer_totp', 'secret_sealed');
call purser_keep_data_key('device_authorizations', 'pair_sealed');
call purser_keep_data_key('provider_key_secrets', 'sealed');
call purser_keep_data_key('admins', 'totp_secret_sealed');

-- Entries in the order in which a chain is gone through, a stretch at a time.
alter table audit_entries
  drop constraint audit_entries_pkey,
  add constraint audit_entries_pkey primary key (tenant_id, chain, audit_id);

-- For whoever forgets what is over.
create index sessions_expired on sessions (expires_at);
create index sessions_revoked on sessions (revoked_at) where revoked_at is not null;
create index email_tokens_expired on email_tokens (expires_at);
