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
create index budgets_to_open on budgets (opened_period_start, tenant_id, budget_id)
  where opened_period_start is not null;

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
-- Finds what is held for a service without cost, which has no charge.
create index budget_reservations_of_service on budget_reservations (cause_id, tenant_id)
  where cause_type = 'service' and status = 'held';

-- The budgets that a reservation draws on, each in one period. Only the functions below write here, so the references
-- are not enforced: each line would lock another row.
create table budget_reservation_lines (
  tenant_id text not null,
  budget_id text not null,
  period_start timestamptz not null,
  reservation_id text not null,
  amount_micros numeric(38, 0) check (amount_micros >= 0),
  primary key (budget_id, tenant_id, period_start, reservation_id)
);
create index budget_lines_of_reservation on budget_reservation_lines (reservation_id, tenant_id);

-- The start of the period, or of the part of a rolling window, that contains a time. The planner inlines this function
-- and the next one, because each returns one value.
create function purser_budget_bucket(period text, at timestamptz) returns timestamptz language sql stable as $$
  select date_trunc(case period
    when 'calendar_month' then 'month'
    when 'calendar_day' then 'day'
    when 'rolling_1h' then 'minute'
    else 'hour' end, at, 'UTC')
$$;

-- How long before its newest part a rolling window begins. Zero for a calendar period.
create function purser_budget_window_length(period text) returns interval language sql immutable as $$
  select case period
    when 'rolling_1h' then interval '1 hour'
    when 'rolling_24h' then interval '24 hours'
    when 'rolling_7d' then interval '168 hours'
    when 'rolling_30d' then interval '720 hours'
    else interval '0' end
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

-- Returns an alert for each of 50, 80 and 100 percent of the limit that is reached for the first time in the period.
-- The caller holds the locks of the budgets.
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
      and counted.period_start = purser_budget_bucket(budget.period, at)
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
      alerts := alerts || jsonb_build_object('budgetId', reached.budget_id, 'percent', crossed,
        'sequence', next_sequence, 'limit', reached.limit_micros::text, 'held', reached.held_micros::text,
        'spent', reached.spent_micros::text, 'periodStart', reached.period_start);
    end loop;
  end loop;
  return alerts;
end $$;

-- Reserves an amount in all given budgets, or in none. `lines` is an array of objects with a budget_id. A line that
-- also has a period creates its budget if it is missing. A line's amount_micros replaces the amount, and its max_micros
-- replaces the budget's limit. `at` selects the months; it differs from the current time `recorded_at` if a missed
-- month is opened. With `is_owed`, the limits are not checked. With `is_final`, the reservation is committed at once.
-- Call it in one transaction with what costs the amount.
--
-- Each query of a volatile function sees what was committed before the query began. The sum of a budget is therefore
-- read after its lock is held.
create function purser_reserve_budgets(
  new_reservation_id text, new_mode text, new_cause_type text, new_cause_id text, amount numeric, at timestamptz,
  recorded_at timestamptz, lines jsonb, is_owed boolean, is_final boolean default false
) returns jsonb language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  tenant constant text := purser_tenant();
  ids constant text[] := array(select line ->> 'budget_id' from jsonb_array_elements(lines) as line);
  budget record;
  line jsonb;
  bucket_start timestamptz;
  maximum numeric;
  needed numeric;
  counted record;
  locked text[];
  starts timestamptz[];
  -- What is counted in each budget, and the lines' own amounts.
  needs numeric[];
  own_amounts numeric[];
  crosses boolean := false;
  alert_sequence integer;
begin
  if lines @? '$[*].period' then
    insert into budgets (tenant_id, budget_id, mode, subject_type, subject_id, name, period, limit_micros)
      select tenant, missing.budget_id, new_mode, missing.subject_type, missing.subject_id, missing.name,
        missing.period, missing.limit_micros
      from jsonb_to_recordset(lines)
        as missing (budget_id text, subject_type text, subject_id text, name text, period text, limit_micros numeric)
      where missing.period is not null
      order by missing.budget_id collate "C"
      on conflict do nothing;
    if found then
      insert into money_checks (tenant_id, checked_at) values (tenant, 'epoch') on conflict do nothing;
    end if;
  end if;

  for budget in
    select budget_id, subject_id, period, limit_micros, opened_period_start, has_alerts from budgets
      where tenant_id = tenant and budget_id = any(ids)
      order by budget_id collate "C" for no key update
  loop
    line := lines -> array_position(ids, budget.budget_id) - 1;
    maximum := coalesce((line ->> 'max_micros')::numeric, budget.limit_micros);
    needed := coalesce((line ->> 'amount_micros')::numeric, amount);
    bucket_start := purser_budget_bucket(budget.period,
      case when budget.period = 'calendar_month' then at else recorded_at end);
    if budget.opened_period_start < bucket_start then
      return jsonb_build_object('outcome', 'not_opened', 'budgetId', budget.budget_id);
    end if;
    select coalesce(sum(held_micros + spent_micros), 0) as used,
        min(period_start) filter (where held_micros + spent_micros > 0) as oldest,
        coalesce(max(alerted_percent) filter (where period_start = bucket_start), 0) as alerted_percent
      into counted
      from budget_periods
      where tenant_id = tenant and budget_id = budget.budget_id
        and period_start >= bucket_start - purser_budget_window_length(budget.period)
        -- A process whose clock is ahead may have reserved in a later part of a rolling window. It counts too.
        and (period_start = bucket_start or budget.period like 'rolling_%');
    if not is_owed and counted.used + needed > maximum then
      update budgets set blocked_alert_at = recorded_at, event_sequence = event_sequence + 1
        where tenant_id = tenant and budget_id = any(ids) and subject_id = budget.subject_id and has_alerts
          and (blocked_alert_at is null or blocked_alert_at <= recorded_at - interval '1 minute')
        returning event_sequence into alert_sequence;
      return jsonb_build_object('outcome', 'refused', 'budgetId', budget.budget_id,
        'limit', maximum::text, 'used', counted.used::text, 'alertSequence', alert_sequence,
        'resetsAt', purser_budget_resets_at(budget.period,
          coalesce(case when budget.period like 'rolling_%' then counted.oldest end, bucket_start)));
    end if;
    crosses := crosses or coalesce(budget.has_alerts and counted.alerted_percent < 100
      and (counted.used + needed) * 100 >= budget.limit_micros * 50, false);
    locked := locked || budget.budget_id;
    starts := starts || bucket_start;
    needs := needs || needed;
    own_amounts := own_amounts || (line ->> 'amount_micros')::numeric;
  end loop;
  if coalesce(cardinality(locked), 0) < cardinality(ids) then
    return jsonb_build_object('outcome', 'not_opened', 'budgetId', null);
  end if;

  with line as (
    select * from unnest(locked, starts, needs, own_amounts) as line (budget_id, bucket_start, counted, own_amount)
  ), counting as (
    insert into budget_periods as part (tenant_id, budget_id, period_start, held_micros, spent_micros, changed_at)
    select tenant, line.budget_id, line.bucket_start, case when is_final then 0 else line.counted end,
      case when is_final then line.counted else 0 end, recorded_at from line
    on conflict (tenant_id, budget_id, period_start)
      do update set held_micros = part.held_micros + excluded.held_micros,
        spent_micros = part.spent_micros + excluded.spent_micros, changed_at = excluded.changed_at
  ), reserving as (
    insert into budget_reservations (tenant_id, reservation_id, mode, cause_type, cause_id, amount_micros, status,
      committed_micros, created_at, settled_at)
    values (tenant, new_reservation_id, new_mode, new_cause_type, new_cause_id, amount,
      case when is_final then 'committed' else 'held' end, case when is_final then amount end, recorded_at,
      case when is_final then recorded_at end)
  )
  insert into budget_reservation_lines (tenant_id, budget_id, period_start, reservation_id, amount_micros)
    select tenant, line.budget_id, line.bucket_start, new_reservation_id, line.own_amount from line;
  return jsonb_build_object('outcome', 'reserved',
    'alerts', case when crosses then purser_budget_alerts(ids, at) else '[]' end);
end $$;

-- Commits a reservation at `amount`, or releases it if `amount` is null. Does nothing if it was settled before. An
-- amount above the reserved one is counted although it may exceed the limit. A line with its own amount is committed at
-- that.
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
  perform from budgets where tenant_id = tenant and budget_id = any(ids)
    order by budget_id collate "C" for no key update;
  update budget_periods as part
    set held_micros = part.held_micros - coalesce(line.amount_micros, reservation.amount_micros),
      spent_micros = part.spent_micros + case when amount is null then 0 else coalesce(line.amount_micros, amount) end,
      changed_at = at
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

-- Lowers what a committed reservation counts in one budget, because a part of the amount was paid back. Does nothing
-- unless the reservation was counted in the period of the budget that contains `at`. Returns whether it was.
create function purser_refund_reservation(
  refunded_reservation_id text, refunded_budget_id text, amount numeric, at timestamptz
) returns boolean language plpgsql as $$
declare
  tenant constant text := purser_tenant();
  current_start timestamptz;
begin
  select purser_budget_bucket(period, at) into current_start from budgets
    where tenant_id = tenant and budget_id = refunded_budget_id for no key update;
  update budget_reservation_lines as line
    set amount_micros = coalesce(line.amount_micros, reservation.committed_micros) - amount
    from budget_reservations as reservation
    where reservation.tenant_id = tenant and reservation.reservation_id = refunded_reservation_id
      and reservation.status = 'committed'
      and line.tenant_id = tenant and line.reservation_id = refunded_reservation_id
      and line.budget_id = refunded_budget_id and line.period_start = current_start;
  if not found then return false; end if;
  update budget_periods set spent_micros = spent_micros - amount, changed_at = at
    where tenant_id = tenant and budget_id = refunded_budget_id and period_start = current_start;
  return true;
end $$;

-- Changes the limits of those of the given budgets that exist. `lines` is an array of objects with budget_id and
-- limit_micros. Returns the alerts that lower limits cause.
create function purser_set_budget_limits(lines jsonb, at timestamptz) returns jsonb language plpgsql as $$
declare
  tenant constant text := purser_tenant();
  ids constant text[] := array(select line ->> 'budget_id' from jsonb_array_elements(lines) as line);
begin
  perform from budgets where tenant_id = tenant and budget_id = any(ids)
    order by budget_id collate "C" for no key update;
  update budgets set limit_micros = line.limit_micros
    from jsonb_to_recordset(lines) as line (budget_id text, limit_micros numeric)
    where tenant_id = tenant and budgets.budget_id = line.budget_id;
  return purser_budget_alerts(ids, at);
end $$;

-- Reserves an amount in budgets and moves tokens. Returns the results of purser_reserve_budgets and purser_ledger_move
-- as `reserved` (null without budgets) and `moved`. Locks the budgets before the accounts. A direct move commits the
-- reservation; after a hold it stays reserved.
--
-- Raises PR001 if the transaction must be rolled back to before the call, with what the caller can return as the
-- detail: if the move is refused, or if a month is not open. With `is_only_statement`, also if the budgets refuse or if
-- there are alerts, because the caller then has to write something else.
--
-- A move to a clearing account is made in one statement. All other moves, and all refusals, are those of
-- purser_ledger_move.
create function purser_spend_or_raise(
  spend_mode text, spend_cause_type text, spend_cause_id text, spent_at timestamptz,
  new_reservation_id text, reserved_amount numeric, budget_lines jsonb,
  -- Selects the periods of the budgets.
  reserved_at timestamptz,
  -- `direct` or `hold`.
  move_kind text, new_transfer_id text, move_asset text, move_amount numeric, debit_id text, credit_id text,
  is_only_statement boolean
) returns jsonb language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  tenant constant text := purser_tenant();
  reserved jsonb;
  moved record;
  result jsonb;
begin
  if budget_lines <> '[]' then
    reserved := purser_reserve_budgets(new_reservation_id, spend_mode, spend_cause_type, spend_cause_id,
      reserved_amount, reserved_at, spent_at, budget_lines, false, move_kind = 'direct');
    result := jsonb_build_object('reserved', reserved);
    if reserved ->> 'outcome' = 'not_opened' or (is_only_statement and reserved -> 'alerts' is distinct from '[]') then
      raise exception using errcode = 'PR001', detail = result;
    elsif reserved ->> 'outcome' = 'refused' then
      return result;
    end if;
  end if;

  -- If the row is locked, the conditions are checked again after the lock was waited for.
  with debit as (
    update ledger_accounts set
        posted = posted - case move_kind when 'direct' then move_amount else 0 end,
        held = held + case move_kind when 'hold' then move_amount else 0 end
      where tenant_id = tenant and account_id = debit_id and kind in ('wallet', 'bank', 'in_transit')
        and mode = spend_mode and asset = move_asset and frozen is null and not stopped
        and move_amount >= 1 and move_amount = trunc(move_amount) and move_amount <= posted - held
        and exists (
          select from ledger_accounts
          where tenant_id = tenant and account_id = credit_id and kind in ('external', 'faucet', 'fees')
            and mode = spend_mode and asset = move_asset
        )
      returning account_id
  )
  insert into ledger_transfers (tenant_id, transfer_id, mode, asset, debit_account_id, credit_account_id, amount, kind,
      cause_type, cause_id, created_at)
    select tenant, new_transfer_id, spend_mode, move_asset, account_id, credit_id, move_amount, move_kind,
      spend_cause_type, spend_cause_id, spent_at
    from debit;
  if found then
    return jsonb_build_object('reserved', reserved, 'moved', '{"outcome": "done", "available": null}'::jsonb);
  end if;
  moved := purser_ledger_move(move_kind, new_transfer_id, spend_mode, move_asset, move_amount,
    debit_id, credit_id, null, false, spend_cause_type, spend_cause_id, spent_at);
  result := jsonb_build_object('reserved', reserved, 'moved', jsonb_build_object('outcome', moved.outcome,
    'refusedAccountId', moved.refused_account_id, 'available', moved.available::text));
  if moved.outcome <> 'done' then
    raise exception using errcode = 'PR001', detail = result;
  end if;
  return result;
end $$;

-- Like purser_spend_or_raise, but returns a refusal, which has changed nothing except the time of the last alert. If a
-- month is not open, the exception block releases the locks of the budgets, because the caller must lock the project
-- before them.
create function purser_spend(
  spend_mode text, spend_cause_type text, spend_cause_id text, spent_at timestamptz,
  new_reservation_id text, reserved_amount numeric, budget_lines jsonb, reserved_at timestamptz,
  move_kind text, new_transfer_id text, move_asset text, move_amount numeric, debit_id text, credit_id text
) returns jsonb language plpgsql as $$
declare
  refusal text;
begin
  return purser_spend_or_raise(spend_mode, spend_cause_type, spend_cause_id, spent_at, new_reservation_id,
    reserved_amount, budget_lines, reserved_at, move_kind, new_transfer_id, move_asset, move_amount, debit_id,
    credit_id, false);
exception when sqlstate 'PR001' then
  get stacked diagnostics refusal = pg_exception_detail;
  return refusal;
end $$;

call purser_protect(false, 'budgets', 'budget_periods', 'budget_reservations', 'budget_reservation_lines');
