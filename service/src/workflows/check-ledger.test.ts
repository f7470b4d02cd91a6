import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { useHarness } from "../../test/harness.ts";
import { type SeededAccounts, seedAccounts, seedWallet } from "../../test/ledger-accounts.ts";
import { settleReservation } from "../budgets/queries.ts";
import { reserveBudgets } from "../budgets/reserve-budgets.ts";
import { withSnapshot, withTransaction } from "../db/transaction.ts";
import type { LedgerTransferId, TenantId } from "../foundation/ids.ts";
import { usdMicros } from "../foundation/money.ts";
import { checkBalances } from "../ledger/check/check-balances.ts";
import { moveMoney } from "../ledger/move-money.ts";
import { checkLedger } from "./check-ledger.ts";

const HOUR_SECONDS = 3_600;

describe("checkLedger", () => {
  const harness = useHarness();
  let superuser: Client;

  beforeAll(async () => {
    superuser = new Client({ connectionString: harness.database.superuserUrl });
    await superuser.connect();
    // The triggers that make transfers immutable do not run, so that the tests can change transfers.
    await superuser.query("set session_replication_role = replica");
  });

  afterAll(() => superuser.end());

  /** A tenant with two wallets, a hold, a post and a void. */
  async function seedLedger() {
    const tenantId = await harness.seedDeveloper();
    const wallet = await seedWallet(harness.app, tenantId, 1_000n);
    const payee = await seedAccounts(harness.app, tenantId, "external");
    const open = await hold(tenantId, wallet, payee, 100n);
    await resolve(tenantId, await hold(tenantId, wallet, payee, 50n), 30n);
    await resolve(tenantId, await hold(tenantId, wallet, payee, 20n), undefined);
    return { tenantId, wallet, payee, open };
  }

  const common = () => ({ mode: "test", cause: { type: "payment", id: "pay_1" }, at: harness.clock.now() }) as const;

  async function hold(
    tenantId: TenantId,
    from: SeededAccounts,
    to: SeededAccounts,
    baseUnits: bigint,
  ): Promise<LedgerTransferId> {
    const made = await withTransaction(harness.app.db, tenantId, (tx) =>
      moveMoney(tx, {
        ...common(),
        kind: "hold",
        debitAccountId: from.usdc,
        creditAccountId: to.usdc,
        amount: { asset: "usdc", baseUnits },
      }),
    );
    if (made.outcome !== "done") throw new Error(`The hold was refused: ${made.outcome}`);
    return made.transferId;
  }

  /** Posts this amount, or voids the hold. */
  async function resolve(tenantId: TenantId, holdId: LedgerTransferId, amount: bigint | undefined) {
    await withTransaction(harness.app.db, tenantId, (tx) =>
      moveMoney(
        tx,
        amount === undefined
          ? { ...common(), kind: "void", holdId }
          : {
              ...common(),
              kind: "post",
              holdId,
              amount: { asset: "usdc", baseUnits: amount },
              ignoresFreeze: false,
            },
      ),
    );
  }

  /** A tenant with a budget that holds 100 and has spent 30. */
  async function seedBudget() {
    const tenantId = await harness.seedDeveloper();
    const at = harness.clock.now();
    await withTransaction(harness.app.db, tenantId, async (tx) => {
      for (const [reservationId, amount] of [
        ["rsv_held", 100n],
        ["rsv_spent", 40n],
      ] as const) {
        await reserveBudgets(tx, {
          reservationId,
          mode: "test",
          causeType: "charge",
          causeId: "ch_1",
          amountMicros: usdMicros(amount),
          budgets: [
            {
              subjectType: "provider_cap",
              subjectId: "proj_1",
              name: "neon",
              period: "calendar_month",
              limitMicros: null,
            },
          ],
          at,
          recordedAt: at,
        });
      }
      const committedMicros = usdMicros(30n);
      await settleReservation(tx, { reservationId: "rsv_spent", committedMicros, at });
    });
    return tenantId;
  }

  /** Runs the job when every tenant is due. Returns the tenant's audit entries and the logged errors. */
  async function runCheck(tenantId: TenantId) {
    harness.clock.advanceSeconds(HOUR_SECONDS + 1);
    harness.logLines.length = 0;
    await checkLedger(harness.app);
    const entries = await harness.app.db
      .selectFrom("auditEntries")
      .select(["mode", "subject", "facts"])
      .where("tenantId", "=", tenantId)
      .where("action", "in", ["ledger.difference_found", "budget.difference_found"])
      .where("occurredAt", "=", harness.clock.now())
      .execute();
    return { entries, errors: errorsOf(tenantId) };
  }

  /** The logged errors about this tenant. */
  const errorsOf = (tenantId: TenantId) =>
    harness.logLines.map((line) => JSON.parse(line)).filter(({ level, tenant }) => level >= 50 && tenant === tenantId);

  const checkWhole = (tenantId: TenantId, isWhole = true) =>
    withSnapshot(harness.app.db, tenantId, (tx) => checkBalances(tx, { tenantId, isWhole }));

  it("finds nothing: a ledger has moves of every kind, also after later moves", async () => {
    const { tenantId, wallet, payee, open } = await seedLedger();

    expect(await runCheck(tenantId)).toEqual({ entries: [], errors: [] });
    await resolve(tenantId, open, 70n);
    await hold(tenantId, wallet, payee, 5n);
    expect(await runCheck(tenantId)).toEqual({ entries: [], errors: [] });
    expect(await checkWhole(tenantId)).toEqual([]);
  });

  it("records and logs a difference of one tenant, and none of another", async () => {
    const { tenantId, wallet } = await seedLedger();
    const { tenantId: otherTenant } = await seedLedger();
    await superuser.query("update ledger_accounts set posted = posted + 7 where account_id = $1", [wallet.usdc]);

    const { entries, errors } = await runCheck(tenantId);

    const difference = { asset: "usdc", number: "posted", expected: "970", found: "977" };
    expect(entries).toContainEqual({
      mode: "test",
      subject: { type: "ledger_account", id: wallet.usdc },
      facts: difference,
    });
    expect(errors).toContainEqual(expect.objectContaining({ account: wallet.usdc, ...difference }));
    expect(errorsOf(otherTenant)).toEqual([]);
    await superuser.query("update ledger_accounts set posted = posted - 7 where account_id = $1", [wallet.usdc]);
    expect(await runCheck(tenantId)).toEqual({ entries: [], errors: [] });
  });

  it.each([
    {
      name: "the balance of an account",
      statement: "update ledger_accounts set posted = posted - 1 where account_id = $1",
      found: ["posted", "sum"],
    },
    {
      name: "the held amount of an account",
      statement: "update ledger_accounts set held = held - 1 where account_id = $1",
      found: ["held"],
    },
    {
      name: "the amount of a posted transfer",
      statement: "update ledger_transfers set amount = amount + 1 where debit_account_id = $1 and kind = 'post'",
      found: ["posted", "sum"],
    },
    {
      name: "the amount of an open hold",
      statement:
        "update ledger_transfers set amount = amount + 1 where debit_account_id = $1 and kind = 'hold' and amount = 100",
      found: ["held"],
    },
    {
      name: "the kind of a void, which becomes a post",
      statement: "update ledger_transfers set kind = 'post' where debit_account_id = $1 and kind = 'void'",
      found: ["posted", "sum"],
    },
    {
      name: "a post that is deleted",
      statement: "delete from ledger_transfers where debit_account_id = $1 and kind = 'post'",
      found: ["held", "posted", "sum"],
    },
    {
      name: "a void that is deleted",
      statement: "delete from ledger_transfers where debit_account_id = $1 and kind = 'void'",
      found: ["held"],
    },
    {
      name: "the token of a transfer",
      statement: "update ledger_transfers set asset = 'usdt' where credit_account_id = $1",
      found: ["held", "posted", "posted", "sum"],
    },
    {
      name: "the account of a transfer, which becomes one that does not exist",
      statement: "update ledger_transfers set credit_account_id = 'lac_none' where credit_account_id = $1",
      found: ["posted"],
    },
    {
      name: "an account that is deleted",
      statement: "delete from ledger_accounts where account_id = $1",
      found: ["held", "posted", "sum"],
    },
  ])("a whole check names $name", async ({ statement, found }) => {
    const { tenantId, wallet } = await seedLedger();
    expect(await checkWhole(tenantId)).toEqual([]);

    await superuser.query(statement, [wallet.usdc]);

    const differences = await checkWhole(tenantId);
    const ofWallet = differences.filter(({ accountId }) => accountId === wallet.usdc || accountId === null);
    expect(ofWallet.map(({ number }) => number).sort()).toEqual(found);
  });

  it("the hourly check finds a balance that was changed without a transfer, in a quiet ledger", async () => {
    const { tenantId, wallet } = await seedLedger();
    expect(await runCheck(tenantId)).toEqual({ entries: [], errors: [] });
    await superuser.query("update ledger_accounts set held = held + 1 where account_id = $1", [wallet.usdc]);

    expect((await runCheck(tenantId)).entries).toMatchObject([{ facts: { number: "held", asset: "usdc" } }]);
  });

  it("records and logs a budget that differs from its reservations, once an hour, and none of another tenant", async () => {
    const [tenantId, otherTenant] = [await seedBudget(), await seedBudget()];
    expect(await runCheck(tenantId)).toEqual({ entries: [], errors: [] });
    const change = (micros: number) =>
      superuser.query(
        "update budget_periods set held_micros = held_micros + $2, changed_at = $3 where tenant_id = $1",
        [tenantId, micros, harness.clock.now()],
      );
    await change(7);

    const { entries, errors } = await runCheck(tenantId);

    const facts = {
      budget_id: "provider_cap:proj_1:neon",
      period_start: "2026-11-01T00:00:00.000Z",
      held: "107",
      held_expected: "100",
      spent: "30",
      spent_expected: "30",
    };
    const subject = { type: "budget", id: facts.budget_id };
    expect(entries).toEqual([{ mode: "test", subject, facts }]);
    expect(errors).toEqual([expect.objectContaining({ level: 50, ...facts })]);
    expect(errorsOf(otherTenant)).toEqual([]);
    harness.logLines.length = 0;
    await checkLedger(harness.app);
    expect(errorsOf(tenantId)).toEqual([]);
    await change(-7);
    expect(await runCheck(tenantId)).toEqual({ entries: [], errors: [] });
  });

  it("counts a transfer that was not committed when a later one was checked", async () => {
    const { tenantId, wallet, payee } = await seedLedger();
    const other = await seedWallet(harness.app, tenantId, 100n);
    let isMade = () => {};
    const made = new Promise<void>((resolved) => {
      isMade = resolved;
    });
    let commit = () => {};
    const mayCommit = new Promise<void>((resolved) => {
      commit = resolved;
    });
    const late = withTransaction(harness.app.db, tenantId, async (tx) => {
      await moveMoney(tx, {
        ...common(),
        kind: "direct",
        debitAccountId: other.usdc,
        creditAccountId: payee.usdc,
        amount: { asset: "usdc", baseUnits: 3n },
        ignoresFreeze: false,
      });
      isMade();
      await mayCommit;
    });
    await made;
    await hold(tenantId, wallet, payee, 1n);
    expect(await checkWhole(tenantId, false)).toEqual([]);
    commit();
    await late;

    // A change of a transfer that was already counted shows which transfers are counted again.
    await superuser.query(
      "update ledger_transfers set amount = amount + 1 where debit_account_id = $1 and kind = 'hold' and amount = 1",
      [wallet.usdc],
    );
    expect(await checkWhole(tenantId, false)).toEqual([]);
    const { rows } = await superuser.query("select posted::text from ledger_checked_sums where account_id = $1", [
      other.usdc,
    ]);
    expect(rows).toEqual([{ posted: "97" }]);
    expect(await checkWhole(tenantId)).toMatchObject([{ accountId: wallet.usdc, number: "held" }]);
  });

  it("counts more transfers than one batch, all of the same transaction", async () => {
    const { tenantId, wallet, payee } = await seedLedger();
    // Each pair of transfers leaves the balances unchanged.
    const insertPairs = (first: number) =>
      superuser.query(
        `insert into ledger_transfers (tenant_id, transfer_id, mode, asset, debit_account_id, credit_account_id, amount,
           kind, cause_type, cause_id, created_at)
         select $1, 'ltr_' || (n + $4::integer), 'test', 'usdc', case when n % 2 = 0 then $2 else $3 end,
           case when n % 2 = 0 then $3 else $2 end, 1, 'direct', 'payment', 'pay_1', now()
         from generate_series(1, 10002) n`,
        [tenantId, wallet.usdc, payee.usdc, first],
      );
    await insertPairs(10_000);
    expect(await checkWhole(tenantId, false)).toEqual([]);
    await insertPairs(50_000);
    expect(await checkWhole(tenantId, false)).toEqual([]);
    await superuser.query("delete from ledger_transfers where tenant_id = $1 and transfer_id = 'ltr_60002'", [
      tenantId,
    ]);

    expect(await checkWhole(tenantId)).toMatchObject([{ number: "posted" }, { number: "sum" }]);
  });

  it("after a restore, whose transaction ids start again, finds nothing if nothing is wrong", async () => {
    const { tenantId, wallet, payee } = await seedLedger();
    expect(await runCheck(tenantId)).toEqual({ entries: [], errors: [] });
    await superuser.query("update money_checks set counted_in = '9000000:9000000:' where tenant_id = $1", [tenantId]);
    await hold(tenantId, wallet, payee, 1n);

    expect(await runCheck(tenantId)).toEqual({ entries: [], errors: [] });
  });

  it("checks a tenant once an hour, even if several workers run the job", async () => {
    const { tenantId } = await seedLedger();
    const { tenantId: broken, wallet } = await seedLedger();
    await superuser.query("update ledger_accounts set held = 0 where account_id = $1", [wallet.usdc]);
    harness.clock.advanceSeconds(HOUR_SECONDS + 1);

    await Promise.all(Array.from({ length: 4 }, () => checkLedger(harness.app)));
    await checkLedger(harness.app);

    const checkedAt = await harness.app.db
      .selectFrom("moneyChecks")
      .select("checkedAt")
      .where("tenantId", "in", [tenantId, broken])
      .execute();
    expect(checkedAt).toEqual([{ checkedAt: harness.clock.now() }, { checkedAt: harness.clock.now() }]);
    const entries = await harness.app.db
      .selectFrom("auditEntries")
      .select("facts")
      .where("tenantId", "=", broken)
      .where("action", "=", "ledger.difference_found")
      .execute();
    expect(entries).toHaveLength(1);
  });

  it("a tenant that cannot be checked does not block the others", async () => {
    const { tenantId: failing } = await seedLedger();
    const { tenantId } = await seedLedger();
    await superuser.query(
      `create function fail_check() returns trigger language plpgsql as $$ begin raise exception 'for this test'; end $$;
       create trigger fail_check before update on money_checks for each row when (new.tenant_id = '${failing}')
         execute function fail_check()`,
    );
    harness.clock.advanceSeconds(HOUR_SECONDS + 1);

    await expect(checkLedger(harness.app)).rejects.toThrow("for this test");

    const checked = await harness.app.db
      .selectFrom("moneyChecks")
      .select(["tenantId"])
      .where("checkedAt", "=", harness.clock.now())
      .execute();
    const tenants = checked.map((row) => row.tenantId);
    expect(tenants).toContain(tenantId);
    expect(tenants).not.toContain(failing);
    await superuser.query("drop trigger fail_check on money_checks");
  });

  it("checks more tenants than one page", async () => {
    await superuser.query(
      `insert into money_checks (tenant_id, checked_at)
       select 'dev_' || n, $1::timestamptz - n * interval '1 second' from generate_series(1, 201) n`,
      [harness.clock.now()],
    );
    harness.clock.advanceSeconds(HOUR_SECONDS + 1);

    await checkLedger(harness.app);

    const { rows } = await superuser.query("select tenant_id from money_checks where checked_at < $1", [
      harness.clock.now(),
    ]);
    expect(rows).toEqual([]);
  });
});
