-- Events are purged by their age.
create index events_occurred on events (occurred_at);
