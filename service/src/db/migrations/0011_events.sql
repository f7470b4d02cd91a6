-- The transaction that makes a change writes its event. Events no longer pass through the outbox, which keeps emails.
-- The lock waits for writers and relays of the version before, in the order in which a relay takes these locks.
lock table outbox_messages, events in access exclusive mode;

alter table events
  -- Null for an event that changes nothing of its subject.
  alter column sequence drop not null,
  -- The transaction that wrote the event. Event ids are made before the commit, so a reader that continues after an id
  -- would miss what commits late.
  add column xid xid8 not null default pg_current_xact_id();
create index events_in_order on events (tenant_id, xid, event_id);

-- The number of the last event of each subject. It outlives the events.
create table event_counters (
  tenant_id text not null,
  subject_type text not null,
  subject_id text not null,
  sequence integer not null,
  primary key (tenant_id, subject_type, subject_id)
);
insert into event_counters
  select tenant_id, subject_type, subject_id, max(sequence) from events group by tenant_id, subject_type, subject_id;

-- Processes of the version before put events into the outbox, and go on until they are stopped. Each such message
-- becomes its event instead. The types in the list change nothing of their subject.
create function purser_event_of_message() returns trigger language plpgsql as $$
begin
  with counter as (
    insert into event_counters as counter (tenant_id, subject_type, subject_id, sequence)
      select new.tenant_id, new.payload #>> '{subject,type}', new.payload #>> '{subject,id}', 1
      where new.payload ->> 'type' not in ('env.pulled', 'api_key.auth_failures_spike', 'api_key.grace_ending',
        'provider_key.expiring', 'audit.anchor_mismatch')
      on conflict (tenant_id, subject_type, subject_id) do update set sequence = counter.sequence + 1
      returning sequence
  )
  insert into events (tenant_id, event_id, mode, type, subject_type, subject_id, sequence, data, actor, request_id, occurred_at)
    values (new.tenant_id, new.message_id, new.mode, new.payload ->> 'type', new.payload #>> '{subject,type}',
      new.payload #>> '{subject,id}', (select sequence from counter), new.payload -> 'data', new.payload -> 'actor',
      new.payload ->> 'request_id', new.created_at);
  return null;
end $$;
create trigger event_of_message before insert on outbox_messages
  for each row when (new.topic = 'event') execute function purser_event_of_message();

-- The messages that still wait go through the same trigger. The owner is held by row-level security too, and moves rows
-- of all tenants.
alter table outbox_messages no force row level security;
alter table events no force row level security;
with waiting as (delete from outbox_messages where topic = 'event' returning *)
  insert into outbox_messages (tenant_id, message_id, topic, mode, payload, due_at, created_at)
    select tenant_id, message_id, topic, mode, payload, due_at, created_at from waiting order by tenant_id, message_id;
alter table outbox_messages force row level security;
alter table events force row level security;
call purser_protect('event_counters', false);
