import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { useHarness } from "../../test/harness.ts";
import { type SeededAccounts, seedAccounts, seedWallet, usdcBalance } from "../../test/ledger-accounts.ts";
import type { Tx } from "../db/database.ts";
import { withTransaction } from "../db/transaction.ts";
import { type LedgerAccountId, type LedgerTransferId, newId, type TenantId } from "../foundation/ids.ts";
import type { Asset } from "../foundation/money.ts";
import type { FreezeMode } from "../foundation/vocabulary.ts";
import { openAccounts, readBalances } from "./accounts.ts";
import { type Move, moveMoney } from "./move-money.ts";
import { updateAccounts } from "./queries.ts";

const harness = useHarness();
const cause = { type: "payment", id: "pay_1" };
const AMOUNT_MAX = 10n ** 38n - 1n;
let tenantId: TenantId;
let payee: SeededAccounts;

beforeAll(async () => {
  tenantId = await harness.seedDeveloper();
  payee = await seedAccounts(harness.app, tenantId, "external");
});

/** Members that all moves in these tests have in common. */
const common = () => ({ mode: "test", cause, at: harness.clock.now() }) as const;

function transfer(from: LedgerAccountId, to: LedgerAccountId, baseUnits: bigint, asset: Asset = "usdc") {
  return { ...common(), debitAccountId: from, creditAccountId: to, amount: { asset, baseUnits } };
}

const hold = (...parts: Parameters<typeof transfer>): Move => ({
  kind: "hold",
  ...transfer(...parts),
});
const direct = (...parts: Parameters<typeof transfer>): Move => ({
  kind: "direct",
  ignoresFreeze: false,
  ...transfer(...parts),
});
const post = (holdId: LedgerTransferId, baseUnits: bigint, ignoresFreeze = false): Move => ({
  kind: "post",
  ...common(),
  holdId,
  amount: { asset: "usdc", baseUnits },
  ignoresFreeze,
});
const release = (holdId: LedgerTransferId): Move => ({ kind: "void", ...common(), holdId });

const move = (requested: Move, tenant = tenantId) =>
  withTransaction(harness.app.db, tenant, (tx) => moveMoney(tx, requested));

async function held(wallet: SeededAccounts, baseUnits: bigint): Promise<LedgerTransferId> {
  const outcome = await move(hold(wallet.usdc, payee.usdc, baseUnits));
  if (outcome.outcome !== "done") throw new Error(`The hold was refused: ${outcome.outcome}`);
  return outcome.transferId;
}

const freeze = (wallet: SeededAccounts, frozen: FreezeMode | null) =>
  withTransaction(harness.app.db, tenantId, (tx) => updateAccounts(tx, wallet.key, { frozen }));
const stop = (wallet: SeededAccounts, stopped: boolean) =>
  withTransaction(harness.app.db, tenantId, (tx) => updateAccounts(tx, wallet.key, { stopped }));
const balance = (wallet: SeededAccounts) => usdcBalance(harness.app, wallet);

describe("openAccounts", () => {
  it("opens one account per token, and returns the same accounts when it is called again", async () => {
    const key = {
      tenantId,
      mode: "test",
      kind: "wallet",
      subjectType: "wallet",
      subjectId: "w1",
    } as const;
    const open = () => withTransaction(harness.app.db, tenantId, (tx) => openAccounts(tx, key, harness.clock.now()));

    const opened = await Promise.all([open(), open(), open(), open()]);

    const first = opened[0] ?? new Map();
    expect([...first.keys()].sort()).toEqual(["eurc", "pyusd", "usdc", "usdt"]);
    for (const others of opened) expect(others).toEqual(first);
    const balances = await readBalances(harness.app.db, { ...key, subjectIds: ["w1"] });
    expect(balances.map(({ total, available }) => [total.baseUnits, available.baseUnits])).toEqual(
      Array.from({ length: 4 }, () => [0n, 0n]),
    );
  });
});

describe("moveMoney", () => {
  it("moves the amount from one wallet to another", async () => {
    const from = await seedWallet(harness.app, tenantId, 100n);
    const to = await seedWallet(harness.app, tenantId, 5n);

    expect(await move(direct(from.usdc, to.usdc, 30n))).toMatchObject({ outcome: "done" });

    expect(await balance(from)).toEqual({ total: 70n, held: 0n, available: 70n });
    expect(await balance(to)).toEqual({ total: 35n, held: 0n, available: 35n });
  });

  it("a hold reduces what is available; a post of less releases the rest", async () => {
    const wallet = await seedWallet(harness.app, tenantId, 100n);
    const to = await seedWallet(harness.app, tenantId);
    const made = await move(hold(wallet.usdc, to.usdc, 60n));
    expect(await balance(wallet)).toEqual({ total: 100n, held: 60n, available: 40n });
    expect(await balance(to)).toEqual({ total: 0n, held: 0n, available: 0n });

    const holdId = made.outcome === "done" ? made.transferId : newId("ltr");
    expect(await move(post(holdId, 25n))).toMatchObject({ outcome: "done" });

    expect(await balance(wallet)).toEqual({ total: 75n, held: 0n, available: 75n });
    expect(await balance(to)).toEqual({ total: 25n, held: 0n, available: 25n });
  });

  it("a void releases the whole hold", async () => {
    const wallet = await seedWallet(harness.app, tenantId, 100n);
    const holdId = await held(wallet, 60n);

    expect(await move(release(holdId))).toMatchObject({ outcome: "done" });

    expect(await balance(wallet)).toEqual({ total: 100n, held: 0n, available: 100n });
  });

  it.each(["hold", "direct"] as const)("refuses a %s of more than is available", async (kind) => {
    const wallet = await seedWallet(harness.app, tenantId, 100n);
    await held(wallet, 60n);

    const refused = await move({ ...direct(wallet.usdc, payee.usdc, 41n), kind } as Move);

    expect(refused).toEqual({
      outcome: "insufficient_funds",
      accountId: wallet.usdc,
      available: { asset: "usdc", baseUnits: 40n },
    });
    expect(await balance(wallet)).toEqual({ total: 100n, held: 60n, available: 40n });
  });

  it("the transaction of a refusal can write and commit", async () => {
    const wallet = await seedWallet(harness.app, tenantId);

    const subjectId = newId("wal");
    const refused = await withTransaction(harness.app.db, tenantId, async (tx) => {
      const { outcome } = await moveMoney(tx, hold(wallet.usdc, payee.usdc, 1n));
      const key = { ...wallet.key, kind: "wallet", subjectId } as const;
      await openAccounts(tx, key, harness.clock.now());
      return outcome;
    });

    expect(refused).toBe("insufficient_funds");
    expect(await readBalances(harness.app.db, { ...wallet.key, subjectIds: [subjectId] })).toHaveLength(4);
  });

  it("resolves a hold only once, with at most its amount", async () => {
    const wallet = await seedWallet(harness.app, tenantId, 100n);
    const holdId = await held(wallet, 60n);

    expect(await move(post(holdId, 61n))).toEqual({
      outcome: "exceeds_hold",
      accountId: null,
      available: { asset: "usdc", baseUnits: 60n },
    });
    expect(await move(post(holdId, 60n))).toMatchObject({ outcome: "done" });
    for (const again of [post(holdId, 60n), post(holdId, 1n, true), release(holdId)]) {
      expect(await move(again)).toMatchObject({ outcome: "already_resolved" });
    }

    expect(await balance(wallet)).toEqual({ total: 40n, held: 0n, available: 40n });
  });

  it.each([
    ["zero", 0n],
    ["negative", -1n],
    ["more than 38 digits", AMOUNT_MAX + 1n],
    ["much more than 38 digits", 10n ** 200n],
  ])("refuses an amount that is %s", async (_name, baseUnits) => {
    const wallet = await seedWallet(harness.app, tenantId, 100n);
    const holdId = await held(wallet, 60n);
    const { usdc: faucet } = await seedAccounts(harness.app, tenantId, "faucet");

    for (const refused of [
      direct(faucet, wallet.usdc, baseUnits),
      hold(wallet.usdc, payee.usdc, baseUnits),
      post(holdId, baseUnits),
    ]) {
      expect(await move(refused)).toMatchObject({ outcome: "amount_out_of_range" });
    }
  });

  it("refuses a balance of more than 38 digits, and accepts the largest", async () => {
    const wallet = await seedWallet(harness.app, tenantId, AMOUNT_MAX - 1n);
    const { usdc: faucet } = await seedAccounts(harness.app, tenantId, "faucet");

    expect(await move(direct(faucet, wallet.usdc, 2n))).toEqual({
      outcome: "amount_out_of_range",
      accountId: wallet.usdc,
      available: null,
    });
    expect(await move(direct(faucet, wallet.usdc, 1n))).toMatchObject({ outcome: "done" });
    expect((await balance(wallet)).total).toBe(AMOUNT_MAX);
  });

  it("refuses accounts of another tenant, mode or token, and a move from an account to itself", async () => {
    const wallet = await seedWallet(harness.app, tenantId, 100n);
    const otherTenant = await harness.seedDeveloper();
    const foreign = await seedWallet(harness.app, otherTenant, 100n);
    const holdId = await held(wallet, 10n);
    const eurc = wallet.ids.get("eurc") ?? newId("lac");
    const key = {
      tenantId,
      mode: "live",
      kind: "wallet",
      subjectType: "wallet",
      subjectId: "w2",
    } as const;
    const liveIds = await withTransaction(harness.app.db, tenantId, (tx) => openAccounts(tx, key, harness.clock.now()));
    const live = liveIds.get("usdc") ?? newId("lac");

    for (const refused of [
      direct(foreign.usdc, wallet.usdc, 1n),
      direct(wallet.usdc, foreign.usdc, 1n),
      direct(wallet.usdc, eurc, 1n),
      direct(wallet.usdc, live, 1n),
      direct(live, wallet.usdc, 1n),
      direct(eurc, wallet.usdc, 1n),
      direct(newId("lac"), wallet.usdc, 1n),
      hold(payee.usdc, wallet.usdc, 1n),
      { ...direct(wallet.usdc, payee.usdc, 1n), mode: "live" as const },
    ]) {
      expect(await move(refused)).toMatchObject({ outcome: "account_not_found" });
    }
    expect(await move(direct(wallet.usdc, wallet.usdc, 1n))).toMatchObject({
      outcome: "same_account",
    });
    expect(await move(release(holdId), otherTenant)).toMatchObject({ outcome: "hold_not_found" });
    expect(await move({ ...release(holdId), mode: "live" })).toMatchObject({
      outcome: "hold_not_found",
    });
    expect(await move({ ...post(holdId, 1n), amount: { asset: "eurc", baseUnits: 1n } } as Move)).toMatchObject({
      outcome: "hold_not_found",
    });
    expect(await balance(wallet)).toEqual({ total: 100n, held: 10n, available: 90n });
  });
});

describe("frozen and stopped accounts", () => {
  const REFUSED = { outcome: "wallet_frozen" };
  const STOPPED = { outcome: "agent_stopped" };
  const DONE = { outcome: "done" };

  it.each([
    { name: "frozen for outgoing transfers", frozen: "outgoing_only", out: REFUSED, in: DONE },
    { name: "frozen for all transfers", frozen: "full", out: REFUSED, in: REFUSED },
    { name: "of a stopped agent", frozen: null, out: STOPPED, in: DONE },
  ] as const)("the wallet is $name", async ({ frozen, ...expected }) => {
    const wallet = await seedWallet(harness.app, tenantId, 100n);
    const other = await seedWallet(harness.app, tenantId, 100n);
    const [captured, sent, voided] = [await held(wallet, 10n), await held(wallet, 10n), await held(wallet, 10n)];
    await (frozen === null ? stop(wallet, true) : freeze(wallet, frozen));

    expect(await move(hold(wallet.usdc, payee.usdc, 1n))).toMatchObject(expected.out);
    expect(await move(direct(wallet.usdc, payee.usdc, 1n))).toMatchObject(expected.out);
    expect(await move(post(captured, 10n))).toMatchObject(expected.out);
    expect(await move(direct(other.usdc, wallet.usdc, 1n))).toMatchObject(expected.in);
    expect(await move(hold(other.usdc, wallet.usdc, 1n))).toMatchObject(expected.in);
    // Never refused: what has already happened outside, and the release of a hold.
    expect(await move(post(sent, 10n, true))).toMatchObject(DONE);
    expect(await move(release(voided))).toMatchObject(DONE);
    expect(await move({ ...transfer(payee.usdc, wallet.usdc, 1n), kind: "direct", ignoresFreeze: true })).toMatchObject(
      DONE,
    );

    await freeze(wallet, null);
    await stop(wallet, false);
    expect(await move(post(captured, 10n))).toMatchObject(DONE);
    expect(await move(hold(wallet.usdc, payee.usdc, 1n))).toMatchObject(DONE);
  });

  it("a freeze reaches all tokens of its wallet and no other wallet", async () => {
    const wallet = await seedWallet(harness.app, tenantId);
    const other = await seedWallet(harness.app, tenantId);

    await freeze(wallet, "full");
    await freeze(payee, "full");

    const frozenOf = async ({ key }: SeededAccounts) =>
      (await readBalances(harness.app.db, key)).map(({ frozen }) => frozen);
    expect(await frozenOf(wallet)).toEqual(["full", "full", "full", "full"]);
    // Clearing accounts are not frozen.
    expect(new Set(await frozenOf(payee))).toEqual(new Set([null]));
    expect(await frozenOf(other)).toEqual([null, null, null, null]);
  });

  it("a freeze of several wallets and moves between them in both directions do not deadlock", async () => {
    const wallets = [
      await seedWallet(harness.app, tenantId, 1_000n),
      await seedWallet(harness.app, tenantId, 1_000n),
    ] as const;
    const [a, b] = wallets;
    const key = { ...a.key, subjectIds: wallets.flatMap((wallet) => wallet.key.subjectIds) };
    const attempts = { count: 0 };
    const counted = (work: (tx: Tx) => Promise<unknown>) =>
      withTransaction(harness.app.db, tenantId, (tx) => {
        attempts.count += 1;
        return work(tx);
      });

    await Promise.all(
      Array.from({ length: 40 }, (_, index) => {
        if (index % 4 === 0) return counted((tx) => updateAccounts(tx, key, { frozen: index % 8 ? null : "full" }));
        const [from, to] = index % 2 === 0 ? [a, b] : [b, a];
        return counted((tx) => moveMoney(tx, direct(from.usdc, to.usdc, 1n)));
      }),
    );

    // A deadlock would repeat a transaction.
    expect(attempts.count).toBe(40);
    expect((await balance(a)).total + (await balance(b)).total).toBe(2_000n);
  });
});

describe("concurrent moves", () => {
  it("20 holds against one balance: exactly those that fit are made", async () => {
    const wallet = await seedWallet(harness.app, tenantId, 70n);

    const outcomes = await Promise.all(Array.from({ length: 20 }, () => move(hold(wallet.usdc, payee.usdc, 10n))));

    const count = (wanted: string) => outcomes.filter(({ outcome }) => outcome === wanted).length;
    expect([count("done"), count("insufficient_funds")]).toEqual([7, 13]);
    expect(await balance(wallet)).toEqual({ total: 70n, held: 70n, available: 0n });
  });

  it("10 posts and 10 voids of one hold: exactly one is made", async () => {
    const wallet = await seedWallet(harness.app, tenantId, 100n);
    const holdId = await held(wallet, 10n);

    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) => move(index % 2 === 0 ? post(holdId, 10n) : release(holdId))),
    );

    const made = outcomes.flatMap(({ outcome }, index) => (outcome === "done" ? [index] : []));
    expect(made).toHaveLength(1);
    expect(outcomes.filter(({ outcome }) => outcome === "already_resolved")).toHaveLength(19);
    const total = (made[0] ?? 0) % 2 === 0 ? 90n : 100n;
    expect(await balance(wallet)).toEqual({ total, held: 0n, available: total });
  });

  it("after a freeze has committed, no hold is made", async () => {
    const wallet = await seedWallet(harness.app, tenantId, 1_000n);
    let isFrozen = false;
    const late: string[] = [];
    const payer = async () => {
      for (let number = 0; number < 30; number += 1) {
        const startedAfter = isFrozen;
        const { outcome } = await move(hold(wallet.usdc, payee.usdc, 1n));
        if (startedAfter) late.push(outcome);
      }
    };

    const payers = Promise.all([payer(), payer(), payer(), payer()]);
    await freeze(wallet, "outgoing_only");
    isFrozen = true;
    const { held: heldAtFreeze } = await balance(wallet);
    await payers;

    expect(new Set(late)).toEqual(new Set(["wallet_frozen"]));
    expect((await balance(wallet)).held).toBe(heldAtFreeze);
  });

  it("a hold waits for an uncommitted freeze, and is then refused", async () => {
    const wallet = await seedWallet(harness.app, tenantId, 100n);
    const isUpdated = gate();
    const mayCommit = gate();
    const freezing = withTransaction(harness.app.db, tenantId, async (tx) => {
      await updateAccounts(tx, wallet.key, { frozen: "full" });
      await sql`select`.execute(tx);
      isUpdated.open();
      await mayCommit.opened;
    });
    await isUpdated.opened;

    const paying = move(hold(wallet.usdc, payee.usdc, 1n));
    await expect.poll(waitingForLock).toBe(1n);
    mayCommit.open();
    await freezing;

    expect(await paying).toMatchObject({ outcome: "wallet_frozen" });
  });

  it("two payments from different wallets to the same external account do not wait for each other", async () => {
    const [first, second] = [
      await seedWallet(harness.app, tenantId, 100n),
      await seedWallet(harness.app, tenantId, 100n),
    ];
    const isMade = gate();
    const mayCommit = gate();
    const open = withTransaction(harness.app.db, tenantId, async (tx) => {
      await moveMoney(tx, direct(first.usdc, payee.usdc, 1n));
      isMade.open();
      await mayCommit.opened;
    });
    await isMade.opened;

    // The first payment is not committed. If this one waited for it, the test would time out.
    expect(await move(direct(second.usdc, payee.usdc, 1n))).toMatchObject({ outcome: "done" });
    mayCommit.open();
    await open;
  });
});

/** Counts the connections that wait for a lock. */
async function waitingForLock(): Promise<bigint | undefined> {
  const { rows } = await sql<{ waiting: bigint }>`
    select count(*) as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(harness.app.db);
  return rows[0]?.waiting;
}

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open: () => open(), opened };
}
