-- Policies limit what agents spend. A limit is a budget whose maximum is in the policy, not in the budget's row, and one
-- that limits the number of operations counts one unit for each.

-- What is counted in the budget. Null: the amount of the reservation.
alter table budget_reservation_lines add column amount_micros numeric(38, 0) check (amount_micros >= 0);

-- Finds what is held for a service without cost, which has no charge.
create index budget_reservations_of_service on budget_reservations (cause_id, tenant_id)
  where cause_type = 'service' and status = 'held';

-- Reserves an amount in all given budgets, or in none. `lines` is an array of objects with a budget_id. A line that also
-- has a period creates its budget if it is missing. A line's amount_micros replaces the amount, and its max_micros
-- replaces the budget's limit. `at` selects the months; it differs from the current time `recorded_at` if a missed month
-- is opened. With `is_owed`, the limits are not checked. With `is_final`, the reservation
-- is committed at once. Call it in one transaction with what costs the amount.
--
-- Each query of a volatile function sees what was committed before the query began. The sums are therefore read after
-- the locks are held.
create or replace function purser_reserve_budgets(
  new_reservation_id text, new_mode text, new_cause_type text, new_cause_id text, amount numeric, at timestamptz,
  recorded_at timestamptz, lines jsonb, is_owed boolean, is_final boolean default false
) returns jsonb language plpgsql as $$
declare
  tenant constant text := purser_tenant();
  ids constant text[] := array(select line ->> 'budget_id' from jsonb_array_elements(lines) as line);
  locked text[];
  starts timestamptz[];
  amounts numeric[];
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
  select array_agg(state.budget_id), array_agg(state.bucket_start), array_agg(state.amount_micros), bool_or(state.crosses),
      (array_agg(to_jsonb(state) order by state.budget_id collate "C") filter (where state.refusal is not null))[1]
    into locked, starts, amounts, crosses, refused
    from (
      select budget.budget_id, budget.subject_id, budget.period, limits.limit_micros, line.amount_micros, bucket_start,
        counted.used, counted.oldest,
        case
          when budget.opened_period_start < bucket_start then 'not_opened'
          when not is_owed and counted.used + limits.amount_micros > limits.limit_micros then 'refused'
        end as refusal,
        budget.has_alerts and counted.alerted_percent < 100
          and (counted.used + limits.amount_micros) * 100 >= budget.limit_micros * 50 as crosses
      from jsonb_to_recordset(lines) as line (budget_id text, amount_micros numeric, max_micros numeric)
      join budgets as budget on budget.tenant_id = tenant and budget.budget_id = line.budget_id
      cross join lateral (
        select coalesce(line.max_micros, budget.limit_micros) as limit_micros,
          coalesce(line.amount_micros, amount) as amount_micros
      ) as limits
      cross join lateral purser_budget_bucket(budget.period,
        case when budget.period = 'calendar_month' then at else recorded_at end) as bucket_start
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
    select budget_id, bucket_start, own_amount, coalesce(own_amount, amount) as counted
    from unnest(locked, starts, amounts) as line (budget_id, bucket_start, own_amount)
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

-- Commits a reservation at `amount`, or releases it if `amount` is null. Does nothing if it was settled before. An amount
-- above the reserved one is counted although it may exceed the limit. A line with its own amount is committed at that.
create or replace function purser_settle_reservation(settled_reservation_id text, amount numeric, at timestamptz)
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

-- Grows whenever a change can alter the decision about a spending. Zero before the first change.
create function purser_policy_revision(decided_mode text) returns bigint language plpgsql stable as $$
begin
  return coalesce((
    select revision from policy_revisions where tenant_id = purser_tenant() and mode = decided_mode
  ), 0);
end $$;

-- What a decision about an agent's operation needs, as one object. Null if the agent does not exist. Without a wallet or a
-- project, these are null.
create function purser_decision_facts(
  decided_mode text, decided_agent_id uuid, decided_wallet_id text, decided_project_id text, decided_at timestamptz
) returns jsonb language plpgsql stable as $$
declare
  tenant constant text := purser_tenant();
begin
  return (
    with chain as (
      -- The agent and its ancestors.
      select member.*, link.depth
      from agents as agent
      cross join unnest(array_prepend(agent.agent_id, agent.ancestor_ids)) with ordinality as link (agent_id, depth)
      join agents as member
        on member.tenant_id = tenant and member.mode = decided_mode and member.agent_id = link.agent_id
      where agent.tenant_id = tenant and agent.mode = decided_mode and agent.agent_id = decided_agent_id
        and agent.deleted_at is null
    ), project as (
      select policy_id from projects where tenant_id = tenant and project_id = decided_project_id
    ), policy as (
      select policy.*, array(
          select chain.agent_id from chain
          where chain.agent_id::text = any(policy.agent_ids) or chain.policy_id = policy.policy_id
        ) as members,
        coalesce(decided_wallet_id = any(policy.wallet_ids), false)
          or coalesce(decided_project_id = any(policy.project_ids), false)
          or policy.policy_id in (select project.policy_id from project) as names_subject
      from policies as policy
      where policy.tenant_id = tenant and policy.mode = decided_mode and policy.deleted_at is null
    ), applied as (
      -- The size is that of the stored, compressed rules. 256 KiB are the most that is decided.
      select *, sum(pg_column_size(rules)) over () > 262144 as is_too_large
      from policy where is_starter or names_subject or members <> '{}'
    ), used as (
      select budget.budget_id, sum(part.held_micros + part.spent_micros) as amount,
        purser_budget_resets_at(budget.period,
          min(part.period_start) filter (where part.held_micros + part.spent_micros > 0)) as resets_at
      from budgets as budget
      cross join lateral purser_budget_bucket(budget.period, decided_at) as bucket_start
      join budget_periods as part on part.tenant_id = tenant and part.budget_id = budget.budget_id
        and part.period_start >= bucket_start - purser_budget_window_length(budget.period)
        and (part.period_start = bucket_start or budget.period like 'rolling_%')
      where budget.tenant_id = tenant and budget.subject_type in ('agent_rule', 'policy_rule')
        and budget.subject_id in (select agent_id::text from chain union all select policy_id from applied)
        -- The name begins with the id of the policy. An agent keeps the budgets of earlier policies.
        and split_part(budget.name, ':', 1) in (select policy_id from applied)
      group by budget.budget_id, budget.period
    )
    select jsonb_build_object(
      'members', jsonb_agg(jsonb_build_object('agentId', chain.agent_id, 'status', chain.status,
        'expiresAt', chain.expires_at, 'isDeleted', chain.deleted_at is not null) order by chain.depth),
      'kyb', (select jsonb_build_object('status', kyb_status, 'expiresAt', kyb_expires_at)
        from developers where tenant_id = tenant),
      'hasProvenKey', exists (select from agent_public_keys
        where tenant_id = tenant and mode = decided_mode and agent_id = decided_agent_id),
      'attestedBy', min(chain.attested_by) filter (where chain.depth = 1),
      'attestedUntil', min(chain.attested_until) filter (where chain.depth = 1),
      'isTooLarge', (select coalesce(bool_or(is_too_large), false) from applied),
      'policies', (select coalesce(jsonb_agg(jsonb_build_object('policyId', policy_id, 'version', version,
        'isStarter', is_starter, 'members', members, 'namesSubject', names_subject,
        'rules', rules::text, 'approvals', approvals::text) order by policy_id collate "C"), '[]')
        from applied where not is_too_large),
      'used', (select coalesce(jsonb_object_agg(budget_id, jsonb_build_object('amount', amount::text, 'resetsAt', resets_at)), '{}')
        from used),
      'revision', purser_policy_revision(decided_mode)::text
    ) from chain having count(*) > 0
  );
end $$;

drop function purser_spend(text, text, text, timestamptz, text, numeric, jsonb, timestamptz, text, text, text, numeric,
  text, text);
drop function purser_spend_or_raise(text, text, text, timestamptz, text, numeric, jsonb, timestamptz, text, text, text,
  numeric, text, text, boolean);

-- Reserves an amount in budgets and moves tokens. Returns the results of purser_reserve_budgets and purser_ledger_move as
-- `reserved` (null without budgets) and `moved`. Locks the budgets before the accounts. A direct move commits the
-- reservation; after a hold it stays reserved.
--
-- Raises PR001 if the transaction must be rolled back to before the call, with what the caller can return as the detail:
-- if the move is refused, or if a month is not open. With `is_only_statement`, also if the budgets refuse or if there are
-- alerts, because the caller then has to write something else. With a `decided_at_revision`, also if policies have changed
-- since the caller decided.
create function purser_spend_or_raise(
  spend_mode text, spend_cause_type text, spend_cause_id text, spent_at timestamptz,
  new_reservation_id text, reserved_amount numeric, budget_lines jsonb,
  -- Selects the periods of the budgets.
  reserved_at timestamptz,
  -- `direct` or `hold`.
  move_kind text, new_transfer_id text, move_asset text, move_amount numeric, debit_id text, credit_id text,
  is_only_statement boolean, decided_at_revision bigint default null
) returns jsonb language plpgsql as $$
declare
  reserved jsonb;
  moved record;
  result jsonb;
begin
  if decided_at_revision <> purser_policy_revision(spend_mode) then
    raise exception using errcode = 'PR001', detail = '{"isOutdated": true}';
  end if;
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
create function purser_spend(
  spend_mode text, spend_cause_type text, spend_cause_id text, spent_at timestamptz,
  new_reservation_id text, reserved_amount numeric, budget_lines jsonb, reserved_at timestamptz,
  move_kind text, new_transfer_id text, move_asset text, move_amount numeric, debit_id text, credit_id text,
  decided_at_revision bigint default null
) returns jsonb language plpgsql as $$
declare
  refusal text;
begin
  return purser_spend_or_raise(spend_mode, spend_cause_type, spend_cause_id, spent_at, new_reservation_id,
    reserved_amount, budget_lines, reserved_at, move_kind, new_transfer_id, move_asset, move_amount, debit_id, credit_id,
    false, decided_at_revision);
exception when sqlstate 'PR001' then
  get stacked diagnostics refusal = pg_exception_detail;
  return refusal;
end $$;
