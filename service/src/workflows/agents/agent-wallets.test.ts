import { describe, expect, it } from "vitest";
import { useHarness } from "../../../test/harness.ts";
import { freezesOf } from "../../../test/wallets/frozen-wallet.ts";
import { seedWallet } from "../../../test/wallets/seed-wallet.ts";
import { withTransaction } from "../../db/transaction.ts";
import type { TenantId } from "../../foundation/ids.ts";
import { SCOPES } from "../../foundation/vocabulary.ts";
import { lockAccounts } from "../../ledger/queries.ts";

describe("the wallets of an agent that ends", () => {
  const harness = useHarness();
  const { arrange, rowOf, stateOf, countsOf } = freezesOf(harness);

  async function stoppedOf(tenantId: TenantId, walletId: string) {
    const rows = await harness.app.db
      .selectFrom("ledgerAccounts")
      .select("stopped")
      .where("tenantId", "=", tenantId)
      .where("subjectType", "=", "wallet")
      .where("subjectId", "=", walletId)
      .execute();
    const values = new Set(rows.map(({ stopped }) => stopped));
    expect(values.size).toBe(1);
    return values.has(true);
  }

  it("revoke: all its wallets are frozen and stopped; those of other agents and modes are not", async () => {
    const wallet = await arrange();
    const { tenant, tenantId, agentId } = wallet;
    const seed = async (mode: "live" | "test") => ({
      ...(await seedWallet(harness.app, { tenantId, agentId, network: "polygon", mode })),
      ...{ tenantId, mode },
    });
    const [second, live] = [await seed("test"), await seed("live")];
    const other = await arrange({ developerId: tenantId });

    await tenant.post(`/agents/${agentId}/revoke`, { reason: "spends too much" });

    for (const each of [wallet, second]) {
      expect(await stateOf(each)).toEqual(["frozen", "developer", "full", "full"]);
      expect(await rowOf(each)).toMatchObject({
        freezeReason: "policy_violation",
        freezeNote: "spends too much",
        frozenBy: { type: "developer", id: tenantId },
      });
      expect(await stoppedOf(tenantId, each.walletId)).toBe(true);
      expect(await countsOf(each)).toEqual([1, 1, 1]);
    }
    for (const each of [live, other]) {
      expect((await stateOf(each))[0]).toBe("active");
      expect(await stoppedOf(tenantId, each.walletId)).toBe(false);
    }
  });

  it("revoke: the reason can be the name of another reason", async () => {
    const wallet = await arrange();

    await wallet.tenant.post(`/agents/${wallet.agentId}/revoke`, {
      reason: "suspected_compromise",
    });

    expect(await rowOf(wallet)).toMatchObject({
      freezeReason: "suspected_compromise",
      freezeNote: null,
    });
  });

  it("revoke: an unfrozen wallet stays stopped, and is frozen again by another call", async () => {
    const wallet = await arrange();
    const { tenant, tenantId, agentId, walletId, path } = wallet;
    await tenant.post(`/agents/${agentId}/revoke`);
    await tenant.post(`${path}/unfreeze`);
    expect((await stateOf(wallet))[0]).toBe("active");
    expect(await stoppedOf(tenantId, walletId)).toBe(true);

    expect((await tenant.post(`/agents/${agentId}/revoke`)).status).toBe(200);

    expect((await stateOf(wallet))[0]).toBe("frozen");
    expect(await countsOf(wallet)).toEqual([3, 3, 3]);
  });

  it("409: DELETE of an agent whose wallet has a balance, which changes nothing", async () => {
    const wallet = await arrange();
    const { tenant, tenantId, agentId, walletId } = wallet;
    const bound = await harness.seedKey(tenantId, {
      ...{ mode: "test", scopes: SCOPES, agentIds: [agentId] },
    });

    const { status, body } = await tenant.delete(`/agents/${agentId}`);

    expect([status, body.code]).toEqual([409, "conflict"]);
    expect(body.detail).toContain(`${walletId} has a balance of 1.00 USDC`);
    expect((await tenant.get(`/agents/${agentId}`)).body.status).toBe("active");
    expect((await bound.get("/developers/me")).status).toBe(200);
    expect((await stateOf(wallet))[0]).toBe("active");
    expect(await countsOf(wallet)).toEqual([0, 0, 0]);
  });

  it("204: DELETE of an agent whose wallets are empty freezes them", async () => {
    const wallet = await arrange({ baseUnits: 0n });
    const { tenant, tenantId, agentId, walletId } = wallet;

    expect((await tenant.delete(`/agents/${agentId}`)).status).toBe(204);

    expect(await stateOf(wallet)).toEqual(["frozen", "developer", "full", "full"]);
    expect(await stoppedOf(tenantId, walletId)).toBe(true);
  });

  /** Changes the agent's status while three wallets are created. Returns the tenant. */
  async function raceCreation(verb: "suspend" | "revoke"): Promise<TenantId> {
    const { tenant, tenantId, agentId } = await arrange();
    const create = (network: string) => tenant.post("/wallets/create", { agent_id: agentId, network });
    const [changed, ...created] = await Promise.all([
      tenant.post(`/agents/${agentId}/${verb}`),
      create("polygon"),
      create("arbitrum"),
      create("optimism"),
    ]);
    expect(changed.status).toBe(200);
    const refused = created.filter(({ status }) => status !== 201);
    expect(new Set(["agent_suspended", ...refused.map(({ body }) => body.code)]).size).toBe(1);
    const wallets = await listWallets(tenantId);
    expect(wallets).toHaveLength(1 + created.length - refused.length);
    return tenantId;
  }

  const listWallets = (tenantId: TenantId) =>
    harness.app.db.selectFrom("wallets").select(["walletId", "status"]).where("tenantId", "=", tenantId).execute();

  it.each([
    ["suspend", "active"],
    ["revoke", "frozen"],
  ] as const)("%s: a wallet that is created meanwhile is stopped, or not created", async (verb, expected) => {
    for (let round = 0; round < 8; round += 1) {
      const tenantId = await raceCreation(verb);
      for (const { walletId, status } of await listWallets(tenantId)) {
        expect([status, await stoppedOf(tenantId, walletId)]).toEqual([expected, true]);
      }
    }
  });

  it("a freeze waits for a payment that has locked the wallet's accounts", async () => {
    const wallet = await arrange();
    const { tenantId, walletId, tenant, path } = wallet;
    let isPaid = false;

    const held = Promise.withResolvers<void>();
    const payment = withTransaction(harness.app.db, tenantId, async (tx) => {
      await lockAccounts(tx, { ...wallet, subjectType: "wallet", subjectIds: [walletId] });
      held.resolve();
      await tx.selectFrom("wallets").select("walletId").execute();
      isPaid = true;
    });
    await held.promise;
    await tenant.post(`${path}/freeze`, { reason: "anomaly" });

    expect(isPaid).toBe(true);
    await payment;
    expect((await stateOf(wallet))[0]).toBe("frozen");
  });
});
