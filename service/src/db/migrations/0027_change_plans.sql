-- A service can change its plan, at once or at the next turn of the month.

alter table services
  -- The plan that the service changes to at `pending_plan_at`, the start of a month.
  add column pending_plan text,
  add column pending_plan_at timestamptz,
  add constraint pending_plan_has_time check ((pending_plan is null) = (pending_plan_at is null));
-- For the job that carries out what is pending.
create index pending_plans on services (pending_plan_at, tenant_id, service_id) where pending_plan_at is not null;

-- The plan that a charge is for. Null in charges that ended before this migration, or were made by processes of the
-- version before: the plan that the service has. A reserved charge must keep its plan when the service's plan changes.
alter table charges add column plan text;
-- Row-level security also applies to the owner, who updates the rows of all tenants here.
alter table charges no force row level security;
alter table services no force row level security;
update charges set plan = services.plan from services
  where charges.status = 'reserved' and services.tenant_id = charges.tenant_id and services.service_id = charges.service_id;
alter table charges force row level security;
alter table services force row level security;
-- Each service is reserved once a month. A released charge can be replaced by that of another plan.
drop index charge_of_service_month;
create unique index charge_of_service_month on charges (tenant_id, service_id, period_start)
  where type in ('subscription', 'usage') and status <> 'released';

-- What the operations that change plans have been asked to do.
create table service_plan_changes (
  tenant_id text not null,
  operation_id text not null,
  service_id text not null,
  previous_plan text not null,
  plan text not null,
  -- `immediate`: asked for now. `scheduled`: asked for at the next turn of the month. `turn`: carried out at that turn.
  timing text not null check (timing in ('immediate', 'scheduled', 'turn')),
  agent_id uuid,
  -- What the change reserves for the rest of the month. Null if nothing, or if the change has ended.
  charge_id text,
  created_at timestamptz not null,
  primary key (tenant_id, operation_id),
  foreign key (tenant_id, operation_id) references operations (tenant_id, operation_id),
  foreign key (tenant_id, service_id) references services (tenant_id, service_id)
);
create index service_plan_changes_of_service on service_plan_changes (tenant_id, service_id);
call purser_protect('service_plan_changes', false);
