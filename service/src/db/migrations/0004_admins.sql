-- The operators of this service. They are not developers and have a tenant of their own.
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
call purser_keep_data_key('admins', 'totp_secret_sealed');

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

-- What admins decided about a developer's business. If two are needed, the first one's decision waits for the second.
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
create unique index kyb_decision_waiting on kyb_decisions (tenant_id)
  where applied_at is null and superseded_at is null;
create index kyb_decisions_applied on kyb_decisions (tenant_id, applied_at desc) where applied_at is not null;

call purser_protect(true, 'admins', 'admin_challenges', 'admin_sessions');
call purser_protect(false, 'kyb_decisions');
