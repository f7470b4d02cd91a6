-- What developers send about their business, for its verification. The queue of admins needs the time without the case.
create table kyb_cases (
  tenant_id text primary key references developers (tenant_id),
  details_sealed bytea not null
);
call purser_keep_data_key('kyb_cases', 'details_sealed');
call purser_protect(true, 'kyb_cases');
alter table developers add column kyb_submitted_at timestamptz;

alter table operations
  -- The vendor step that could not be undone. Null if nothing was being undone.
  add column stuck_step text,
  -- The vendor steps that an operator has undone by hand. If there is one, the operation can only be undone.
  add column undone_by_hand text[] not null default '{}';
create index operations_needing_operator on operations (operation_id) where status = 'needs_operator';
create index operations_by_id on operations (operation_id);

create index audit_entries_of_admins on audit_entries (audit_id) where actor ->> 'type' = 'admin';
create index events_of_anchor_mismatches on events (occurred_at) where type = 'audit.anchor_mismatch';
create index wallets_of_any_tenant_by_address on wallets (lower(address));
