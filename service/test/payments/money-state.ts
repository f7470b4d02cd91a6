import { sql } from "kysely";
import { expect } from "vitest";
import type { App } from "../../src/app.ts";
import { listWrongBudgets } from "../../src/budgets/queries.ts";
import { withSnapshot, withTransaction } from "../../src/db/transaction.ts";
import type { TenantId } from "../../src/foundation/ids.ts";
import { checkBalances } from "../../src/ledger/check/check-balances.ts";

/** Fails if the tenant's balances do not equal its transfers, or its budgets do not equal their reservations. */
export async function expectSumsToMatch({ db }: Pick<App, "db">, tenantId: TenantId): Promise<void> {
  const differences = await withSnapshot(db, tenantId, (tx) => checkBalances(tx, { tenantId, isWhole: true }));
  const wrong = await withTransaction(db, tenantId, (tx) =>
    listWrongBudgets(tx, { tenantId, changedSince: new Date(0) }),
  );
  expect([differences, wrong]).toEqual([[], []]);
}

/** A wallet's USDC in whole dollars, and what is open for the tenant. */
export interface MoneyState {
  readonly balance: number;
  readonly held: number;
  readonly openHolds: number;
  readonly openReservations: number;
}

/** Returns what a wallet has, and counts what is open. Fails if the numbers do not agree. */
export async function moneyStateOf(app: Pick<App, "db">, tenantId: TenantId, walletId: string): Promise<MoneyState> {
  await expectSumsToMatch(app, tenantId);
  const { rows } = await sql<MoneyState>`
    select (posted / 1000000)::float as balance, (held / 1000000)::float as held,
      (select count(*)::integer from ledger_transfers as hold where tenant_id = ${tenantId} and kind = 'hold'
        and not exists (select from ledger_transfers where tenant_id = ${tenantId} and pending_id = hold.transfer_id)
      ) as open_holds,
      (select count(*)::integer from budget_reservations where tenant_id = ${tenantId} and status = 'held')
        as open_reservations
    from ledger_accounts where tenant_id = ${tenantId} and kind = 'wallet' and asset = 'usdc'
      and subject_id = ${walletId}`.execute(app.db);
  const [state] = rows;
  if (state === undefined) throw new Error(`${walletId} has no account`);
  return state;
}
