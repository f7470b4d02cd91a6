import { describe, expect, it } from "vitest";
import { type AnyBody, useHarness } from "../../../../test/harness.ts";
import { createWallet } from "../../../../test/wallets/create-wallet.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { newId } from "../../../foundation/ids.ts";

describe("GET /wallets/{wallet_id}/activity", () => {
  const harness = useHarness();

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

    const none = { token: null, amount: null, status: null, tx_hash: null, payment_id: null, freeze: null };
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
      },
      {
        ...{ ...common, activity_id: funded.body.funding_id, type: "deposit", token: "USDC" },
        ...{ amount: "5.00", status: "confirmed" },
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
