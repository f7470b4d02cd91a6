import { withTransaction } from "@purser/service/db/transaction.ts";
import { type LedgerAccountId, newId, type TenantId } from "@purser/service/foundation/ids.ts";
import { moveMoney } from "@purser/service/ledger/move-money.ts";
import type pg from "pg";
import type { Pair } from "../compare.ts";
import { CALLERS, openPools, runBaseline } from "./open-pools.ts";

const ACCOUNTS = 1_000;

interface Accounts {
  readonly tenantId: TenantId;
  readonly wallets: readonly LedgerAccountId[];
  readonly external: LedgerAccountId;
}

/** The baseline writes the same rows with one statement per transaction, and checks nothing. */
const HOLD = `
  with transfer as (
    insert into ledger_transfers (tenant_id, transfer_id, mode, asset, debit_account_id, credit_account_id, amount, kind,
      pending_id, cause_type, cause_id, created_at)
    values ($1, $2, 'test', 'usdc', $3, $4, $5, 'hold', null, 'payment', 'pay_1', $6)
  )
  update ledger_accounts set held = held + $5 where tenant_id = $1 and account_id = $3`;
const POST = `
  with transfer as (
    insert into ledger_transfers (tenant_id, transfer_id, mode, asset, debit_account_id, credit_account_id, amount, kind,
      pending_id, cause_type, cause_id, created_at)
    values ($1, $2, 'test', 'usdc', $3, $4, $5, 'post', $7, 'payment', 'pay_1', $6)
  )
  update ledger_accounts set posted = posted - $5, held = held - $5 where tenant_id = $1 and account_id = $3`;

/** Compares a hold and its post, each in its own transaction. */
export async function startLedgerPair(databaseUrl: string): Promise<{ readonly pair: Pair; close(): Promise<void> }> {
  const { db, pool, close } = openPools(databaseUrl);
  const purserAccounts = await insertAccounts(pool);
  const baselineAccounts = await insertAccounts(pool);

  const purser = async () => {
    const { tenantId, wallets, external } = purserAccounts;
    const common = {
      mode: "test",
      amount: { asset: "usdc", baseUnits: 1n },
      cause: { type: "payment", id: "pay_1" },
      at: new Date(),
    } as const;
    const accounts = { debitAccountId: pick(wallets), creditAccountId: external };
    const held = await withTransaction(db, tenantId, (tx) => moveMoney(tx, { ...common, ...accounts, kind: "hold" }));
    if (held.outcome !== "done") throw new Error(`The hold was refused: ${held.outcome}`);
    const { outcome } = await withTransaction(db, tenantId, (tx) =>
      moveMoney(tx, { ...common, kind: "post", holdId: held.transferId, ignoresFreeze: false }),
    );
    if (outcome !== "done") throw new Error(`The post was refused: ${outcome}`);
  };
  const baseline = async () => {
    const { tenantId, wallets, external } = baselineAccounts;
    const [holdId, wallet, at] = [newId("ltr"), pick(wallets), new Date()];
    await runBaseline(pool, tenantId, {
      name: "hold",
      text: HOLD,
      values: [tenantId, holdId, wallet, external, 1n, at],
    });
    await runBaseline(pool, tenantId, {
      name: "post",
      text: POST,
      values: [tenantId, newId("ltr"), wallet, external, 1n, at, holdId],
    });
  };
  return {
    pair: {
      title: `ledger: hold and post, ${CALLERS} callers, ${ACCOUNTS} accounts ÷ baseline (pg)`,
      goal: 0.7,
      candidate: { name: "Purser", callers: CALLERS, call: purser },
      baseline: { name: "baseline", callers: CALLERS, call: baseline },
    },
    close,
  };
}

/** Inserts wallets with a large balance, and an external account. */
async function insertAccounts(pool: pg.Pool): Promise<Accounts> {
  const tenantId = newId("dev");
  const wallets = Array.from({ length: ACCOUNTS }, () => newId("lac"));
  const external = newId("lac");
  await runBaseline(pool, tenantId, {
    text: `
      insert into ledger_accounts (tenant_id, account_id, mode, kind, subject_type, subject_id, asset, posted, created_at)
      select $1, id, 'test', 'wallet', 'wallet', id, 'usdc', 1e12, now() from unnest($2::text[]) id
      union all select $1, $3, 'test', 'external', 'developer', $1, 'usdc', 0, now()`,
    values: [tenantId, wallets, external],
  });
  return { tenantId, wallets, external };
}

function pick(wallets: readonly LedgerAccountId[]): LedgerAccountId {
  return wallets[Math.floor(Math.random() * wallets.length)] ?? "lac_none";
}
