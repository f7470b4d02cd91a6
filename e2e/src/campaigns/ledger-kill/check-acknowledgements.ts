import type { Db } from "@purser/service/db/database.ts";
import type { TenantId } from "@purser/service/foundation/ids.ts";
import { Client } from "pg";
import { differencesOf, wrongSums } from "../kills/differences.ts";

/** The final answer to a money request, as its sender wrote it down. */
export interface Acknowledgement {
  readonly idempotencyKey: string;
  readonly status: number;
  /** The error code. Null for a 200. */
  readonly code: string | null;
  /** Null for a refusal. */
  readonly spendId: string | null;
  readonly walletId: string;
  readonly projectId: string | undefined;
  readonly amount: string;
}

/**
 * Compares the database with the acknowledgements of all requests. Returns a description of each difference: a move
 * that is missing, doubled or not acknowledged, an answer that is stored differently, a hold or reservation that is
 * left, and numbers that do not agree with each other.
 */
export async function findDifferences(
  db: Db,
  {
    superuserUrl,
    tenantIds,
    acknowledgements,
  }: {
    readonly superuserUrl: string;
    readonly tenantIds: readonly TenantId[];
    readonly acknowledgements: readonly Acknowledgement[];
  },
): Promise<string[]> {
  const differences = await wrongSums(db, tenantIds);
  const client = new Client({ connectionString: superuserUrl });
  await client.connect();
  try {
    differences.push(...(await compareMoves(client, acknowledgements)));
    differences.push(...(await compareAnswers(client, acknowledgements)));
    differences.push(...(await compareCounts(client, acknowledgements)));
  } finally {
    await client.end();
  }
  return differences;
}

/** Compares the acknowledged moves with the transfers and the reservations. */
async function compareMoves(client: Client, acknowledgements: readonly Acknowledgement[]): Promise<string[]> {
  // Without statistics, the planner joins the many rows one by one.
  await client.query("analyze");
  const moves = await client.query<{ spend_id: string; move: string }>(`
    select transfer.cause_id as spend_id, concat_ws(' ', debit.subject_id, transfer.amount, transfer.kind,
      split_part(line.budget_id, ':', 2), reservation.status, reservation.committed_micros) as move
    from ledger_transfers as transfer
    join ledger_accounts as debit on debit.tenant_id = transfer.tenant_id and debit.account_id = transfer.debit_account_id
    left join budget_reservations as reservation on reservation.tenant_id = transfer.tenant_id
      and reservation.cause_id = transfer.cause_id
    left join budget_reservation_lines as line on line.tenant_id = transfer.tenant_id
      and line.reservation_id = reservation.reservation_id
    where transfer.cause_type = 'spend'`);
  const found = moves.rows.map(({ spend_id, move }) => `${spend_id} ${move}`);
  const expected = acknowledgements
    .filter(({ status }) => status === 200)
    .map(({ spendId, walletId, projectId, amount }) => {
      const micros = Math.round(Number(amount) * 1e6);
      const reserved = projectId === undefined ? [] : [projectId, "committed", micros];
      return [spendId, walletId, micros, "direct", ...reserved].join(" ");
    });
  return differencesOf("move", { found, expected });
}

/** Compares the acknowledged answers with the stored ones. */
async function compareAnswers(client: Client, acknowledgements: readonly Acknowledgement[]): Promise<string[]> {
  const { rows } = await client.query<{ answer: string }>(
    `select concat_ws(' ', idempotency_key, answer_status, answer_body::json ->> 'code', answer_body::json ->> 'spend_id')
       as answer from idempotency_records where route like '%/test/spend'`,
  );
  const expected = acknowledgements.map(({ idempotencyKey, status, code, spendId }) =>
    [idempotencyKey, status, code ?? spendId].join(" "),
  );
  return differencesOf("answer", { found: rows.map(({ answer }) => answer), expected });
}

/** Compares the numbers of rows, and looks for holds and reservations that are left. */
async function compareCounts(client: Client, acknowledgements: readonly Acknowledgement[]): Promise<string[]> {
  const { rows } = await client.query<Record<string, number>>(`
    select
      (select count(*)::integer from test_spends) as payments,
      (select count(*)::integer from budget_reservations where cause_type = 'spend') as reservations,
      (select count(*)::integer from audit_entries where action = 'payment.confirmed') as entries_of_moves,
      (select count(*)::integer from audit_entries where action = 'payment.denied') as entries_of_refusals,
      (select count(*)::integer from events where type = 'payment.confirmed') as events_of_moves,
      (select count(*)::integer from events where type = 'payment.denied') as events_of_refusals,
      (select count(*)::integer from ledger_accounts where held <> 0) as accounts_with_holds,
      (select count(*)::integer from ledger_transfers where kind <> 'direct') as holds,
      (select count(*)::integer from budget_reservations where status = 'held') as open_reservations`);
  const done = acknowledgements.filter(({ status }) => status === 200);
  const refused = acknowledgements.length - done.length;
  const expected: Record<string, number> = {
    payments: done.length,
    reservations: done.filter(({ projectId }) => projectId !== undefined).length,
    entries_of_moves: done.length,
    entries_of_refusals: refused,
    events_of_moves: done.length,
    events_of_refusals: refused,
    accounts_with_holds: 0,
    holds: 0,
    open_reservations: 0,
  };
  return Object.entries(expected)
    .filter(([name, count]) => rows[0]?.[name] !== count)
    .map(([name, count]) => `${name}: found ${rows[0]?.[name]}, expected ${count}`);
}
