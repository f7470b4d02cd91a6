import { listWrongBudgets } from "@purser/service/budgets/queries.ts";
import type { Db } from "@purser/service/db/database.ts";
import { withSnapshot, withTransaction } from "@purser/service/db/transaction.ts";
import type { TenantId } from "@purser/service/foundation/ids.ts";
import { checkBalances } from "@purser/service/ledger/check/check-balances.ts";
import { Client } from "pg";
import type { Acknowledgement } from "./acknowledgement-file.ts";

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
  const differences: string[] = [];
  for (const tenantId of tenantIds) {
    const balances = await withSnapshot(db, tenantId, (tx) =>
      checkBalances(tx, { tenantId, isWhole: true }),
    );
    const budgets = await withTransaction(db, tenantId, (tx) =>
      listWrongBudgets(tx, { tenantId, changedSince: new Date(0) }),
    );
    const texts = [...balances, ...budgets].map((difference) =>
      JSON.stringify(difference, (_name, value) =>
        typeof value === "bigint" ? `${value}` : value,
      ),
    );
    differences.push(...texts);
  }
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
async function compareMoves(
  client: Client,
  acknowledgements: readonly Acknowledgement[],
): Promise<string[]> {
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
  const found = countsOf(moves.rows.map(({ spend_id, move }) => `${spend_id} ${move}`));
  const expected = countsOf(
    acknowledgements
      .filter(({ status }) => status === 200)
      .map(({ spendId, walletId, projectId, amount }) => {
        const micros = Math.round(Number(amount) * 1e6);
        const reserved = projectId === undefined ? [] : [projectId, "committed", micros];
        return [spendId, walletId, micros, "direct", ...reserved].join(" ");
      }),
  );
  return differencesOf("move", found, expected);
}

/** Compares the acknowledged answers with the stored ones. */
async function compareAnswers(
  client: Client,
  acknowledgements: readonly Acknowledgement[],
): Promise<string[]> {
  const { rows } = await client.query<{ answer: string }>(
    `select concat_ws(' ', idempotency_key, answer_status, answer_body::json ->> 'code', answer_body::json ->> 'spend_id')
       as answer from idempotency_records where route like '%/test/spend'`,
  );
  const expected = acknowledgements.map(({ idempotencyKey, status, code, spendId }) =>
    [idempotencyKey, status, code ?? spendId].join(" "),
  );
  return differencesOf("answer", countsOf(rows.map(({ answer }) => answer)), countsOf(expected));
}

/** Compares the numbers of rows, and looks for holds and reservations that are left. */
async function compareCounts(
  client: Client,
  acknowledgements: readonly Acknowledgement[],
): Promise<string[]> {
  const { rows } = await client.query<Record<string, number>>(`
    select
      (select count(*)::integer from test_spends) as payments,
      (select count(*)::integer from budget_reservations where cause_type = 'spend') as reservations,
      (select count(*)::integer from audit_entries where action = 'test.spent') as entries_of_moves,
      (select count(*)::integer from audit_entries where action = 'test.spend_refused') as entries_of_refusals,
      (select count(*)::integer from events where type = 'test.spent') as events_of_moves,
      (select count(*)::integer from events where type = 'test.spend_refused') as events_of_refusals,
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

function countsOf(items: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

function differencesOf(
  kind: string,
  found: ReadonlyMap<string, number>,
  expected: ReadonlyMap<string, number>,
): string[] {
  return [...new Set([...found.keys(), ...expected.keys()])]
    .filter((item) => found.get(item) !== expected.get(item))
    .map((item) => `${kind} ${item}: found ${found.get(item)}, expected ${expected.get(item)}`);
}
