-- Money requests take less time. A direct spending is committed at once, so the alerts that it causes count it as spent
-- and no longer as held.

-- The start of the period, or of the part of a rolling window, that contains a time. Unlike purser_budget_window, the
-- planner inlines this function and the next one, because each returns one value.
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

create or replace function purser_budget_window(
  period text, at timestamptz, out bucket_start timestamptz, out window_start timestamptz
) language sql stable as $$
  select bucket, bucket - purser_budget_window_length(period) from purser_budget_bucket(period, at) as bucket
$$;

drop function purser_reserve_budgets(text, text, text, text, numeric, timestamptz, timestamptz, jsonb, boolean);

-- Reserves an amount in all given budgets, or in none. `lines` is an array of objects with a budget_id. A line that also
-- has a period creates its budget if it is missing. `at` selects the periods; it differs from the current time
-- `recorded_at` if a missed month is opened. With `is_owed`, the limits are not checked. With `is_final`, the reservation
-- is committed at once. Call it in one transaction with what costs the amount.
--
-- Each query of a volatile function sees what was committed before the query began. The sums are therefore read after
-- the locks are held.
create function purser_reserve_budgets(
  new_reservation_id text, new_mode text, new_cause_type text, new_cause_id text, amount numeric, at timestamptz,
  recorded_at timestamptz, lines jsonb, is_owed boolean, is_final boolean default false
) returns jsonb language plpgsql as $$
declare
  tenant constant text := purser_tenant();
  ids constant text[] := array(select line ->> 'budget_id' from jsonb_array_elements(lines) as line);
  locked text[];
  starts timestamptz[];
  crosses boolean;
  -- The first budget that is not open or is too small.
  refused jsonb;
  alert_sequence integer;
begin
  if lines @? '$[*].period' then
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
  end if;
  perform from budgets where tenant_id = tenant and budget_id = any(ids) order by budget_id collate "C" for no key update;
  select array_agg(state.budget_id), array_agg(state.bucket_start), bool_or(state.crosses),
      (array_agg(to_jsonb(state) order by state.budget_id collate "C") filter (where state.refusal is not null))[1]
    into locked, starts, crosses, refused
    from (
      select budget.budget_id, budget.subject_id, budget.period, budget.limit_micros, bucket_start, counted.used, counted.oldest,
        case
          when budget.opened_period_start < bucket_start then 'not_opened'
          when not is_owed and counted.used + amount > budget.limit_micros then 'refused'
        end as refusal,
        budget.has_alerts and counted.alerted_percent < 100
          and (counted.used + amount) * 100 >= budget.limit_micros * 50 as crosses
      from budgets as budget
      cross join lateral purser_budget_bucket(budget.period, at) as bucket_start
      cross join lateral (
        select coalesce(sum(part.held_micros + part.spent_micros), 0) as used,
          min(part.period_start) filter (where part.held_micros + part.spent_micros > 0) as oldest,
          coalesce(max(part.alerted_percent) filter (where part.period_start = bucket_start), 0) as alerted_percent
        from budget_periods as part
        where part.tenant_id = tenant and part.budget_id = budget.budget_id
          and part.period_start >= bucket_start - purser_budget_window_length(budget.period)
          -- A process whose clock is ahead may have reserved in a later part of a rolling window. It counts too.
          and (part.period_start = bucket_start or budget.period like 'rolling_%')
      ) as counted
      where budget.tenant_id = tenant and budget.budget_id = any(ids)
    ) as state;
  if refused ->> 'refusal' = 'refused' then
    update budgets set blocked_alert_at = recorded_at, event_sequence = event_sequence + 1
      where tenant_id = tenant and budget_id = any(ids) and subject_id = refused ->> 'subject_id' and has_alerts
        and (blocked_alert_at is null or blocked_alert_at <= recorded_at - interval '1 minute')
      returning event_sequence into alert_sequence;
    return jsonb_build_object('outcome', 'refused', 'budgetId', refused ->> 'budget_id',
      'limit', refused ->> 'limit_micros', 'used', refused ->> 'used', 'alertSequence', alert_sequence,
      'resetsAt', purser_budget_resets_at(refused ->> 'period',
        coalesce(case when refused ->> 'period' like 'rolling_%' then refused ->> 'oldest' end,
          refused ->> 'bucket_start')::timestamptz));
  elsif refused is not null or coalesce(cardinality(locked), 0) < cardinality(ids) then
    return jsonb_build_object('outcome', 'not_opened', 'budgetId', refused ->> 'budget_id');
  end if;

  with line as (
    select * from unnest(locked, starts) as line (budget_id, bucket_start)
  ), counting as (
    insert into budget_periods as part (tenant_id, budget_id, period_start, held_micros, spent_micros, changed_at)
    select tenant, line.budget_id, line.bucket_start, case when is_final then 0 else amount end,
      case when is_final then amount else 0 end, recorded_at from line
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
  insert into budget_reservation_lines (tenant_id, budget_id, period_start, reservation_id)
    select tenant, line.budget_id, line.bucket_start, new_reservation_id from line;
  return jsonb_build_object('outcome', 'reserved',
    'alerts', case when crosses then purser_budget_alerts(ids, at) else '[]' end);
end $$;

-- Reserves an amount in budgets and moves tokens. Returns the results of purser_reserve_budgets and purser_ledger_move as
-- `reserved` (null without budgets) and `moved`. Locks the budgets before the accounts. A direct move commits the
-- reservation; after a hold it stays reserved.
--
-- Raises PR001 if the transaction must be rolled back to before the call, with what the caller can return as the detail:
-- if the move is refused, or if a month is not open. With `is_only_statement`, also if the budgets refuse or if there are
-- alerts, because the caller then has to write something else.
create function purser_spend_or_raise(
  spend_mode text, spend_cause_type text, spend_cause_id text, spent_at timestamptz,
  new_reservation_id text, reserved_amount numeric, budget_lines jsonb,
  -- Selects the periods of the budgets.
  reserved_at timestamptz,
  -- `direct` or `hold`.
  move_kind text, new_transfer_id text, move_asset text, move_amount numeric, debit_id text, credit_id text,
  is_only_statement boolean
) returns jsonb language plpgsql as $$
declare
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
create or replace function purser_spend(
  spend_mode text, spend_cause_type text, spend_cause_id text, spent_at timestamptz,
  new_reservation_id text, reserved_amount numeric, budget_lines jsonb, reserved_at timestamptz,
  move_kind text, new_transfer_id text, move_asset text, move_amount numeric, debit_id text, credit_id text
) returns jsonb language plpgsql as $$
declare
  refusal text;
begin
  return purser_spend_or_raise(spend_mode, spend_cause_type, spend_cause_id, spent_at, new_reservation_id,
    reserved_amount, budget_lines, reserved_at, move_kind, new_transfer_id, move_asset, move_amount, debit_id, credit_id,
    false);
exception when sqlstate 'PR001' then
  get stacked diagnostics refusal = pg_exception_detail;
  return refusal;
end $$;
