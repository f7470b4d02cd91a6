-- Payments take less time: a process keeps the facts of recent payments, and the functions that reserve and move run fewer
-- statements. Starting a statement takes longer than reading or writing its few rows.

-- A number for each tenant and mode that grows with every change of what purser_read_payment_facts returns, except for
-- what is used of the limits, which are checked when they are reserved, and except for freezes and stops, which are checked when
-- the tokens are moved. Kept facts are valid as long as the number is the same.
create table payment_revisions (
  tenant_id text not null,
  mode text not null,
  revision bigint not null,
  primary key (tenant_id, mode)
);
call purser_protect('payment_revisions', false);

-- A trigger, because a change that is forgotten would let a payment be decided by outdated facts. It runs at the end of the
-- transaction, so that the transaction waits for no other lock while it holds the revision. The number follows the clock, so
-- that none repeats after a failover that has lost a change.
create function purser_raise_payment_revision() returns trigger language plpgsql as $$
declare
  modes text[];
  now_micros constant bigint := extract(epoch from clock_timestamp()) * 1000000;
begin
  -- A developer has both modes.
  if tg_table_name = 'developers' then
    modes := array['live', 'test'];
  else
    modes := array[coalesce(new.mode, old.mode)];
  end if;
  insert into payment_revisions as earlier (tenant_id, mode, revision)
    select coalesce(new.tenant_id, old.tenant_id), unnest(modes), now_micros
    on conflict (tenant_id, mode) do update set revision = greatest(earlier.revision + 1, now_micros);
  return null;
end $$;

create constraint trigger payment_revision after insert or update on policies
  deferrable initially deferred for each row execute function purser_raise_payment_revision();
create constraint trigger payment_revision
  after update of status, expires_at, policy_id, attested_by, attested_until, deleted_at on agents
  deferrable initially deferred for each row execute function purser_raise_payment_revision();
create constraint trigger payment_revision after insert or delete on agent_public_keys
  deferrable initially deferred for each row execute function purser_raise_payment_revision();
create constraint trigger payment_revision after update of kyb_status, kyb_expires_at on developers
  deferrable initially deferred for each row execute function purser_raise_payment_revision();
create constraint trigger payment_revision after insert or update of policy_id on wallets
  deferrable initially deferred for each row execute function purser_raise_payment_revision();
create constraint trigger payment_revision
  after insert or update of agent_ids, status, cap_behavior, policy_id, deleted_at on projects
  deferrable initially deferred for each row execute function purser_raise_payment_revision();

-- Raises PR002 if the facts with which a payment to an address was decided are not current: if the kept facts are outdated,
-- if the address is that of a wallet of the tenant, or if the agent has paid it before and was assumed not to have, or the
-- other way round. The caller then reads the facts.
create function purser_require_payment_facts(
  decided_mode text, known_revision bigint, payer_agent_id uuid, payment_network text,
  -- In lowercase.
  payee text, payee_is_new boolean
) returns void language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  tenant constant text := purser_tenant();
begin
  if known_revision <> coalesce((select revision from payment_revisions where tenant_id = tenant and mode = decided_mode), 0)
    or exists (
      select from wallets
      where tenant_id = tenant and mode = decided_mode and network = payment_network and lower(address) = payee
    )
    or payee_is_new = exists (
      select from paid_payees
      where tenant_id = tenant and mode = decided_mode and agent_id = payer_agent_id and payee_address = payee
    )
  then
    raise exception using errcode = 'PR002', message = 'the facts of the payment are not current';
  end if;
end $$;

-- Reserves an amount in all given budgets, or in none. `lines` is an array of objects with a budget_id. A line that also
-- has a period creates its budget if it is missing. A line's amount_micros replaces the amount, and its max_micros
-- replaces the budget's limit. `at` selects the months; it differs from the current time `recorded_at` if a missed month
-- is opened. With `is_owed`, the limits are not checked. With `is_final`, the reservation
-- is committed at once. Call it in one transaction with what costs the amount.
--
-- Each query of a volatile function sees what was committed before the query began. The sum of a budget is therefore read
-- after its lock is held.
create or replace function purser_reserve_budgets(
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
      select tenant, missing.budget_id, new_mode, missing.subject_type, missing.subject_id, missing.name, missing.period,
        missing.limit_micros
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

-- As before, but a move to a clearing account is made in one statement. All other moves, and all refusals, are those of
-- purser_ledger_move.
create or replace function purser_spend_or_raise(
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
