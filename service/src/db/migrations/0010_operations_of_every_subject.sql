-- An operation is about a subject of any kind, of a project or of none. Its types are those of the sagas, and no list here.
alter table operations
  drop constraint operations_type_check,
  drop constraint operations_status_check,
  alter column project_id drop not null,
  add column subject_type text,
  add column subject_id text;
alter table operations add constraint operations_status_check
  check (status in ('running', 'requires_approval', 'succeeded', 'failed', 'compensated', 'needs_operator'));

-- Processes of the version before name no subject, and go on until they are stopped.
create function purser_operation_subject() returns trigger language plpgsql as $$
begin
  if new.subject_id is null then
    new.subject_type := case when new.service_id is null then 'project' else 'service' end;
    new.subject_id := coalesce(new.service_id, new.project_id);
  end if;
  return new;
end $$;
create trigger operation_subject before insert on operations
  for each row execute function purser_operation_subject();

-- The owner is held by the walls of each tenant too, and updates rows of all.
alter table operations no force row level security;
update operations set
  subject_type = case when service_id is null then 'project' else 'service' end,
  subject_id = coalesce(service_id, project_id);
alter table operations force row level security;
alter table operations alter column subject_type set not null, alter column subject_id set not null;

drop index operations_of_service;
create index operations_of_subject on operations (tenant_id, subject_id, created_at desc);
