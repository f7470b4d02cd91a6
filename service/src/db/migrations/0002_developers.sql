create table developers (
  tenant_id text primary key,
  email text not null,
  name text,
  company_name text,
  website text,
  country text,
  timezone text not null default 'UTC',
  billing_email text,
  notification_preferences jsonb not null default '{}',
  status text not null check (status in ('pending_verification', 'active', 'suspended', 'closed')),
  email_verified_at timestamptz,
  registered_at timestamptz,
  accepted_terms_version text,
  kyb_status text not null default 'unverified'
    check (kyb_status in ('unverified', 'pending', 'verified', 'rejected', 'revoked', 'expired')),
  kyb_verified_at timestamptz,
  kyb_expires_at timestamptz,
  kyb_reference text,
  proven_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index developers_kyb_lapsing on developers (kyb_expires_at) where kyb_status = 'verified';
-- Admins search for developers by the start of the address.
create unique index developers_by_email on developers (email text_pattern_ops);

create table developer_passwords (
  tenant_id text primary key references developers (tenant_id),
  hash text not null,
  updated_at timestamptz not null
);

-- Signups for an address that is not verified yet, numbered per account. The link of one makes it the account's own.
create table account_claims (
  tenant_id text not null references developers (tenant_id),
  claim_number integer not null,
  password_hash text not null,
  name text,
  company_name text,
  country text,
  accepted_terms_version text,
  created_at timestamptz not null,
  primary key (tenant_id, claim_number)
);

-- Emailed tokens, by hash. They are used without another credential.
create table email_tokens (
  token_hash text primary key,
  tenant_id text not null,
  purpose text not null check (purpose in ('verify_email', 'reset_password', 'revoke_keys')),
  email text not null,
  claim_number integer,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null
);
create index email_tokens_by_tenant on email_tokens (tenant_id, purpose);
create index email_tokens_expired on email_tokens (expires_at);

-- A session is a family of refresh tokens: each use rotates the token, and a reuse ends the session.
create table sessions (
  tenant_id text not null references developers (tenant_id),
  session_id text not null,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  revoke_reason text,
  network text,
  user_agent text,
  primary key (tenant_id, session_id)
);
create index sessions_expired on sessions (expires_at);
create index sessions_revoked on sessions (revoked_at) where revoked_at is not null;

-- Refresh tokens, by hash. A client whose answer to a refresh was lost may use the old token again
-- (docs/rules/logins.md).
create table refresh_tokens (
  token_hash text primary key,
  tenant_id text not null,
  session_id text not null,
  issued_at timestamptz not null,
  rotated_at timestamptz,
  replaces_hash text,
  -- When the token was first used: for a refresh, or the access token issued with it for a request. A token that is
  -- rotated but was never used was replaced by another successor.
  used_at timestamptz,
  foreign key (tenant_id, session_id) references sessions (tenant_id, session_id)
);
create index refresh_tokens_by_session on refresh_tokens (tenant_id, session_id);

-- Identities at providers, with which developers log in. A developer has at most one of each provider. The subject is
-- the provider's id of the person, never an address or a name.
create table developer_identities (
  tenant_id text not null references developers (tenant_id),
  provider text not null check (provider in ('github', 'google')),
  subject text not null,
  email text not null,
  linked_at timestamptz not null,
  last_used_at timestamptz not null,
  primary key (tenant_id, provider),
  unique (provider, subject)
);

-- Logins at a provider that have begun. The browser has the other half. The PKCE verifier and the nonce are derived
-- from both halves and are not stored.
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

create table developer_totp (
  tenant_id text primary key references developers (tenant_id),
  secret_sealed bytea not null,
  -- Null until a first code was correct.
  confirmed_at timestamptz,
  -- The newest step whose code was accepted, because each code is accepted once.
  last_step bigint not null default 0,
  created_at timestamptz not null
);
call purser_keep_data_key('developer_totp', 'secret_sealed');

create table developer_recovery_codes (
  tenant_id text not null references developers (tenant_id),
  code_hash text not null,
  used_at timestamptz,
  created_at timestamptz not null,
  primary key (tenant_id, code_hash)
);

-- Logins whose first factor was correct and that wait for the second.
create table mfa_challenges (
  token_hash text primary key,
  tenant_id text not null,
  method text not null check (method in ('password', 'github', 'google')),
  -- The identity at that provider that is linked when the second factor was correct.
  new_subject text,
  attempts integer not null default 0,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null
);
create index mfa_challenges_by_tenant on mfa_challenges (tenant_id);
create index mfa_challenges_expired on mfa_challenges (expires_at);

grant select, insert, update, delete on email_tokens, refresh_tokens, login_states, mfa_challenges to purser_service;
call purser_protect(true, 'developer_passwords', 'account_claims', 'developer_totp', 'developer_recovery_codes');
call purser_protect(false, 'developers', 'sessions', 'developer_identities');
