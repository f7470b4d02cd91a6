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

-- Raises PR001 if policies have changed since a decision, so that the caller decides again.
create function purser_require_policy_revision(decided_mode text, decided_at_revision bigint)
returns void language plpgsql as $$
begin
  if decided_at_revision <> coalesce((
    select revision from policy_revisions where tenant_id = purser_tenant() and mode = decided_mode
  ), 0) then
    raise exception using errcode = 'PR001', message = 'policies have changed since the decision';
  end if;
end $$;

-- What a decision about an operation needs, as one object. An agent that does not exist has no status. Without an agent, a
-- wallet or a project, these are null.
create function purser_decision_facts(
  decided_tenant_id text, decided_mode text, decided_agent_id uuid, decided_wallet_id text, decided_project_id text,
  decided_at timestamptz
) returns jsonb language plpgsql stable as $$
begin
  return (
    with chain as (
      -- The agent and its ancestors.
      select link.agent_id, link.depth, member.status, member.expires_at, member.policy_id, member.attested_by,
        member.attested_until
      from unnest(array_prepend(decided_agent_id, (
        select ancestor_ids from agents
        where tenant_id = decided_tenant_id and mode = decided_mode and agent_id = decided_agent_id
      ))) with ordinality as link (agent_id, depth)
      left join agents as member on member.tenant_id = decided_tenant_id and member.mode = decided_mode
        and member.agent_id = link.agent_id and (member.deleted_at is null or link.depth > 1)
    ), policy as (
      select policy.*, array(
          select chain.agent_id from chain
          where chain.agent_id::text = any(policy.agent_ids) or chain.policy_id = policy.policy_id
        ) as members,
        coalesce(decided_wallet_id = any(policy.wallet_ids), false)
          or coalesce(decided_project_id = any(policy.project_ids), false)
          or policy.policy_id in (
            select policy_id from projects
            where tenant_id = decided_tenant_id and mode = decided_mode and project_id = decided_project_id
              and deleted_at is null
          ) as names_subject
      from policies as policy
      where policy.tenant_id = decided_tenant_id and policy.mode = decided_mode and policy.deleted_at is null
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
      join budget_periods as part on part.tenant_id = decided_tenant_id and part.budget_id = budget.budget_id
        and part.period_start >= bucket_start - purser_budget_window_length(budget.period)
        and (part.period_start = bucket_start or budget.period like 'rolling_%')
      where budget.tenant_id = decided_tenant_id and budget.subject_type in ('agent_rule', 'policy_rule')
        and budget.subject_id in (select agent_id::text from chain union all select policy_id from applied)
        -- The name begins with the id of the policy. An agent keeps the budgets of earlier policies.
        and split_part(budget.name, ':', 1) in (select policy_id from applied)
      group by budget.budget_id, budget.period
    )
    select jsonb_build_object(
      'members', (select jsonb_agg(jsonb_build_object('agentId', agent_id, 'status', status, 'expiresAt', expires_at)
        order by depth) from chain),
      'kyb', (select jsonb_build_object('status', kyb_status, 'expiresAt', kyb_expires_at)
        from developers where tenant_id = decided_tenant_id),
      'hasProvenKey', exists (select from agent_public_keys
        where tenant_id = decided_tenant_id and mode = decided_mode and agent_id = decided_agent_id),
      'attestedBy', (select attested_by from chain where depth = 1),
      'attestedUntil', (select attested_until from chain where depth = 1),
      'isTooLarge', (select coalesce(bool_or(is_too_large), false) from applied),
      'policies', (select coalesce(jsonb_agg(jsonb_build_object('policyId', policy_id, 'version', version,
        'isStarter', is_starter, 'members', members, 'namesSubject', names_subject,
        'rules', rules::text, 'approvals', approvals::text) order by policy_id collate "C"), '[]')
        from applied where not is_too_large),
      'used', (select coalesce(jsonb_object_agg(budget_id,
        jsonb_build_object('amount', amount::text, 'resetsAt', resets_at)), '{}') from used),
      'revision', coalesce((
        select revision from policy_revisions where tenant_id = decided_tenant_id and mode = decided_mode
      ), 0)::text
    )
  );
end $$;
