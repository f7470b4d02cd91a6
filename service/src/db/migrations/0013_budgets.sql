-- Permission to spend, in millionths of a US dollar. A budget has a limit for each period, and no money.
create table budgets (
  tenant_id text not null,
  -- Derived from subject and name. Locks are taken in the order of these ids.
  budget_id text not null,
  mode text not null check (mode in ('live', 'test')),
  subject_type text not null,
  subject_id text not null,
  name text not null,
  period text not null check (period in
    ('calendar_day', 'calendar_month', 'rolling_1h', 'rolling_24h', 'rolling_7d', 'rolling_30d')),
  -- Null: there is no limit, and the budget only counts.
  limit_micros numeric(38, 0) check (limit_micros >= 0),
  -- The newest period that was opened, for budgets whose periods must be opened before anything is reserved in them.
  opened_period_start timestamptz,
  -- Whether reaching 50, 80 and 100 percent, and refusals, are events. They are numbered here.
  has_alerts boolean not null default false,
  event_sequence integer not null default 0,
  blocked_alert_at timestamptz,
  primary key (tenant_id, budget_id)
);
-- The tenant is not the first column, so that the planner does not use this index to look up a budget by its id.
create index budgets_of_subject on budgets (subject_id, tenant_id);
create index budgets_to_open on budgets (opened_period_start, tenant_id, budget_id) where opened_period_start is not null;

-- What is held and spent in a calendar period, or in one minute or hour of a rolling window.
create table budget_periods (
  tenant_id text not null,
  budget_id text not null,
  period_start timestamptz not null,
  held_micros numeric(38, 0) not null check (held_micros >= 0),
  spent_micros numeric(38, 0) not null check (spent_micros >= 0),
  -- The highest percentage of the limit that was reported in this period.
  alerted_percent integer not null default 0,
  changed_at timestamptz not null,
  primary key (tenant_id, budget_id, period_start)
);

create table budget_reservations (
  tenant_id text not null,
  reservation_id text not null,
  mode text not null check (mode in ('live', 'test')),
  cause_type text not null,
  cause_id text not null,
  amount_micros numeric(38, 0) not null check (amount_micros >= 0),
  status text not null check (status in ('held', 'committed', 'released')),
  committed_micros numeric(38, 0) check (committed_micros >= 0),
  created_at timestamptz not null,
  settled_at timestamptz,
  primary key (tenant_id, reservation_id),
  constraint committed_has_amount check ((status = 'committed') = (committed_micros is not null))
);

-- The budgets that a reservation draws on, each in one period. Only the functions below write here, so the references are
-- not enforced: each line would lock another row.
create table budget_reservation_lines (
  tenant_id text not null,
  budget_id text not null,
  period_start timestamptz not null,
  reservation_id text not null,
  primary key (budget_id, tenant_id, period_start, reservation_id)
);
create index budget_lines_of_reservation on budget_reservation_lines (reservation_id, tenant_id);

-- The period, or the part of a rolling window, that contains a time, and the first part that counts with it.
create function purser_budget_window(period text, at timestamptz, out bucket_start timestamptz, out window_start timestamptz)
language sql stable as $$
  select bucket, case period
    when 'rolling_1h' then bucket - interval '1 hour'
    when 'rolling_24h' then bucket - interval '24 hours'
    when 'rolling_7d' then bucket - interval '168 hours'
    when 'rolling_30d' then bucket - interval '720 hours'
    else bucket end
  from (select date_trunc(case period
    when 'calendar_month' then 'month'
    when 'calendar_day' then 'day'
    when 'rolling_1h' then 'minute'
    else 'hour' end, at, 'UTC') as bucket) as current
$$;

-- When the next amount leaves a budget: at the end of a calendar period, or when the oldest part leaves the window.
create function purser_budget_resets_at(period text, oldest timestamptz) returns timestamptz language sql stable as $$
  select case period
    when 'calendar_month' then (oldest at time zone 'UTC' + interval '1 month') at time zone 'UTC'
    when 'calendar_day' then oldest + interval '24 hours'
    when 'rolling_1h' then oldest + interval '61 minutes'
    when 'rolling_24h' then oldest + interval '25 hours'
    when 'rolling_7d' then oldest + interval '169 hours'
    else oldest + interval '721 hours' end
$$;

-- Returns an alert for each of 50, 80 and 100 percent of the limit that is reached for the first time in the period. The
-- caller holds the locks of the budgets.
create function purser_budget_alerts(ids text[], at timestamptz) returns jsonb language plpgsql as $$
declare
  reached record;
  crossed integer;
  next_sequence integer;
  alerts jsonb := '[]';
begin
  for reached in
    select budget.budget_id, budget.limit_micros, counted.period_start, counted.held_micros, counted.spent_micros,
      counted.alerted_percent
    from budgets as budget
    join budget_periods as counted on counted.tenant_id = budget.tenant_id and counted.budget_id = budget.budget_id
      and counted.period_start = (purser_budget_window(budget.period, at)).bucket_start
    where budget.tenant_id = purser_tenant() and budget.budget_id = any(ids) and budget.has_alerts
      and budget.limit_micros is not null
  loop
    foreach crossed in array array[50, 80, 100] loop
      continue when crossed <= reached.alerted_percent or reached.held_micros + reached.spent_micros = 0
        or (reached.held_micros + reached.spent_micros) * 100 < reached.limit_micros * crossed;
      update budgets set event_sequence = event_sequence + 1
        where tenant_id = purser_tenant() and budget_id = reached.budget_id returning event_sequence into next_sequence;
      update budget_periods set alerted_percent = crossed
        where tenant_id = purser_tenant() and budget_id = reached.budget_id and period_start = reached.period_start;
      alerts := alerts || jsonb_build_object('budgetId', reached.budget_id, 'percent', crossed, 'sequence', next_sequence,
        'limit', reached.limit_micros::text, 'held', reached.held_micros::text, 'spent', reached.spent_micros::text,
        'periodStart', reached.period_start);
    end loop;
  end loop;
  return alerts;
end $$;

-- Reserves an amount in all given budgets, or in none. `lines` is an array of objects with a budget_id. A line that also
-- has a period creates its budget if it is missing. `at` selects the periods; it differs from the current time
-- `recorded_at` if a missed month is opened. With `is_owed`, the limits are not checked. Call it in one transaction
-- with what costs the amount.
--
-- Each query of a volatile function sees what was committed before the query began. The sums are therefore read after
-- the locks are held.
create function purser_reserve_budgets(
  new_reservation_id text, new_mode text, new_cause_type text, new_cause_id text, amount numeric, at timestamptz,
  recorded_at timestamptz, lines jsonb, is_owed boolean
) returns jsonb language plpgsql as $$
declare
  tenant constant text := purser_tenant();
  ids constant text[] := array(select line ->> 'budget_id' from jsonb_array_elements(lines) as line);
  budget record;
  counted record;
  bounds record;
  locked text[] := '{}';
  starts timestamptz[] := '{}';
  crosses boolean := false;
  alert_sequence integer;
begin
  insert into budgets (tenant_id, budget_id, mode, subject_type, subject_id, name, period, limit_micros)
    select tenant, line.budget_id, new_mode, line.subject_type, line.subject_id, line.name, line.period, line.limit_micros
    from jsonb_to_recordset(lines)
      as line (budget_id text, subject_type text, subject_id text, name text, period text, limit_micros numeric)
    where line.period is not null
    order by line.budget_id collate "C"
    on conflict do nothing;
  if found then
    insert into money_checks (tenant_id, checked_at) values (tenant, 'epoch') on conflict do nothing;
  end if;
  for budget in
    select * from budgets where tenant_id = tenant and budget_id = any(ids)
    order by budget_id collate "C" for no key update
  loop
    locked := locked || budget.budget_id;
    bounds := purser_budget_window(budget.period, at);
    starts := starts || bounds.bucket_start;
    -- The start of the window is a parameter of this query, so that the index skips older periods.
    select coalesce(sum(part.held_micros + part.spent_micros), 0) as used,
        min(part.period_start) filter (where part.held_micros + part.spent_micros > 0) as oldest,
        coalesce(max(part.alerted_percent) filter (where part.period_start = bounds.bucket_start), 0) as alerted_percent
      into strict counted
      from budget_periods as part
      where part.tenant_id = tenant and part.budget_id = budget.budget_id and part.period_start >= bounds.window_start
        -- A process whose clock is ahead may have reserved in a later part of a rolling window. It counts too.
        and (part.period_start = bounds.bucket_start or budget.period like 'rolling_%');
    if budget.opened_period_start < bounds.bucket_start then
      return jsonb_build_object('outcome', 'not_opened', 'budgetId', budget.budget_id);
    end if;
    if not is_owed and counted.used + amount > budget.limit_micros then
      update budgets set blocked_alert_at = recorded_at, event_sequence = event_sequence + 1
        where tenant_id = tenant and budget_id = any(ids) and subject_id = budget.subject_id and has_alerts
          and (blocked_alert_at is null or blocked_alert_at <= recorded_at - interval '1 minute')
        returning event_sequence into alert_sequence;
      return jsonb_build_object('outcome', 'refused', 'budgetId', budget.budget_id, 'limit', budget.limit_micros::text,
        'used', counted.used::text, 'alertSequence', alert_sequence,
        'resetsAt', purser_budget_resets_at(budget.period, case when budget.period like 'calendar_%'
          then bounds.bucket_start else coalesce(counted.oldest, bounds.bucket_start) end));
    end if;
    crosses := crosses or (budget.has_alerts and counted.alerted_percent < 100
      and (counted.used + amount) * 100 >= budget.limit_micros * 50);
  end loop;
  if cardinality(locked) < cardinality(ids) then
    return jsonb_build_object('outcome', 'not_opened', 'budgetId', null);
  end if;

  with line as (
    select * from unnest(locked, starts) as line (budget_id, bucket_start)
  ), counting as (
    insert into budget_periods as part (tenant_id, budget_id, period_start, held_micros, spent_micros, changed_at)
    select tenant, line.budget_id, line.bucket_start, amount, 0, recorded_at from line
    on conflict (tenant_id, budget_id, period_start)
      do update set held_micros = part.held_micros + excluded.held_micros, changed_at = excluded.changed_at
  ), reserving as (
    insert into budget_reservations (tenant_id, reservation_id, mode, cause_type, cause_id, amount_micros, status, created_at)
    values (tenant, new_reservation_id, new_mode, new_cause_type, new_cause_id, amount, 'held', recorded_at)
  )
  insert into budget_reservation_lines (tenant_id, budget_id, period_start, reservation_id)
    select tenant, line.budget_id, line.bucket_start, new_reservation_id from line;
  return jsonb_build_object('outcome', 'reserved',
    'alerts', case when crosses then purser_budget_alerts(ids, at) else '[]' end);
end $$;

-- Commits a reservation at `amount`, or releases it if `amount` is null. Does nothing if it was settled before. An amount
-- above the reserved one is counted although it may exceed the limit.
create function purser_settle_reservation(settled_reservation_id text, amount numeric, at timestamptz)
returns jsonb language plpgsql as $$
declare
  tenant constant text := purser_tenant();
  reservation budget_reservations;
  ids text[];
begin
  select * into reservation from budget_reservations
    where tenant_id = tenant and reservation_id = settled_reservation_id for update;
  if reservation.status is distinct from 'held' then
    return jsonb_build_object('outcome', 'not_held');
  end if;
  ids := array(select budget_id from budget_reservation_lines
    where tenant_id = tenant and reservation_id = settled_reservation_id);
  perform from budgets where tenant_id = tenant and budget_id = any(ids) order by budget_id collate "C" for no key update;
  update budget_periods as part
    set held_micros = part.held_micros - reservation.amount_micros,
      spent_micros = part.spent_micros + coalesce(amount, 0), changed_at = at
    from budget_reservation_lines as line
    where line.tenant_id = tenant and line.reservation_id = settled_reservation_id
      and part.tenant_id = tenant and part.budget_id = line.budget_id and part.period_start = line.period_start;
  update budget_reservations set status = case when amount is null then 'released' else 'committed' end,
      committed_micros = amount, settled_at = at
    where tenant_id = tenant and reservation_id = settled_reservation_id;
  return jsonb_build_object('outcome', 'settled', 'alerts', case when amount > reservation.amount_micros
    then purser_budget_alerts(ids, (select min(period_start) from budget_reservation_lines
      where tenant_id = tenant and reservation_id = settled_reservation_id)) else '[]' end);
end $$;

-- Changes the limits of those of the given budgets that exist. `lines` is an array of objects with budget_id and
-- limit_micros. Returns the alerts that lower limits cause.
create function purser_set_budget_limits(lines jsonb, at timestamptz) returns jsonb language plpgsql as $$
declare
  tenant constant text := purser_tenant();
  ids constant text[] := array(select line ->> 'budget_id' from jsonb_array_elements(lines) as line);
begin
  perform from budgets where tenant_id = tenant and budget_id = any(ids) order by budget_id collate "C" for no key update;
  update budgets set limit_micros = line.limit_micros
    from jsonb_to_recordset(lines) as line (budget_id text, limit_micros numeric)
    where tenant_id = tenant and budgets.budget_id = line.budget_id;
  return purser_budget_alerts(ids, at);
end $$;

-- A charge is one service's cost in one month, or until the service was removed.
alter table charges
  add column billed_by text not null default 'vendor' check (billed_by in ('vendor', 'purser')),
  add column estimated boolean not null default false,
  add column period_start timestamptz,
  add column period_end timestamptz,
  add column reservation_id text;

-- Row-level security also applies to the owner, who updates the rows of all tenants here. A price was `pending` after its
-- service was active. It now stays `reserved` until its month ends.
alter table charges no force row level security;
update charges set
  status = case when status = 'pending' then 'reserved' else status end,
  period_start = date_trunc('month', occurred_at, 'UTC'),
  period_end = (date_trunc('month', occurred_at at time zone 'UTC') + interval '1 month') at time zone 'UTC',
  reservation_id = case when status in ('reserved', 'pending', 'succeeded', 'disputed') and amount_cents >= 0
    then 'rsv_' || substr(charge_id, 4) end;
alter table charges force row level security;
alter table charges alter column period_start set not null, alter column period_end set not null;

insert into budgets (tenant_id, budget_id, mode, subject_type, subject_id, name, period, limit_micros,
    opened_period_start, has_alerts)
  select projects.tenant_id, 'project_cap:' || projects.project_id, projects.mode, 'project_cap', projects.project_id, '',
    'calendar_month', projects.monthly_cap_cents * 10000,
    case when projects.deleted_at is null then charged.newest else 'infinity' end, true
  from projects join (
    select tenant_id, project_id, max(period_start) as newest from charges
    where reservation_id is not null group by tenant_id, project_id
  ) as charged on charged.tenant_id = projects.tenant_id and charged.project_id = projects.project_id;
insert into budgets (tenant_id, budget_id, mode, subject_type, subject_id, name, period, limit_micros)
  select distinct projects.tenant_id, 'provider_cap:' || projects.project_id || ':' || charges.provider, projects.mode,
    'provider_cap', projects.project_id, charges.provider, 'calendar_month',
    (projects.provider_caps ->> charges.provider)::numeric * 10000
  from charges join projects on projects.tenant_id = charges.tenant_id and projects.project_id = charges.project_id
  where charges.reservation_id is not null;
insert into budget_reservations (tenant_id, reservation_id, mode, cause_type, cause_id, amount_micros, status,
    committed_micros, created_at, settled_at)
  select tenant_id, reservation_id, mode, 'charge', charge_id, amount_cents * 10000,
    case status when 'reserved' then 'held' else 'committed' end,
    case when status <> 'reserved' then amount_cents * 10000 end, occurred_at,
    case when status <> 'reserved' then occurred_at end
  from charges where reservation_id is not null;
insert into budget_reservation_lines (tenant_id, budget_id, period_start, reservation_id)
  select tenant_id, budget_id, period_start, reservation_id from charges
  cross join lateral (values ('project_cap:' || project_id), ('provider_cap:' || project_id || ':' || provider))
    as line (budget_id)
  where reservation_id is not null;
insert into budget_periods (tenant_id, budget_id, period_start, held_micros, spent_micros, changed_at)
  select line.tenant_id, line.budget_id, line.period_start,
    coalesce(sum(reservation.amount_micros) filter (where reservation.status = 'held'), 0),
    coalesce(sum(reservation.committed_micros), 0), max(reservation.created_at)
  from budget_reservation_lines as line join budget_reservations as reservation
    on reservation.tenant_id = line.tenant_id and reservation.reservation_id = line.reservation_id
  group by line.tenant_id, line.budget_id, line.period_start;

call purser_protect('budgets', false);
call purser_protect('budget_periods', false);
call purser_protect('budget_reservations', false);
call purser_protect('budget_reservation_lines', false);

create index charges_of_month on charges (tenant_id, project_id, period_start, occurred_at desc, charge_id desc);
-- Each service is reserved once a month.
create unique index charge_of_service_month on charges (tenant_id, service_id, period_start)
  where type in ('subscription', 'usage');
-- For the job that settles charges whose time is over.
create index charges_to_settle on charges (period_end, tenant_id, charge_id) where status = 'reserved';

-- Processes of the version before do not use budgets, and continue until they are stopped. They check the caps themselves, under
-- the lock of the project. The following triggers count what they reserve and release. They cause no alerts, because
-- those processes would not write the events: the next reservation reports what was reached. A later migration drops them.
create function purser_charge_of_version_before() returns trigger language plpgsql as $$
declare
  ids constant text[] := array['project_cap:' || new.project_id, 'provider_cap:' || new.project_id || ':' || new.provider];
begin
  if tg_op = 'INSERT' then
    new.period_start := date_trunc('month', new.occurred_at, 'UTC');
    new.period_end := (new.period_start at time zone 'UTC' + interval '1 month') at time zone 'UTC';
    new.reservation_id := 'rsv_' || substr(new.charge_id, 4);
    insert into budgets (tenant_id, budget_id, mode, subject_type, subject_id, name, period, limit_micros,
        opened_period_start, has_alerts)
      select tenant_id, line.budget_id, mode, line.subject_type, project_id, line.name, 'calendar_month',
        line.limit_cents * 10000, line.opened_period_start, line.has_alerts
      from projects cross join lateral (values
        (ids[1], 'project_cap', '', monthly_cap_cents, new.period_start, true),
        (ids[2], 'provider_cap', new.provider, (provider_caps ->> new.provider)::numeric, null, false)
      ) as line (budget_id, subject_type, name, limit_cents, opened_period_start, has_alerts)
      where tenant_id = new.tenant_id and project_id = new.project_id
      on conflict do nothing;
    insert into money_checks (tenant_id, checked_at) values (new.tenant_id, 'epoch') on conflict do nothing;
    perform from budgets where tenant_id = new.tenant_id and budget_id = any(ids)
      order by budget_id collate "C" for no key update;
    insert into budget_reservations (tenant_id, reservation_id, mode, cause_type, cause_id, amount_micros, status, created_at)
      values (new.tenant_id, new.reservation_id, new.mode, 'charge', new.charge_id, new.amount_cents * 10000, 'held',
        new.occurred_at);
    insert into budget_reservation_lines (tenant_id, budget_id, period_start, reservation_id)
      select new.tenant_id, id, new.period_start, new.reservation_id from unnest(ids) as id;
    insert into budget_periods as part (tenant_id, budget_id, period_start, held_micros, spent_micros, changed_at)
      select new.tenant_id, id, new.period_start, new.amount_cents * 10000, 0, new.occurred_at from unnest(ids) as id
      on conflict (tenant_id, budget_id, period_start)
        do update set held_micros = part.held_micros + excluded.held_micros, changed_at = excluded.changed_at;
  elsif new.status = 'pending' then
    new.status := 'reserved';
  -- This version settles the reservation before it releases the charge.
  elsif exists (select from budget_reservations
    where tenant_id = new.tenant_id and reservation_id = new.reservation_id and status = 'held') then
    if exists (select from services where tenant_id = new.tenant_id and service_id = new.service_id
      and status = 'removing' and provider_resource_id is not null) then
      -- The job that settles charges whose time is over settles it.
      new.status := 'reserved';
      new.period_end := least(new.period_end, now());
    else
      perform purser_settle_reservation(new.reservation_id, null, now());
    end if;
  end if;
  return new;
end $$;
create trigger charge_of_version_before before insert on charges
  for each row when (new.period_start is null) execute function purser_charge_of_version_before();
create trigger change_of_version_before before update on charges
  for each row when (old.status = 'reserved' and new.status in ('pending', 'released'))
  execute function purser_charge_of_version_before();

create function purser_caps_of_project() returns trigger language plpgsql as $$
begin
  perform from budgets where tenant_id = new.tenant_id and subject_id = new.project_id
    order by budget_id collate "C" for no key update;
  update budgets set
      limit_micros = case subject_type
        when 'project_cap' then new.monthly_cap_cents
        else (new.provider_caps ->> name)::numeric end * 10000,
      opened_period_start = case when new.deleted_at is null or opened_period_start is null then opened_period_start
        else 'infinity' end
    where tenant_id = new.tenant_id and subject_id = new.project_id and subject_type in ('project_cap', 'provider_cap');
  return null;
end $$;
create trigger caps_of_project after update on projects
  for each row when (
    old.monthly_cap_cents is distinct from new.monthly_cap_cents or old.provider_caps is distinct from new.provider_caps
    or old.deleted_at is distinct from new.deleted_at)
  execute function purser_caps_of_project();

-- The hourly check compares the budgets of every tenant that has one with their reservations.
alter table money_checks no force row level security;
insert into money_checks (tenant_id, checked_at) select distinct tenant_id, 'epoch'::timestamptz from budgets
  on conflict do nothing;
alter table money_checks force row level security;
