-- The price of a service is agreed when it gets its plan. A provider can change its catalog at any time.

alter table services
  -- The expected monthly cost of metered use. Zero unless it is higher than the price.
  add column preauthorization_cents numeric(20, 0) not null default 0 check (preauthorization_cents >= 0),
  -- Null in services without charges of before this migration, and in those that processes of the version before add until
  -- they are stopped: the biller in the catalog.
  add column billed_by text check (billed_by in ('vendor', 'purser'));
-- Row-level security also applies to the owner, who updates the rows of all tenants here.
alter table charges no force row level security;
alter table services no force row level security;
-- A charge says `vendor` also if the plan had left the catalog, so one that says `purser` decides.
update services set billed_by = charged.biller, preauthorization_cents = charged.cents
  from (
    select charges.tenant_id, charges.service_id, min(charges.billed_by) as biller,
        coalesce(max(charges.amount_cents) filter (
          where charges.type = 'usage' and charges.status = 'reserved' and charges.amount_cents > priced.price_cents
        ), 0) as cents
      from charges join services as priced using (tenant_id, service_id)
      where coalesce(charges.plan, priced.plan) = priced.plan
      group by 1, 2
  ) as charged
  where services.tenant_id = charged.tenant_id and services.service_id = charged.service_id;
alter table charges force row level security;
alter table services force row level security;

alter table service_plan_changes
  -- The price of the new plan when the change was requested. Null in changes that the version before has requested: the
  -- price in the catalog.
  add column price_cents numeric(20, 0) check (price_cents >= 0),
  add column preauthorization_cents numeric(20, 0) check (preauthorization_cents >= 0),
  add column billed_by text check (billed_by in ('vendor', 'purser')),
  add constraint price_is_complete check (num_nulls(price_cents, preauthorization_cents, billed_by) in (0, 3)),
  -- `updating`: before the change, an operator had to decide about an earlier change, so it was not
  -- known which plan the provider has in place.
  add column previous_status text not null default 'active' check (previous_status in ('active', 'updating'));
