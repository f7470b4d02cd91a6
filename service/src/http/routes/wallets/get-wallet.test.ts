import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type AnyBody, useHarness } from "../../../../test/harness.ts";
import { createWallet } from "../../../../test/wallets/create-wallet.ts";

const AGENTS = [randomUUID(), randomUUID(), randomUUID()] as const;

describe("wallets and X-Agent-ID", () => {
  const harness = useHarness();

  it("200 for the wallet of the agent in X-Agent-ID, else 404, in every combination", async () => {
    const tenant = await harness.seedTenant({ mode: "test" });
    const wallets: AnyBody[] = [];
    for (const agent_id of AGENTS) wallets.push(await createWallet(tenant, { agent_id }));

    const pairs = AGENTS.flatMap((agentId) => wallets.map((wallet) => ({ agentId, wallet })));
    for (const { agentId, wallet } of pairs) {
      const expected = agentId === wallet.agent_id ? 200 : 404;
      const statuses = await callAll(tenant, wallet.wallet_id, agentId);
      expect(statuses).toEqual(Array(6).fill(expected));
    }
  });

  /** Calls every route of a wallet, as the agent. */
  async function callAll(
    tenant: Awaited<ReturnType<typeof harness.seedTenant>>,
    walletId: string,
    agentId: string,
  ): Promise<number[]> {
    const path = `/wallets/${walletId}`;
    const options = { headers: { "x-agent-id": agentId.toUpperCase() } };
    const answers = [
      await tenant.get(path, options),
      await tenant.get(`${path}/balance`, options),
      // From the cache.
      await tenant.get(`${path}/balance`, options),
      await tenant.get(`${path}/activity`, options),
      await tenant.patch(path, { name: "ops" }, options),
      await tenant.post(`${path}/fund`, { amount: "1" }, options),
    ];
    return answers.map(({ status }) => status);
  }

  it("404: an agent that the tenant does not have; 422: a malformed one", async () => {
    const tenant = await harness.seedTenant({ mode: "test" });
    const { wallet_id } = await createWallet(tenant);
    const get = (agentId: string) => tenant.get(`/wallets/${wallet_id}`, { headers: { "x-agent-id": agentId } });

    expect((await get(randomUUID())).body.code).toBe("wallet_not_found");
    expect((await get("x")).status).toBe(422);
  });

  it("404: a key bound to agents reaches only their wallets, with any X-Agent-ID", async () => {
    const tenant = await harness.seedTenant({ mode: "test" });
    const own = await createWallet(tenant);
    const other = await createWallet(tenant);
    const agentIds = [own.agent_id.toUpperCase()];
    const bound = await harness.seedKey(tenant.tenantId, { mode: "test", agentIds });
    const statusOf = async (walletId: string, headers: Readonly<Record<string, string>> = {}) =>
      (await bound.get(`/wallets/${walletId}`, { headers })).status;

    expect(await statusOf(own.wallet_id)).toBe(200);
    expect(await statusOf(other.wallet_id)).toBe(404);
    expect(await statusOf(other.wallet_id, { "x-agent-id": other.agent_id })).toBe(404);
    expect(await statusOf(own.wallet_id, { "x-agent-id": other.agent_id })).toBe(404);
    expect((await bound.get(`/wallets/${other.wallet_id}/balance`)).status).toBe(404);
  });
});
