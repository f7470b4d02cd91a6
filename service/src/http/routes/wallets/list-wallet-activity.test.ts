import { describe, expect, it } from "vitest";
import { type AnyBody, useHarness } from "../../../../test/harness.ts";
import { paymentsOf } from "../../../../test/payments/payments-of.ts";
import { createWallet } from "../../../../test/wallets/create-wallet.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { newId } from "../../../foundation/ids.ts";

describe("GET /wallets/{wallet_id}/activity", () => {
  const harness = useHarness();
  const { arrange, query } = paymentsOf(harness);

  it("200: deposits, payments and freezes, newest first, page by page", async () => {
    const tenant = await harness.seedTenant({ mode: "test" });
    const payer = await createWallet(tenant);
    const payee = await createWallet(tenant);
    const funded = await tenant.post(`/wallets/${payer.wallet_id}/fund`, { amount: "5" });
    harness.clock.advanceSeconds(1);
    const headers = { "x-agent-id": payer.agent_id };
    const paid = await tenant.post(
      "/payments/send",
      { agent_id: payer.agent_id, amount: "2", to: { type: "wallet", value: payee.wallet_id } },
      { headers },
    );
    expect(paid.status).toBe(200);
    const freezeId = newId("frz");
    await withTransaction(harness.app.db, tenant.tenantId, (tx) =>
      tx
        .insertInto("walletFreezes")
        .values({
          ...{ tenantId: tenant.tenantId, freezeId, walletId: payer.wallet_id, mode: "test" },
          ...{ action: "freeze", freezeMode: "full", source: "developer", reason: "anomaly" },
          actor: JSON.stringify({ type: "developer", id: tenant.tenantId }),
          createdAt: new Date(harness.clock.now().getTime() + 1_000),
        })
        .execute(),
    );

    const { body } = await tenant.get(`/wallets/${payer.wallet_id}/activity`);

    const none = {
      ...{ direction: null, signed_amount: null, captured_amount: null },
      ...{ token: null, amount: null, status: null, tx_hash: null, payment_id: null, freeze: null },
    };
    const common = { object: "wallet_activity", wallet_id: payer.wallet_id, ...none };
    expect(body.data.map(({ created_at, ...item }: AnyBody) => item)).toEqual([
      {
        ...{ ...common, activity_id: freezeId, type: "freeze" },
        freeze: {
          ...{ mode: "full", source: "developer", reason: "anomaly", note: null, reference: null },
          by: { type: "developer", id: tenant.tenantId },
        },
      },
      {
        ...{ ...common, activity_id: paid.body.payment_id, type: "payment", token: "USDC" },
        ...{ amount: "2.00", status: "confirmed", payment_id: paid.body.payment_id },
        ...{ direction: "out", signed_amount: "-2.00" },
      },
      {
        ...{ ...common, activity_id: funded.body.funding_id, type: "deposit", token: "USDC" },
        ...{ amount: "5.00", status: "confirmed", direction: "in", signed_amount: "5.00" },
      },
    ]);
    const received = await tenant.get(`/wallets/${payee.wallet_id}/activity`);
    expect(received.body.data).toMatchObject([{ type: "deposit", amount: "2.00", payment_id: paid.body.payment_id }]);

    const pages = [];
    let query = "";
    do {
      const page = await tenant.get(`/wallets/${payer.wallet_id}/activity?limit=1${query}`);
      pages.push(...page.body.data);
      query = page.body.next_cursor === null ? "" : `&cursor=${page.body.next_cursor}`;
    } while (query !== "");
    expect(pages).toEqual(body.data);
  });

  it("200: refunds, and the captured part of an authorization; the signed amounts add up to the balance", async () => {
    const { seed, act, payer, payee, tenant } = await arrange();
    const activityOf = async (walletId: string, query = "") =>
      (await tenant.get(`/wallets/${walletId}/activity?limit=100${query}`)).body.data as AnyBody[];
    const own = { walletId: payer.walletId, opening: 100 };
    const other = { walletId: payee.walletId, opening: 20 };
    const [captured, voided, paid, refused] = [
      await seed(),
      await seed(),
      await seed({ status: "confirmed" }),
      await seed({ status: "denied" }),
    ];
    expect((await activityOf(own.walletId)).map((item) => [item.signed_amount, item.captured_amount])).toEqual([
      ["0.00", null],
      ["-10.00", null],
      ["0.00", null],
      ["0.00", null],
    ]);
    await act("capture", captured, { amount: "4.00" });
    await act("void", voided);
    harness.clock.advanceSeconds(1);
    await act("refund", paid, { amount: "2.50" });
    harness.clock.advanceSeconds(1);
    await act("refund", captured);

    const items = await activityOf(own.walletId);
    const fields = (item: AnyBody) => [
      ...[item.type, item.payment_id, item.direction, item.status],
      ...[item.amount, item.signed_amount, item.captured_amount],
    ];

    expect(items.slice(0, 2).map(fields)).toEqual([
      ["refund", captured, "in", "confirmed", "4.00", "4.00", null],
      ["refund", paid, "in", "confirmed", "2.50", "2.50", null],
    ]);
    expect(items.slice(2).map(fields).toSorted()).toEqual(
      [
        ["payment", captured, "out", "refunded", "10.00", "-4.00", "4.00"],
        ["payment", voided, "out", "voided", "10.00", "0.00", null],
        ["payment", paid, "out", "partially_refunded", "10.00", "-10.00", null],
        ["payment", refused, "out", "denied", "10.00", "0.00", null],
      ].toSorted(),
    );
    const received = await activityOf(other.walletId);
    expect(received.slice(0, 2).map(fields)).toEqual([
      ["refund", captured, "out", "confirmed", "4.00", "-4.00", null],
      ["refund", paid, "out", "confirmed", "2.50", "-2.50", null],
    ]);
    for (const { walletId, opening } of [own, other]) {
      const signed = (await activityOf(walletId)).map(({ signed_amount }) => Number(signed_amount));
      const { balances } = (await tenant.get(`/wallets/${walletId}/balance?refresh=true`)).body;
      const { total } = balances.find(({ token }: AnyBody) => token === "USDC");
      expect(opening + signed.reduce((sum, each) => sum + each, 0)).toBe(Number(total));
    }
    const pages: AnyBody[] = [];
    let cursor = "";
    do {
      const { body } = await tenant.get(`/wallets/${own.walletId}/activity?limit=1${cursor}`);
      pages.push(...body.data);
      cursor = body.next_cursor === null ? "" : `&cursor=${body.next_cursor}`;
    } while (cursor !== "");
    expect(pages).toEqual(items);
  });

  it("200: a deposit on the chain has entered the wallet once it is confirmed", async () => {
    const tenant = await harness.seedTenant({ mode: "test" });
    const { wallet_id } = await createWallet(tenant);
    for (const status of ["pending", "confirmed"]) {
      await query(
        `insert into deposits (tenant_id, deposit_id, wallet_id, mode, network, transaction_hash, ordinal, block_number, sender,
            asset, base_units, status, created_at)
          values ($1, $2, $3, 'live', 'base', $2, 1, 1, $4, 'usdc', 1500000, $5, now())`,
        [tenant.tenantId, newId("dep"), wallet_id, `0x${"1".repeat(40)}`, status],
      );
    }

    const { data } = (await tenant.get(`/wallets/${wallet_id}/activity`)).body;

    expect(data.map((item: AnyBody) => [item.status, item.direction, item.amount, item.signed_amount])).toEqual(
      expect.arrayContaining([
        ["pending", "in", "1.50", "0.00"],
        ["confirmed", "in", "1.50", "1.50"],
      ]),
    );
  });

  it("200: an empty list of a new wallet; 422: a cursor of another list", async () => {
    const tenant = await harness.seedTenant({ mode: "test" });
    const { wallet_id } = await createWallet(tenant);
    await createWallet(tenant);
    const list = (query = "") => tenant.get(`/wallets/${wallet_id}/activity${query}`);

    expect((await list()).body).toMatchObject({ data: [], has_more: false, next_cursor: null });
    const { next_cursor } = (await tenant.get("/wallets?limit=1")).body;
    expect((await list(`?cursor=${next_cursor}`)).status).toBe(422);
  });
});
