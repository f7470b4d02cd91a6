import { SEND_PATH } from "./payers.ts";

/**
 * The statements of the baseline for payments. Each is sent in its own round trip. They write the rows that Purser writes, and check
 * the agent, the freeze, the balance and the limit as Purser does, but nothing else.
 */

/** Returns the statement that claims the key and the signature, with literals. */
export function claimStatement({
  tenant,
  signature,
  key,
  at,
}: Readonly<Record<"tenant" | "signature" | "key" | "at", string>>): string {
  return `
    with signature as (
      insert into request_signatures (tenant_id, signature_hash, idempotency_key, expires_at)
      values (${tenant}, ${signature}, ${key}, timestamptz ${at} + interval '1 minute')
    )
    insert into idempotency_records (tenant_id, mode, method, route, idempotency_key, fingerprint, state,
      lease_expires_at, agent_ids, created_at, expires_at)
    values (${tenant}, 'test', 'POST', '${SEND_PATH}', ${key}, ${signature}, 'in_flight', ${at}, '{}', ${at},
      timestamptz ${at} + interval '30 days')`;
}

/** Reads the wallet of the agent, the payee's wallet, the starter policy, and what is used of its limit. */
export const FACTS = `
  select wallet.wallet_id, wallet.network, wallet.freeze_mode, debit.account_id as debit_id, debit.stopped,
    credit.account_id as credit_id, agent.status, policy.policy_id, policy.version, budget.budget_id,
    payee.wallet_id as payee_wallet_id,
    exists (
      select from paid_payees where tenant_id = $1 and mode = 'test' and agent_id = $2 and payee_address = $3
    ) as has_paid,
    (
      select coalesce(sum(held_micros + spent_micros), 0) from budget_periods as part
      where part.tenant_id = $1 and part.budget_id = budget.budget_id
        and part.period_start >= date_trunc('hour', $4::timestamptz, 'UTC') - interval '24 hours'
    ) as used
  from wallets as wallet
  join agents as agent on agent.tenant_id = $1 and agent.mode = 'test' and agent.agent_id = $2
  join ledger_accounts as debit on debit.subject_id = wallet.wallet_id and debit.tenant_id = $1 and debit.mode = 'test'
    and debit.subject_type = 'wallet' and debit.kind = 'wallet' and debit.asset = 'usdc'
  join ledger_accounts as credit on credit.subject_id = $1 and credit.tenant_id = $1 and credit.mode = 'test'
    and credit.subject_type = 'external' and credit.kind = 'external' and credit.asset = 'usdc'
  join policies as policy on policy.tenant_id = $1 and policy.mode = 'test' and policy.is_starter and policy.deleted_at is null
  join budgets as budget on budget.tenant_id = $1 and budget.subject_type = 'agent_rule' and budget.subject_id = $2::text
  left join wallets as payee on payee.tenant_id = $1 and payee.mode = 'test' and payee.network = wallet.network
    and lower(payee.address) = $3
  where wallet.tenant_id = $1 and wallet.mode = 'test' and wallet.agent_id = $2`;

/** Counts the amount in the budget, and moves it. Returns no row if the balance is too small. */
export const MOVE = `
  with budget as (
    select budget_id from budgets where tenant_id = $1 and budget_id = $2 for no key update
  ), period as (
    insert into budget_periods as part (tenant_id, budget_id, period_start, held_micros, spent_micros, changed_at)
    select $1, budget_id, date_trunc('hour', $3::timestamptz, 'UTC'), 0, $4::numeric, $3 from budget
    on conflict (tenant_id, budget_id, period_start)
      do update set spent_micros = part.spent_micros + excluded.spent_micros, changed_at = excluded.changed_at
  ), reservation as (
    insert into budget_reservations (tenant_id, reservation_id, mode, cause_type, cause_id, amount_micros, status,
      committed_micros, created_at, settled_at)
    values ($1, $5, 'test', 'payment', $6, $4, 'committed', $4, $3, $3)
  ), line as (
    insert into budget_reservation_lines (tenant_id, budget_id, period_start, reservation_id)
    values ($1, $2, date_trunc('hour', $3::timestamptz, 'UTC'), $5)
  ), transfer as (
    insert into ledger_transfers (tenant_id, transfer_id, mode, asset, debit_account_id, credit_account_id, amount, kind,
      pending_id, cause_type, cause_id, created_at)
    values ($1, $7, 'test', 'usdc', $8, $9, $4, 'direct', null, 'payment', $6, $3)
  )
  update ledger_accounts set posted = posted - $4
  where tenant_id = $1 and account_id = $8 and posted - held >= $4 and frozen is null and not stopped
  returning account_id`;

/** Writes everything else: the payment, the payee, the decision, the audit entry, the event and the answer. */
export const ROWS = `
  with payment as (
    insert into payments (tenant_id, payment_id, mode, agent_id, wallet_id, network, asset, base_units, payee,
      payee_address, debit_account_id, credit_account_id, status, execution, reference, metadata, decision,
      reservation_id, transfer_id, paid_base_units, created_at, settled_at, updated_at)
    values ($1, $2, 'test', $3, $4, $5, 'usdc', $6, $7, $8, $9, $10, 'confirmed', 'auto', $11, '{}', $12, $13, $14, $6,
      $15, $15, $15)
  ), payee as (
    insert into paid_payees (tenant_id, mode, agent_id, payee_address) values ($1, 'test', $3, lower($8))
    on conflict do nothing
  ), decision as (
    insert into policy_decisions (tenant_id, decision_id, mode, agent_id, operation, facts, outcome, policy_id,
      policy_version, rule_id, decided_at)
    values ($1, $16, 'test', $3, 'payment', $17, 'allow', $18, $19, 'allow_payments', $15)
  ), entry as (
    insert into audit_entries (tenant_id, audit_id, chain, mode, actor, action, subject, facts, request_id, occurred_at)
    values ($1, $20, 'tenant', 'test', $21, 'payment.confirmed', $22, $23, $24, $15)
  ), pending as (
    insert into audit_pending (tenant_id, audit_id, chain) values ($1, $20, 'tenant')
  ), answer as (
    update idempotency_records set state = 'stored', answer_status = 200, answer_body = $25
    where tenant_id = $1 and mode = 'test' and method = 'POST' and route = '${SEND_PATH}' and idempotency_key = $26
  ), counter as (
    insert into event_counters (tenant_id, subject_type, subject_id, sequence) values ($1, 'payment', $2, 1)
  )
  insert into events (tenant_id, event_id, mode, type, subject_type, subject_id, sequence, data, actor, request_id,
    occurred_at)
  values ($1, $27, 'test', 'payment.confirmed', 'payment', $2, 1, $28, $21, $24, $15)`;
