-- What the columns hold is described at their types in `db/schema`, and here only what the types cannot say.

-- The tenant of the transaction, the only one whose rows it can write. Null: it can write none.
create function purser_tenant() returns text language sql stable as
$$ select nullif(current_setting('purser.tenant_id', true), '') $$;

-- Limits writes to the rows of the transaction's tenant, and reads too if the tables contain secrets. Forced, so that
-- it applies to the owner of the database too.
create procedure purser_protect(holds_secrets boolean, variadic targets regclass[]) language plpgsql as $$
declare
  target regclass;
begin
  foreach target in array targets loop
    execute format('alter table %s enable row level security', target);
    execute format('alter table %s force row level security', target);
    execute format('create policy reads on %s for select using (%s)', target,
      case when holds_secrets then 'tenant_id = purser_tenant()' else 'true' end);
    execute format('create policy inserts on %s for insert with check (tenant_id = purser_tenant())', target);
    execute format('create policy updates on %s for update using (tenant_id = purser_tenant())'
      ' with check (tenant_id = purser_tenant())', target);
    execute format('create policy deletes on %s for delete using (tenant_id = purser_tenant())', target);
    execute format('grant select, insert, update, delete on %s to purser_service', target);
  end loop;
end $$;

-- Makes a table append-only: the service lacks the privileges, and a trigger refuses everyone else.
create function purser_refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

create procedure purser_append_only(target regclass) language plpgsql as $$
begin
  execute format('revoke update, delete on %s from purser_service', target);
  execute format('create trigger append_only before update or delete on %s'
    ' for each row execute function purser_refuse_change()', target);
  execute format('create trigger append_only_truncate before truncate on %s'
    ' for each statement execute function purser_refuse_change()', target);
end $$;

-- Data keys, encrypted with a key encryption key, which is not in the database.
create table tenant_data_keys (
  tenant_id text not null,
  version integer not null,
  key_encryption_key_id text not null,
  wrapped bytea not null,
  created_at timestamptz not null,
  primary key (tenant_id, version)
);

-- The key encryption key of each data key, for rotations, which look for the data keys of all tenants.
create table data_key_wrappings (
  tenant_id text not null,
  version integer not null,
  key_encryption_key_id text not null,
  -- Whether the tenant has a newer data key. This one is deleted when no value is encrypted with it.
  superseded boolean not null default false,
  created_at timestamptz not null,
  primary key (tenant_id, version)
);
create index data_key_wrappings_by_key on data_key_wrappings (key_encryption_key_id, tenant_id, version);
create index data_key_wrappings_by_age on data_key_wrappings (created_at) where not superseded;
create index data_key_wrappings_superseded on data_key_wrappings (tenant_id) where superseded;

-- The version of the data key that a value is encrypted with (crypto/envelope.ts: one byte of format, then four of
-- version). Null if the value is shorter.
create function purser_sealed_under(sealed bytea) returns integer language sql immutable as
$$ select case when octet_length(sealed) >= 5 then
     get_byte(sealed, 1) << 24 | get_byte(sealed, 2) << 16 | get_byte(sealed, 3) << 8 | get_byte(sealed, 4) end $$;

-- Prevents the deletion of a data key with which a value of this column is encrypted.
create procedure purser_keep_data_key(target regclass, sealed_column text) language plpgsql as $$
begin
  execute format('alter table %s add column %I integer generated always as (purser_sealed_under(%I)) stored', target,
    sealed_column || '_under', sealed_column);
  execute format('alter table %s add foreign key (tenant_id, %I) references tenant_data_keys (tenant_id, version)',
    target, sealed_column || '_under');
end $$;

create table audit_entries (
  tenant_id text not null,
  audit_id text not null,
  chain text not null check (chain in ('tenant', 'provider_keys')),
  mode text not null check (mode in ('live', 'test')),
  actor jsonb not null,
  action text not null,
  subject jsonb not null,
  facts jsonb not null,
  request_id text,
  occurred_at timestamptz not null,
  -- In the order in which a chain is read.
  primary key (tenant_id, chain, audit_id)
);

-- Entries that are not linked yet. The only table of the audit trail whose rows are deleted.
create table audit_pending (
  tenant_id text not null,
  audit_id text not null,
  chain text not null,
  primary key (tenant_id, chain, audit_id)
);

create table audit_links (
  tenant_id text not null,
  chain text not null,
  sequence integer not null,
  audit_id text not null,
  prev_hash text not null,
  hash text not null,
  primary key (tenant_id, chain, sequence),
  constraint audit_link_once unique (tenant_id, chain, audit_id),
  constraint audit_link_no_fork unique (tenant_id, chain, prev_hash)
);

create table audit_heads (
  tenant_id text not null,
  chain text not null,
  sequence integer not null,
  hash text not null,
  -- How far the chain was anchored, and when. Shows what is due, but proves nothing.
  anchored_sequence integer not null default 0,
  anchored_at timestamptz,
  primary key (tenant_id, chain)
);
-- Chains are anchored in the order of their tenants, so that chains that cannot be anchored do not keep others waiting.
create index audit_heads_unanchored on audit_heads (tenant_id, chain) where sequence > anchored_sequence;

create table audit_checkpoints (
  tenant_id text not null,
  chain text not null,
  sequence integer not null,
  head_hash text not null,
  checkpointed_at timestamptz not null,
  prev_checkpoint_hash text not null,
  checkpoint_hash text not null,
  key_id text not null,
  signature text not null,
  primary key (tenant_id, chain, sequence)
);

create table audit_anchorings (
  tenant_id text not null,
  chain text not null,
  sequence integer not null,
  reference text not null,
  anchored_at timestamptz not null,
  primary key (tenant_id, chain, sequence),
  foreign key (tenant_id, chain, sequence) references audit_checkpoints (tenant_id, chain, sequence)
);

create table outbox_messages (
  tenant_id text not null,
  message_id text not null,
  topic text not null,
  mode text not null check (mode in ('live', 'test')),
  payload jsonb not null,
  -- The encrypted secrets of the message. They are never in the payload.
  sealed bytea,
  attempts integer not null default 0,
  due_at timestamptz not null,
  created_at timestamptz not null,
  last_error text,
  primary key (tenant_id, message_id)
);
create index outbox_due on outbox_messages (due_at);
call purser_keep_data_key('outbox_messages', 'sealed');

-- What happened. Written by the transaction that makes the change.
create table events (
  tenant_id text not null,
  event_id text not null,
  mode text not null check (mode in ('live', 'test')),
  type text not null,
  subject_type text not null,
  subject_id text not null,
  sequence integer,
  data jsonb not null,
  actor jsonb not null,
  request_id text,
  occurred_at timestamptz not null,
  -- The transaction that wrote the event. Event ids are made before the commit, so a reader that continues after an id
  -- would miss what commits late.
  xid xid8 not null default pg_current_xact_id(),
  primary key (tenant_id, event_id),
  constraint event_sequence unique (tenant_id, subject_type, subject_id, sequence)
);
create index events_occurred on events (occurred_at);
create index events_in_order on events (tenant_id, xid, event_id);

-- The number of the last event of each subject. It outlives the events.
create table event_counters (
  tenant_id text not null,
  subject_type text not null,
  subject_id text not null,
  sequence integer not null,
  primary key (tenant_id, subject_type, subject_id)
);

create table idempotency_records (
  tenant_id text not null,
  mode text not null,
  method text not null,
  route text not null,
  idempotency_key uuid not null,
  fingerprint text not null,
  state text not null check (state in ('in_flight', 'stored', 'secret_issued')),
  lease_expires_at timestamptz not null,
  answer_status integer,
  answer_body text,
  agent_ids text[] not null default '{}',
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (tenant_id, mode, method, route, idempotency_key),
  constraint stored_has_answer check (state <> 'stored' or answer_status is not null)
);
create index idempotency_expired on idempotency_records (expires_at);

-- What is accepted once, until it expires: the signatures of requests that move money, and external tokens about agents.
create table request_signatures (
  tenant_id text not null,
  signature_hash text not null,
  -- The key of the first request with this signature. Null if that request had none.
  idempotency_key uuid,
  expires_at timestamptz not null,
  primary key (tenant_id, signature_hash)
);
create index request_signatures_expired on request_signatures (expires_at);

-- Claims the idempotency key and the signature of a request that moves money; each of them can be null. Waits for
-- another transaction that has claimed the same key or signature. Every statement sees what that transaction has
-- committed.
--
-- The outcome is `new`; or `taken`, with the record of the first request that had the key; or `replayed`, if the
-- signature was used before with another key or none. After `replayed` the caller must roll back. If a request was
-- rolled back, its signature is stored without a record, and the same key is `new` again: at most one request of a key
-- has an effect.
create function purser_claim_money_request(
  claim_tenant_id text, claim_mode text, claim_method text, claim_route text, claim_key uuid, claim_fingerprint text,
  claim_agent_ids text[], claim_expires_at timestamptz, claim_signature_hash text,
  claim_signature_expires_at timestamptz, claimed_at timestamptz
) returns jsonb language plpgsql as $$
declare
  stored jsonb;
begin
  if claim_key is not null then
    insert into idempotency_records as earlier (tenant_id, mode, method, route, idempotency_key, fingerprint, state,
        lease_expires_at, agent_ids, created_at, expires_at)
      values (claim_tenant_id, claim_mode, claim_method, claim_route, claim_key, claim_fingerprint, 'in_flight',
        claimed_at, claim_agent_ids, claimed_at, claim_expires_at)
      on conflict (tenant_id, mode, method, route, idempotency_key) do update set
        fingerprint = excluded.fingerprint, state = excluded.state, lease_expires_at = excluded.lease_expires_at,
        answer_status = null, answer_body = null, agent_ids = excluded.agent_ids, created_at = excluded.created_at,
        expires_at = excluded.expires_at
      where earlier.expires_at <= claimed_at;
    if not found then
      select jsonb_build_object('fingerprint', fingerprint, 'agentIds', agent_ids, 'state', state,
          'answerStatus', answer_status, 'answerBody', answer_body)
        into strict stored from idempotency_records
        where tenant_id = claim_tenant_id and mode = claim_mode and method = claim_method and route = claim_route
          and idempotency_key = claim_key;
    end if;
  end if;
  if claim_signature_hash is not null then
    insert into request_signatures (tenant_id, signature_hash, idempotency_key, expires_at)
      values (claim_tenant_id, claim_signature_hash, claim_key, claim_signature_expires_at)
      on conflict do nothing;
    if not found and not exists (
      select from request_signatures
        where tenant_id = claim_tenant_id and signature_hash = claim_signature_hash and idempotency_key = claim_key
    ) then
      return jsonb_build_object('outcome', 'replayed');
    end if;
  end if;
  return jsonb_build_object('outcome', case when stored is null then 'new' else 'taken' end, 'record', stored);
end $$;

-- The processes that run workflows. The workflows of one whose lease has expired are taken over.
create table workflow_executors (
  executor_id text primary key,
  lease_expires_at timestamptz not null
);

-- Events that vendors reported by webhook. Whose object it is becomes known when the object is read, so they belong to
-- no tenant. Their content is not stored: it may be old, and it can contain secrets.
create table vendor_events (
  vendor text not null,
  mode text not null check (mode in ('live', 'test')),
  -- The vendor's id. The same event can arrive several times.
  event_id text not null,
  type text not null,
  object_type text not null,
  object_id text not null,
  received_at timestamptz not null,
  primary key (vendor, mode, event_id)
);
create index vendor_events_received on vendor_events (received_at);

-- Work that is to be done at a time. An item is written in the transaction that creates the need for it.
create table due_work (
  tenant_id text not null,
  kind text not null,
  subject text not null,
  -- When it is to be tried next. A process that tries it moves this time forward first.
  due_at timestamptz not null,
  -- The time for which it was scheduled.
  first_due_at timestamptz not null,
  attempts integer not null default 0,
  primary key (tenant_id, kind, subject)
);
create index due_work_due on due_work (kind, due_at);

grant select, insert, update, delete on data_key_wrappings, workflow_executors, vendor_events to purser_service;
call purser_protect(true, 'tenant_data_keys');
call purser_protect(false, 'audit_entries', 'audit_pending', 'audit_links', 'audit_heads', 'audit_checkpoints',
  'audit_anchorings', 'outbox_messages', 'events', 'event_counters', 'idempotency_records', 'request_signatures',
  'due_work');
call purser_append_only('audit_entries');
call purser_append_only('audit_links');
call purser_append_only('audit_checkpoints');
call purser_append_only('audit_anchorings');
