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
call purser_protect('due_work', false);

drop table api_key_grace_notices;
alter table token_revocations drop column attempts, drop column due_at;
alter table vendor_events drop column attempts, drop column next_attempt_at, drop column processed_at;
