-- Bank accounts that developers link, and who holds them. What is personal about them is in the schema pii.
create table fiat_links (
  tenant_id text not null references developers (tenant_id),
  link_id text not null,
  mode text not null check (mode in ('live', 'test')),
  -- The bank link vendor's token, which starts its pages in a browser.
  token_sealed bytea not null,
  -- The account that is linked again. Null for a new one.
  relinked_account_id text,
  holder_type text not null check (holder_type in ('individual', 'business')),
  verification_method text not null check (verification_method in ('instant', 'micro_deposit')),
  webhook_ref text,
  -- SHA-256 of the public token that was exchanged, the account that it becomes, and the vendor's id of the login.
  public_token_hash text,
  account_id text,
  item_id text,
  -- Set once there is an account.
  used_at timestamptz,
  expires_at timestamptz not null,
  created_at timestamptz not null,
  primary key (tenant_id, link_id)
);
create index fiat_links_open on fiat_links (tenant_id, mode, created_at desc, link_id desc) where used_at is null;
create index fiat_links_expired on fiat_links (expires_at);
call purser_keep_data_key('fiat_links', 'token_sealed');

-- The holder of a developer's bank accounts: one for each mode.
create table fiat_customers (
  tenant_id text not null references developers (tenant_id),
  mode text not null check (mode in ('live', 'test')),
  customer_id text not null,
  holder_type text not null check (holder_type in ('individual', 'business')),
  -- Shows whether another account has the same holder. Keyed, so that names cannot be guessed.
  name_hash text not null,
  -- Whose account at the ramp vendor the holder is a customer of.
  ramp_owner text not null check (ramp_owner in ('developer', 'operator')),
  screening_id text,
  sanctions text not null default 'pending' check (sanctions in ('clear', 'pending', 'hit')),
  kyc_link_id text,
  kyc_status text not null default 'not_started'
    check (kyc_status in ('not_started', 'incomplete', 'under_review', 'approved', 'rejected')),
  has_accepted_terms boolean not null default false,
  kyc_url text,
  terms_url text,
  ramp_customer_id text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, mode)
);
-- Vendors report changes by their own ids alone.
create index fiat_customers_by_screening on fiat_customers (screening_id);
create index fiat_customers_by_kyc_link on fiat_customers (kyc_link_id);

create table fiat_accounts (
  tenant_id text not null references developers (tenant_id),
  account_id text not null,
  mode text not null check (mode in ('live', 'test')),
  item_id text not null,
  vendor_account_id text not null,
  institution_name text,
  name text not null,
  mask text,
  type text not null,
  subtype text not null check (subtype in ('checking', 'savings')),
  currency text not null default 'usd' check (currency = 'usd'),
  country text not null default 'US' check (country = 'US'),
  status text not null
    check (status in ('pending_verification', 'verified', 'relink_required', 'disabled', 'removed')),
  verification_method text not null check (verification_method in ('instant', 'micro_deposit')),
  verification_status text not null check (verification_status in ('pending', 'automatically_verified', 'failed')),
  -- The ramp vendor's id of the account. Null until it is registered there.
  external_account_id text,
  webhook_ref text,
  relink_required_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (tenant_id, account_id)
);
create index fiat_accounts_listed on fiat_accounts (tenant_id, mode, created_at desc, account_id desc)
  where status <> 'removed';
create index fiat_accounts_by_item on fiat_accounts (item_id);

call purser_protect(false, 'fiat_links', 'fiat_customers', 'fiat_accounts');

-- Personal data, with keys of its own. The service's role cannot read the schema: it can only store and forget, by three
-- functions, in the transaction of what it changes. Reading needs the role purser_pii.
--
-- A vault is the part of a developer's data that one data key protects: the developer's id, a dot and the mode.
do $$
begin
  -- Roles belong to the server, so another database may have it already.
  if not exists (select from pg_roles where rolname = 'purser_pii') then create role purser_pii nologin; end if;
end $$;
create schema pii;
create table pii.tenant_data_keys (like tenant_data_keys including all);
create table pii.data_key_wrappings (like data_key_wrappings including all);
create table pii.bank_records (
  tenant_id text not null,
  account_id text not null,
  -- The holder and the numbers of the account. Null before they are known, and once they are destroyed.
  holder_sealed bytea,
  -- The token with which the bank link vendor answers about the account.
  access_token_sealed bytea not null,
  primary key (tenant_id, account_id)
);
set local search_path = pii, public;
call purser_keep_data_key('bank_records', 'holder_sealed');
call purser_keep_data_key('bank_records', 'access_token_sealed');
set local search_path = public;

create function purser_is_own_vault(vault text) returns boolean language sql stable as
$$ select split_part(vault, '.', 1) = split_part(purser_tenant(), '.', 1) $$;

do $$
declare
  target regclass;
begin
  foreach target in array array['pii.tenant_data_keys', 'pii.bank_records']::regclass[] loop
    execute format('alter table %s enable row level security', target);
    execute format('alter table %s force row level security', target);
    execute format('create policy own on %s using (purser_is_own_vault(tenant_id))', target);
  end loop;
end $$;

grant usage on schema pii to purser_pii;
grant select, insert, update, delete on pii.tenant_data_keys, pii.data_key_wrappings to purser_pii;
grant select on pii.bank_records to purser_pii;

create function purser_store_bank_record(vault text, account text, holder bytea, access_token bytea) returns void
  language sql security definer set search_path = pii, public, pg_temp as
$$ insert into pii.bank_records (tenant_id, account_id, holder_sealed, access_token_sealed)
     values (vault, account, holder, access_token)
     on conflict (tenant_id, account_id) do update set
       holder_sealed = excluded.holder_sealed, access_token_sealed = excluded.access_token_sealed $$;

create function purser_forget_holder(vault text, account text) returns void
  language sql security definer set search_path = pii, public, pg_temp as
$$ update pii.bank_records set holder_sealed = null where tenant_id = vault and account_id = account $$;

-- Also destroys the vault's data key with its last record, so that copies of the records cannot be read.
create function purser_forget_bank_record(vault text, account text) returns void
  language plpgsql security definer set search_path = pii, public, pg_temp as $$
begin
  -- The wrappings have no row security.
  if not purser_is_own_vault(vault) then raise exception 'the vault belongs to another tenant'; end if;
  delete from pii.bank_records where tenant_id = vault and account_id = account;
  if not exists (select from pii.bank_records where tenant_id = vault) then
    delete from pii.tenant_data_keys where tenant_id = vault;
    delete from pii.data_key_wrappings where tenant_id = vault;
  end if;
end $$;

revoke execute on function purser_store_bank_record, purser_forget_holder, purser_forget_bank_record from public;
grant execute on function purser_store_bank_record, purser_forget_holder, purser_forget_bank_record to purser_service;
