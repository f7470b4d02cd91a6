-- Events that vendors reported by webhook. Whose object it is becomes known when the object is read, so they belong to no
-- tenant. Their content is not stored: it may be old, and it can contain secrets.
create table vendor_events (
  vendor text not null,
  mode text not null check (mode in ('live', 'test')),
  -- The vendor's id. The same event can arrive several times.
  event_id text not null,
  type text not null,
  object_type text not null,
  object_id text not null,
  received_at timestamptz not null,
  next_attempt_at timestamptz not null,
  attempts integer not null default 0,
  -- Null until the object was read from the vendor after the event had arrived.
  processed_at timestamptz,
  primary key (vendor, mode, event_id)
);
create index vendor_events_due on vendor_events (next_attempt_at, vendor, mode, object_type, object_id)
  where processed_at is null;
create index vendor_events_of_object on vendor_events (vendor, mode, object_type, object_id) where processed_at is null;
create index vendor_events_received on vendor_events (received_at);
grant select, insert, update, delete on vendor_events to purser_service;
