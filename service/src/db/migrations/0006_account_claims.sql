-- When one person has shown both the mailbox and a way into the account. Null: whoever set the password may be another
-- person than the owner of the address.
alter table developers add column proven_at timestamptz;

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

-- The claim that a verification link belongs to.
alter table email_tokens add column claim_number integer;
alter table email_tokens drop constraint email_tokens_purpose_check;
alter table email_tokens add constraint email_tokens_purpose_check
  check (purpose in ('verify_email', 'reset_password', 'revoke_keys'));

-- Row-level security is off only for the statements that read and change every tenant's rows.
alter table developers no force row level security;
alter table developer_passwords no force row level security;

-- The one signup of an account that is not verified becomes its first claim, and keeps its links.
insert into account_claims
    (tenant_id, claim_number, password_hash, name, company_name, country, accepted_terms_version, created_at)
  select tenant_id, 1, hash, name, company_name, country, accepted_terms_version, created_at
  from developers join developer_passwords using (tenant_id)
  where email_verified_at is null;
update email_tokens set claim_number = 1
  where purpose = 'verify_email' and tenant_id in (select tenant_id from account_claims);

-- An account without a password was made by a provider that had verified its address. One with a password is unproven.
update developers set proven_at = email_verified_at
  where email_verified_at is not null and tenant_id in (select tenant_id from developer_identities)
    and tenant_id not in (select tenant_id from developer_passwords);

alter table developers force row level security;
alter table developer_passwords force row level security;
call purser_protect('account_claims', true);
