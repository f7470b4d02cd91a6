-- Credentials of services are rotated.

-- A running operation that waits for this time has no workflow until then.
alter table operations add column resumes_at timestamptz;
create index operations_resuming on operations (resumes_at) where resumes_at is not null and status = 'running';

-- While a service is rotating: when its former credential is retired. Null if the former credential is not valid.
alter table services add column credential_previous_valid_until timestamptz;

-- What each rotation was asked for, and what it did.
create table service_rotations (
  tenant_id text not null,
  operation_id text not null,
  service_id text not null,
  reason text not null check (reason in ('scheduled', 'compromised', 'personnel')),
  grace_period_seconds integer not null check (grace_period_seconds between 0 and 86400),
  confirms_downtime boolean not null,
  -- Whether the former credential stays valid for a time. Null until the provider has issued the new one.
  mode text check (mode in ('overlap', 'immediate')),
  -- The version that was published. Null until then.
  credential_version integer,
  -- False if the provider returned the credential that the service had already. Null until it has answered.
  changed boolean,
  primary key (tenant_id, operation_id),
  foreign key (tenant_id, operation_id) references operations (tenant_id, operation_id)
);
call purser_protect('service_rotations', false);

-- The version of a service's credential that each API key has pulled last.
create table credential_pulls (
  tenant_id text not null,
  service_id text not null,
  key_id text not null,
  version integer not null,
  pulled_at timestamptz not null,
  primary key (tenant_id, service_id, key_id)
);
call purser_protect('credential_pulls', false);
