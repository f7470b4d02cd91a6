import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { adminsOf } from "../../../test/admins.ts";
import { useHarness } from "../../../test/harness.ts";
import { seedPaymentsWithoutHolds } from "../../../test/payments/seed-payments-without-holds.ts";
import { freezesOf } from "../../../test/wallets/frozen-wallet.ts";
import { seedWallet } from "../../../test/wallets/seed-wallet.ts";
import { systemActor } from "../../audit/actors.ts";
import { withTransaction } from "../../db/transaction.ts";
import type { LedgerAccountId } from "../../foundation/ids.ts";
import { invariant } from "../../foundation/invariant.ts";
import { readBalances } from "../../ledger/accounts.ts";
import { moveMoney } from "../../ledger/move-money.ts";
import { freezeWallets } from "../../modules/wallets/freezes/freeze-wallets.ts";

const ANOMALY = { reason: "anomaly" };
const FREEZE = {
  mode: "full",
  source: "developer",
  reason: "anomaly",
  note: null,
  reference: null,
  expiresAt: null,
} as const;

describe("freezes at the same time as other requests", () => {
  const harness = useHarness();
  const admins = adminsOf(harness);
  const { arrange, rowOf, stateOf, historyOf, countsOf } = freezesOf(harness);
  type Wallet = Awaited<ReturnType<typeof arrange>>;

  async function usdcOf({ tenantId, walletId }: Pick<Wallet, "tenantId" | "walletId">) {
    const key = { tenantId, mode: "test", subjectType: "wallet", subjectIds: [walletId] } as const;
    const account = (await readBalances(harness.app.db, key)).find(({ total }) => total.asset === "usdc");
    invariant(account !== undefined, "a wallet has a USDC account");
    return account;
  }

  function move(wallet: Wallet, from: LedgerAccountId, to: LedgerAccountId) {
    return withTransaction(harness.app.db, wallet.tenantId, (tx) =>
      moveMoney(tx, {
        kind: "direct",
        mode: "test",
        debitAccountId: from,
        creditAccountId: to,
        amount: { asset: "usdc", baseUnits: 1n },
        ignoresFreeze: false,
        cause: { type: "test", id: randomUUID() },
        at: harness.clock.now(),
      }),
    );
  }

  it("no money leaves the wallet after the response to a freeze", async () => {
    const payer = await arrange();
    const payee = await seedWallet(harness.app, { ...payer, network: "polygon" });
    const from = (await usdcOf(payer)).accountId;
    const to = (await usdcOf({ ...payer, ...payee })).accountId;

    const moves: string[] = [];
    let isFrozen = false;
    const pay = async () => {
      for (let count = 0; count < 25; count += 1) {
        const startedAfter = isFrozen;
        const { outcome } = await move(payer, from, to);
        moves.push(`${startedAfter ? "after" : "before"}: ${outcome}`);
      }
    };
    const freeze = async () => {
      expect((await payer.tenant.post(`${payer.path}/freeze`, ANOMALY)).status).toBe(204);
      isFrozen = true;
    };
    await Promise.all([...Array.from({ length: 4 }, pay), freeze()]);

    expect(moves).toContain("before: done");
    expect(moves).toContain("after: wallet_frozen");
    expect(moves).not.toContain("after: done");
    const paid = BigInt(moves.filter((each) => each.endsWith("done")).length);
    expect((await usdcOf(payer)).total.baseUnits).toBe(1_000_000n - paid);
  });

  it("freezes by the developer and an admin and unfreezes end in one consistent state", async () => {
    const wallet = await arrange();
    const { tenant, path } = wallet;
    const { as } = await admins.seedSession();

    for (let round = 0; round < 6; round += 1) {
      harness.clock.advanceSeconds(1);
      const answers = await Promise.all([
        tenant.post(`${path}/freeze`, { ...ANOMALY, mode: "outgoing_only" }),
        tenant.post(`${path}/freeze`, ANOMALY),
        tenant.post(`${path}/unfreeze`),
        admins.post(`/admin${path}/freeze`, ANOMALY, as),
        tenant.post(`${path}/unfreeze`, { note: "again" }),
      ]);

      const codes = answers.map(({ status, body }) => body?.code ?? status);
      expect(new Set([204, "admin_review_required", ...codes]).size).toBe(2);
      // Only an admin lifts an admin's freeze, so it remains whatever the order was.
      expect(await stateOf(wallet)).toEqual(["frozen", "admin", "full", "full"]);
      await admins.post(`/admin${path}/unfreeze`, {}, as);
      expect(await stateOf(wallet)).toEqual(["active", null, null, null]);
      const [entries, events, history] = await countsOf(wallet);
      expect([events, history]).toEqual([entries, entries]);
    }
  });

  it("ten equal freezes at once write one entry", async () => {
    const wallet = await arrange();

    const answers = await Promise.all(
      Array.from({ length: 10 }, () => wallet.tenant.post(`${wallet.path}/freeze`, ANOMALY)),
    );

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204]));
    expect(await rowOf(wallet)).toMatchObject({ epoch: 1 });
    expect(await countsOf(wallet)).toEqual([1, 1, 1]);
  });

  it("freezes of an agent's wallets, named in any order, do not block each other", async () => {
    const wallet = await arrange();
    const { tenant, path } = wallet;
    const second = await seedWallet(harness.app, { ...wallet, network: "polygon" });
    const other = `/wallets/${second.walletId}`;

    for (let round = 0; round < 5; round += 1) {
      const all = [path, other].flatMap((each) => [
        tenant.post(`${each}/freeze`, { ...ANOMALY, scope: "agent" }),
        tenant.post(`${each}/freeze`, { ...ANOMALY, scope: "agent", mode: "outgoing_only" }),
      ]);
      for (const { status } of await Promise.all(all)) expect(status).toBe(204);
      expect(await stateOf(wallet)).toEqual(["frozen", "developer", "full", "full"]);
      harness.clock.advanceSeconds(1);
      await Promise.all([path, other].map((each) => tenant.post(`${each}/unfreeze`)));
    }
  });

  it("a transaction that fails leaves nothing behind", async () => {
    const wallet = await arrange();
    const { tenantId, walletId } = wallet;

    const freeze = withTransaction(harness.app.db, tenantId, async (tx) => {
      const actor = systemActor({ tenantId, mode: "test" });
      const at = harness.clock.now();
      await freezeWallets(tx, actor, { walletIds: [walletId], freeze: FREEZE, at });
      throw new Error("the process is gone");
    });

    await expect(freeze).rejects.toThrow("gone");
    expect(await stateOf(wallet)).toEqual(["active", null, null, null]);
    expect(await countsOf(wallet)).toEqual([0, 0, 0]);
    expect(await historyOf(wallet)).toEqual([]);
  });

  it("a freeze reads no payments, and counting those of the wallet uses their index", async () => {
    const wallet = await arrange();
    const { tenantId, walletId } = wallet;
    await seedPaymentsWithoutHolds(harness.app, {
      ...{ ...wallet, status: "authorized", expiresAt: null, count: 1_000 },
    });
    const statements: string[] = [];
    await sql`analyze payments`.execute(harness.app.db).catch(() => {});

    await withTransaction(harness.app.db, tenantId, async (tx) => {
      await freezeWallets(tx, systemActor({ tenantId, mode: "test" }), {
        ...{ walletIds: [walletId], freeze: FREEZE, at: harness.clock.now() },
      });
      const { rows } = await sql<{ relation: string }>`
        select distinct relation::regclass::text as relation from pg_locks
        where pid = pg_backend_pid() and relation is not null and locktype = 'relation'`.execute(tx);
      statements.push(...rows.map(({ relation }) => relation));
      const plan = await sql<{ "QUERY PLAN": string }>`
        explain select count(*) from payments where tenant_id = ${sql.lit(tenantId)}
          and wallet_id = any(array[${sql.lit(walletId)}]) and status in ('requires_approval', 'authorized')`.execute(
        tx,
      );
      statements.push(JSON.stringify(plan.rows));
    });

    const text = statements.join("\n");
    expect(statements).toContain("wallet_freezes");
    expect(statements.filter((each) => each === "payments")).toEqual([]);
    expect(text).toContain("payments_waiting");
  });
});
