-- What developers send about their business, for its verification. The queue of admins needs the time without the case.
create table kyb_cases (
  tenant_id text primary key references developers (tenant_id),
  details_sealed bytea not null
);
call purser_keep_data_key('kyb_cases', 'details_sealed');
call purser_protect(true, 'kyb_cases');
alter table developers add column kyb_submitted_at timestamptz;
