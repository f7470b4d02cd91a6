import { randomUUID } from "node:crypto";
import { connect, Socket } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { useHarness } from "../../../../test/harness.ts";
import { auditOf, eventsOf } from "../../../../test/project-seeds.ts";
import { createWallet } from "../../../../test/wallets/create-wallet.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { FreezeMode } from "../../../foundation/vocabulary.ts";
import { updateAccounts } from "../../../ledger/queries.ts";
import { checkLedger } from "../../../workflows/check-ledger.ts";

describe("POST /wallets/{wallet_id}/fund", () => {
  const harness = useHarness();
  afterEach(() => vi.restoreAllMocks());

  async function seed() {
    const tenant = await harness.seedTenant({ mode: "test" });
    const wallet = await createWallet(tenant);
    const fund = (body: object, headers: Readonly<Record<string, string>> = {}) =>
      tenant.post(`/wallets/${wallet.wallet_id}/fund`, body, { headers });
    const totals = async () => {
      const { body } = await tenant.get(`/wallets/${wallet.wallet_id}`);
      return body.balances.map(({ token, total }: Record<string, string>) => `${total} ${token}`);
    };
    const freeze = (frozen: FreezeMode) =>
      withTransaction(harness.app.db, tenant.tenantId, (tx) =>
        updateAccounts(
          tx,
          {
            ...{ tenantId: tenant.tenantId, mode: "test", subjectType: "wallet" },
            subjectIds: [wallet.wallet_id],
          },
          { frozen },
        ),
      );
    return { tenant, wallet, fund, totals, freeze };
  }

  it("200: adds USDC; an entry and an event", async () => {
    const { wallet, fund, totals } = await seed();

    const { status, body } = await fund({ amount: "12.5" });

    expect(status).toBe(200);
    expect(body).toEqual({
      object: "wallet_funding",
      funding_id: expect.stringMatching(/^fund_/),
      wallet_id: wallet.wallet_id,
      token: "USDC",
      amount: "12.50",
      balances: expect.arrayContaining([
        expect.objectContaining({
          ...{ token: "USDC", total: "12.50", available: "12.50", held: "0.00" },
          ...{ base_units: "12500000", usd_value: "12.50" },
        }),
      ]),
      mode: "test",
      created_at: harness.clock.now().toISOString(),
    });
    expect(await totals()).toEqual(["12.50 USDC", "0.00 USDT", "0.00 PYUSD", "0.00 EURC"]);
    const [, event] = await eventsOf(harness.app, wallet.wallet_id);
    expect(event).toMatchObject({
      type: "wallet.deposit_received",
      data: { object: "wallet", balances: body.balances },
    });
    const [, entry] = await auditOf(harness.app, wallet.wallet_id);
    expect(entry).toMatchObject({
      action: "wallet.deposit_received",
      facts: { funding_id: body.funding_id, token: "USDC", amount: "12.50" },
    });
    await expect(checkLedger(harness.app)).resolves.toBeUndefined();
  });

  it("200: every token, exactly, up to 10,000 in one call", async () => {
    const { fund, totals } = await seed();

    for (const [token, amount] of [
      ["USDT", "10000"],
      ["PYUSD", "0.000001"],
      ["EURC", 9999.999999],
    ]) {
      expect((await fund({ token, amount })).status).toBe(200);
    }

    expect(await totals()).toEqual([...["0.00 USDC", "10000.00 USDT", "0.000001 PYUSD", "9999.999999 EURC"]]);
  });

  it("200: once for each Idempotency-Key", async () => {
    const { fund, totals } = await seed();
    const key = { "idempotency-key": randomUUID() };

    const [first, second] = [await fund({ amount: "1" }, key), await fund({ amount: "1" }, key)];

    expect(second.text).toBe(first.text);
    expect((await totals())[0]).toBe("1.00 USDC");
  });

  it("200: concurrent calls add up", async () => {
    const { fund, totals } = await seed();
    await Promise.all(Array.from({ length: 20 }, () => fund({ amount: "0.01" })));
    expect((await totals())[0]).toBe("0.20 USDC");
  });

  it("200: opens no socket", async () => {
    const { fund } = await seed();
    // The database's connections are open.
    await fund({ amount: "1" });
    const opened = vi.spyOn(Socket.prototype, "connect");
    const fetched = vi.spyOn(globalThis, "fetch");

    const { status } = await fund({ amount: "1" });

    expect(status).toBe(200);
    expect([opened.mock.calls, fetched.mock.calls]).toEqual([[], []]);
    // The spy sees sockets.
    connect(9, "127.0.0.1").on("error", () => {});
    expect(opened).toHaveBeenCalledOnce();
  });

  const INVALID: readonly (readonly [name: string, body: object, pointer: string])[] = [
    ...["0", "0.00", "-1", "10000.000001", "10001", "0.0000001", "1e2", "", "NaN"].map(
      (amount) => [`the amount ${amount}`, { amount }, "/body/amount"] as const,
    ),
    ["no amount", {}, "/body/amount"],
    ["an unknown token", { amount: "1", token: "DAI" }, "/body/token"],
    ["a token in lowercase", { amount: "1", token: "usdc" }, "/body/token"],
    ["an unknown field", { amount: "1", wallet_id: "w" }, "/body/wallet_id"],
  ];
  it.each(INVALID)("422: %s", async (_name, body, pointer) => {
    const { fund, totals } = await seed();

    const answer = await fund(body);

    expect(answer.status).toBe(422);
    expect(answer.body.errors[0]).toMatchObject({ pointer });
    expect((await totals())[0]).toBe("0.00 USDC");
  });

  it("403: the account's own live wallet, with either key; a live key even before validation", async () => {
    const { tenant, wallet } = await seed();
    const live = await harness.seedKey(tenant.tenantId);
    const liveWallet = await createWallet(live);
    const codeOf = async (caller: typeof live, walletId: string, body: object) => {
      const answer = await caller.post(`/wallets/${walletId}/fund`, body);
      return `${answer.status} ${answer.body.code}`;
    };

    expect(await codeOf(tenant, liveWallet.wallet_id, { amount: "1" })).toBe("403 live_wallet");
    expect(await codeOf(live, liveWallet.wallet_id, { amount: "1" })).toBe("403 live_wallet");
    expect(await codeOf(live, wallet.wallet_id, { amount: "x" })).toBe("403 live_wallet");
    expect(await codeOf(live, "wal_x", {})).toBe("403 live_wallet");
    expect((await codeOf(tenant, liveWallet.wallet_id, { amount: "0" })).slice(0, 3)).toBe("422");
  });

  it("404: another tenant's live or test wallet, and the live wallet of another agent", async () => {
    const { tenant, wallet } = await seed();
    const stranger = await harness.seedTenant();
    const foreign = await createWallet(stranger);
    const live = await createWallet(await harness.seedKey(tenant.tenantId));
    const bound = await harness.seedKey(tenant.tenantId, {
      ...{ mode: "test", agentIds: [wallet.agent_id] },
    });
    const fund = (caller: typeof bound, walletId: string) => caller.post(`/wallets/${walletId}/fund`, { amount: "1" });

    const answers = [
      await fund({ ...bound, ...tenant }, foreign.wallet_id),
      await fund(bound, live.wallet_id),
      await fund({ ...bound, ...(await harness.seedTenant({ mode: "test" })) }, wallet.wallet_id),
    ];

    expect(answers.map(({ body }) => body.code)).toEqual(Array(3).fill("wallet_not_found"));
    expect((await fund(bound, wallet.wallet_id)).status).toBe(200);
  });

  it("403: a wallet frozen with mode full; outgoing_only accepts deposits", async () => {
    const { fund, freeze, totals } = await seed();

    await freeze("outgoing_only");
    expect((await fund({ amount: "1" })).status).toBe(200);
    await freeze("full");
    const refused = await fund({ amount: "1" });

    expect([refused.status, refused.body.code]).toEqual([403, "wallet_frozen"]);
    expect((await totals())[0]).toBe("1.00 USDC");
  });
});
