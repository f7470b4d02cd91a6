import type { App } from "../src/app.ts";
import { withTransaction } from "../src/db/transaction.ts";
import { type LedgerAccountId, newId, type TenantId } from "../src/foundation/ids.ts";
import { invariant } from "../src/foundation/invariant.ts";
import type { Asset } from "../src/foundation/money.ts";
import type { LedgerAccountKind } from "../src/foundation/vocabulary.ts";
import { openAccounts, readBalances } from "../src/ledger/accounts.ts";
import { moveMoney } from "../src/ledger/move-money.ts";
import type { SubjectsKey } from "../src/ledger/queries.ts";

type LedgerApp = Pick<App, "db" | "clock">;

/** A subject with accounts in the ledger. Its mode is `test`. */
export interface SeededAccounts {
  readonly key: SubjectsKey;
  readonly ids: ReadonlyMap<Asset, LedgerAccountId>;
  /** The id of the USDC account. */
  readonly usdc: LedgerAccountId;
}

/** Opens the accounts of a new subject. */
export async function seedAccounts(
  { db, clock }: LedgerApp,
  tenantId: TenantId,
  kind: LedgerAccountKind,
): Promise<SeededAccounts> {
  const subject = { tenantId, mode: "test", subjectType: kind } as const;
  const subjectId = newId("wal");
  const ids = await withTransaction(db, tenantId, (tx) =>
    openAccounts(tx, { ...subject, kind, subjectId }, clock.now()),
  );
  const usdc = ids.get("usdc");
  invariant(usdc !== undefined, "an account is opened for each token");
  return { key: { ...subject, subjectIds: [subjectId] }, ids, usdc };
}

/** Opens the accounts of a new wallet and moves USDC base units to it. */
export async function seedWallet(app: LedgerApp, tenantId: TenantId, baseUnits = 0n): Promise<SeededAccounts> {
  const wallet = await seedAccounts(app, tenantId, "wallet");
  if (baseUnits === 0n) return wallet;
  const faucet = await seedAccounts(app, tenantId, "faucet");
  const { outcome } = await withTransaction(app.db, tenantId, (tx) =>
    moveMoney(tx, {
      kind: "direct",
      mode: "test",
      debitAccountId: faucet.usdc,
      creditAccountId: wallet.usdc,
      amount: { asset: "usdc", baseUnits },
      ignoresFreeze: false,
      cause: { type: "funding", id: "fund_seed" },
      at: app.clock.now(),
    }),
  );
  invariant(outcome === "done", "a new wallet accepts tokens of the faucet");
  return wallet;
}

/** Returns the USDC balance of the subject's account, in base units. */
export async function usdcBalance({ db }: Pick<App, "db">, { key, usdc }: SeededAccounts) {
  const balance = (await readBalances(db, key)).find(({ accountId }) => accountId === usdc);
  invariant(balance !== undefined, "the account exists");
  const { total, held, available } = balance;
  return { total: total.baseUnits, held: held.baseUnits, available: available.baseUnits };
}
