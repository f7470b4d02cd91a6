import { describe, expect, it } from "vitest";
import { useHarness } from "../../../../test/harness.ts";
import { auditOf, eventsOf } from "../../../../test/project-seeds.ts";
import { createWallet } from "../../../../test/wallets/create-wallet.ts";

describe("PATCH /wallets/{wallet_id}", () => {
  const harness = useHarness();

  it("200: absent fields stay, null clears, and metadata is merged; an entry and an event", async () => {
    const tenant = await harness.seedTenant({ mode: "test" });
    const created = await createWallet(tenant, { name: "ops", metadata: { a: "1", b: "2" } });
    const patch = (change: object) => tenant.patch(`/wallets/${created.wallet_id}`, change);
    harness.clock.advanceSeconds(1);

    const merged = await patch({ metadata: { a: null, c: "3" } });

    const updatedAt = harness.clock.now().toISOString();
    expect(merged.body).toEqual({
      ...{ ...created, metadata: { b: "2", c: "3" } },
      ...{ updated_at: updatedAt, balances_as_of: updatedAt },
    });
    expect((await patch({ name: null })).body.name).toBeNull();
    expect((await patch({ metadata: null })).body.metadata).toEqual({});
    expect((await tenant.get(`/wallets/${created.wallet_id}`)).body).toMatchObject({
      ...{ name: null, metadata: {} },
    });
    const [, event] = await eventsOf(harness.app, created.wallet_id);
    expect(event).toMatchObject({ type: "wallet.updated", data: { metadata: { c: "3" } } });
    const [, entry] = await auditOf(harness.app, created.wallet_id);
    expect(entry).toMatchObject({ action: "wallet.updated", facts: { fields: ["metadata"] } });
  });

  it("200: the same values change nothing", async () => {
    const tenant = await harness.seedTenant({ mode: "test" });
    const created = await createWallet(tenant, { name: "ops", metadata: { a: "1" } });
    harness.clock.advanceSeconds(1);

    for (const same of [{}, { name: "ops" }, { metadata: { a: "1", b: null } }]) {
      const { status, body } = await tenant.patch(`/wallets/${created.wallet_id}`, same);
      expect([status, body.updated_at]).toEqual([200, created.updated_at]);
    }
    expect(await eventsOf(harness.app, created.wallet_id)).toHaveLength(1);
  });

  it("200: the agent's own key may change the wallet, and is the actor", async () => {
    const tenant = await harness.seedTenant({ mode: "test" });
    const { wallet_id, agent_id } = await createWallet(tenant);
    const bound = await harness.seedKey(tenant.tenantId, { mode: "test", agentIds: [agent_id] });

    const { status } = await bound.patch(`/wallets/${wallet_id}`, { name: "ops" });

    expect(status).toBe(200);
    const [, entry] = await auditOf(harness.app, wallet_id);
    expect(entry?.actor).toMatchObject({ type: "agent", id: agent_id, key_id: bound.keyId });
  });

  it.each([
    ["a wrong name", { name: "a b" }],
    ["the network", { network: "base" }],
    ["a policy", { policy_id: null }],
    ["too many keys", { metadata: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [n, "v"])) }],
  ])("422: %s", async (_name, change) => {
    const tenant = await harness.seedTenant({ mode: "test" });
    const { wallet_id } = await createWallet(tenant);
    expect((await tenant.patch(`/wallets/${wallet_id}`, change)).status).toBe(422);
  });
});
