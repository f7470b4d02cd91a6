-- The tenant whose rows the running transaction may write. No tenant: no rows.
create function purser_tenant() returns text language sql stable as
$$ select nullif(current_setting('purser.tenant_id', true), '') $$;

-- Puts the two walls around a table: everybody's writes are held to the tenant of the transaction, and where the table
-- holds secrets the reads are too. Forced, so that not even the owner's connection walks around them.
create procedure purser_protect(target regclass, holds_secrets boolean) language plpgsql as $$
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format('create policy reads on %s for select using (%s)', target,
    case when holds_secrets then 'tenant_id = purser_tenant()' else 'true' end);
  execute format('create policy inserts on %s for insert with check (tenant_id = purser_tenant())', target);
  execute format('create policy updates on %s for update using (tenant_id = purser_tenant()) with check (tenant_id = purser_tenant())', target);
  execute format('create policy deletes on %s for delete using (tenant_id = purser_tenant())', target);
  execute format('grant select, insert, update, delete on %s to purser_service', target);
end $$;

-- Makes a table append-only: the service may not even ask, and everybody else, the owner too, is refused by a trigger. A
-- trigger may refuse, never decide.
create function purser_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

create procedure purser_append_only(target regclass) language plpgsql as $$
begin
  execute format('revoke update, delete on %s from purser_service', target);
  execute format('create trigger append_only before update or delete on %s for each row execute function purser_refuse_change()', target);
  execute format('create trigger append_only_truncate before truncate on %s for each statement execute function purser_refuse_change()', target);
end $$;

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
  created_at timestamptz not null,
  updated_at timestamptz not null
);
call purser_protect('developers', false);

-- Global look-up: which tenant has this address. Small, and of no tenant, since whoever signs in has none yet.
create table developer_emails (
  email text primary key,
  tenant_id text not null
);
grant select, insert, update, delete on developer_emails to purser_service;

create table developer_passwords (
  tenant_id text primary key references developers (tenant_id),
  hash text not null,
  updated_at timestamptz not null
);
call purser_protect('developer_passwords', true);

-- Data keys, wrapped by the key encryption key, which never stands in this database.
create table tenant_data_keys (
  tenant_id text not null,
  version integer not null,
  key_encryption_key_id text not null,
  wrapped bytea not null,
  created_at timestamptz not null,
  primary key (tenant_id, version)
);
call purser_protect('tenant_data_keys', true);

-- Global look-up: mailed tokens, by hash. They come back without any other credential.
create table email_tokens (
  token_hash text primary key,
  tenant_id text not null,
  purpose text not null check (purpose in ('verify_email')),
  email text not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  created_at timestamptz not null
);
create index email_tokens_by_tenant on email_tokens (tenant_id, purpose);
grant select, insert, update, delete on email_tokens to purser_service;

-- A session is one family of refresh tokens: each use rotates the token, and a reuse ends the family.
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
call purser_protect('sessions', false);

-- Global look-up: refresh tokens, by hash.
create table refresh_tokens (
  token_hash text primary key,
  tenant_id text not null,
  session_id text not null,
  issued_at timestamptz not null,
  rotated_at timestamptz,
  foreign key (tenant_id, session_id) references sessions (tenant_id, session_id)
);
create index refresh_tokens_by_session on refresh_tokens (tenant_id, session_id);
grant select, insert, update, delete on refresh_tokens to purser_service;

create table api_keys (
  tenant_id text not null references developers (tenant_id),
  key_id text not null,
  mode text not null check (mode in ('live', 'test')),
  name text not null,
  key_hash text not null,
  key_hint text not null,
  signature_alg text not null check (signature_alg in ('hmac-sha256', 'ed25519')),
  -- The signing key is the hash of the secret, and whoever reads it can sign: sealed under the tenant's data key.
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
  revoked_at timestamptz,
  revoke_reason text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, key_id),
  constraint api_key_signs_one_way check ((signing_key_sealed is null) <> (public_key is null))
);
call purser_protect('api_keys', true);

-- Global look-up: which tenant's key has this hash. The twelve-character prefix is everybody's.
create table api_key_lookups (
  key_hash text primary key,
  tenant_id text not null,
  key_id text not null
);
grant select, insert, delete on api_key_lookups to purser_service;
