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
  primary key (tenant_id, audit_id)
);
call purser_protect('audit_entries', false);
call purser_append_only('audit_entries');

-- Entries that the chainer has still to link. The only table of the trail from which rows go away.
create table audit_pending (
  tenant_id text not null,
  audit_id text not null,
  chain text not null,
  primary key (tenant_id, chain, audit_id)
);
call purser_protect('audit_pending', false);

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
call purser_protect('audit_links', false);
call purser_append_only('audit_links');

create table audit_heads (
  tenant_id text not null,
  chain text not null,
  sequence integer not null,
  hash text not null,
  -- How far the chain was anchored, and when: says what is due, and proves nothing.
  anchored_sequence integer not null default 0,
  anchored_at timestamptz,
  primary key (tenant_id, chain)
);
create index audit_heads_unanchored on audit_heads (anchored_at nulls first) where sequence > anchored_sequence;
call purser_protect('audit_heads', false);

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
call purser_protect('audit_checkpoints', false);
call purser_append_only('audit_checkpoints');

create table audit_anchorings (
  tenant_id text not null,
  chain text not null,
  sequence integer not null,
  reference text not null,
  anchored_at timestamptz not null,
  primary key (tenant_id, chain, sequence),
  foreign key (tenant_id, chain, sequence) references audit_checkpoints (tenant_id, chain, sequence)
);
call purser_protect('audit_anchorings', false);
call purser_append_only('audit_anchorings');

create table outbox_messages (
  tenant_id text not null,
  message_id text not null,
  topic text not null,
  mode text not null check (mode in ('live', 'test')),
  payload jsonb not null,
  -- What of the message is secret, sealed under the tenant's data key. Never in the payload.
  sealed bytea,
  attempts integer not null default 0,
  due_at timestamptz not null,
  created_at timestamptz not null,
  last_error text,
  primary key (tenant_id, message_id)
);
create index outbox_due on outbox_messages (due_at);
call purser_protect('outbox_messages', false);

-- What happened, for polling and for webhook endpoints. Relayed here from the outbox, once each.
create table events (
  tenant_id text not null,
  event_id text not null,
  mode text not null check (mode in ('live', 'test')),
  type text not null,
  subject_type text not null,
  subject_id text not null,
  sequence integer not null,
  data jsonb not null,
  actor jsonb not null,
  request_id text,
  occurred_at timestamptz not null,
  primary key (tenant_id, event_id),
  constraint event_sequence unique (tenant_id, subject_type, subject_id, sequence)
);
call purser_protect('events', false);

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
call purser_protect('idempotency_records', false);
