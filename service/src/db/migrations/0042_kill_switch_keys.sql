-- Each key counts for itself in the quota of kill switches. Null for a dashboard session, which has none.
alter table kill_switches add column key_id text;
create index kill_switches_of_key on kill_switches (tenant_id, key_id, created_at) where key_id is not null;
