-- A change of plan starts only when it is known which plan the provider has in place.
alter table service_plan_changes drop column previous_status;

-- A rotation ends when its credential is published. The former credential is retired later, as due work.
drop index operations_resuming;
alter table operations drop column resumes_at;
-- Until when an attempt to retire the former credential can take. Null while there is none.
alter table service_rotations add column retiring_until timestamptz;
