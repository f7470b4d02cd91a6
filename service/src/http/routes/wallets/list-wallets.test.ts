import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type AnyBody, useHarness } from "../../../../test/harness.ts";
import { createWallet } from "../../../../test/wallets/create-wallet.ts";

const idsOf = (wallets: readonly AnyBody[]) => wallets.map(({ wallet_id }) => wallet_id);

describe("GET /wallets", () => {
  const harness = useHarness();

  it("200: newest first, page by page, in the caller's mode", async () => {
    const tenant = await harness.seedTenant({ mode: "test" });
    const live = await harness.seedKey(tenant.tenantId);
    const liveWallet = await createWallet(live);
    const wallets = [];
    for (let count = 0; count < 5; count += 1) {
      // Two wallets have the same time.
      harness.clock.advanceSeconds(count % 2);
      wallets.unshift(await createWallet(tenant));
    }

    const pages = [];
    let query = "";
    do {
      const { body } = await tenant.get(`/wallets?limit=2${query}`);
      pages.push(body.data);
      query = body.next_cursor === null ? "" : `&cursor=${body.next_cursor}`;
    } while (query !== "");

    expect(pages.map((page) => page.length)).toEqual([2, 2, 1]);
    expect(idsOf(pages.flat())).toEqual(idsOf(wallets));
    expect(pages[0]?.[0]).toMatchObject({ ...wallets[0], balances_as_of: expect.any(String) });
    expect(idsOf((await live.get("/wallets")).body.data)).toEqual([liveWallet.wallet_id]);
  });

  it("200: filters by agent, network and status", async () => {
    const tenant = await harness.seedTenant({ mode: "test" });
    const agent_id = randomUUID();
    const base = await createWallet(tenant, { agent_id });
    const polygon = await createWallet(tenant, { agent_id, network: "polygon" });
    const other = await createWallet(tenant);
    const list = async (query: string) => idsOf((await tenant.get(`/wallets?${query}`)).body.data);

    expect(await list(`agent_id=${agent_id.toUpperCase()}`)).toEqual(idsOf([polygon, base]));
    expect(await list("network=eip155:8453")).toEqual(idsOf([other, base]));
    expect(await list(`agent_id=${agent_id}&network=base`)).toEqual(idsOf([base]));
    expect(await list("status=active")).toHaveLength(3);
    expect(await list("status=frozen")).toEqual([]);
  });

  it("200: only the wallets of X-Agent-ID, and of the key's agents", async () => {
    const tenant = await harness.seedTenant({ mode: "test" });
    const own = await createWallet(tenant);
    const other = await createWallet(tenant);
    const bound = await harness.seedKey(tenant.tenantId, {
      ...{ mode: "test", agentIds: [own.agent_id] },
    });
    const headers = { "x-agent-id": own.agent_id };

    expect(idsOf((await tenant.get("/wallets", { headers })).body.data)).toEqual([own.wallet_id]);
    expect(idsOf((await bound.get("/wallets")).body.data)).toEqual([own.wallet_id]);
    const filtered = await bound.get(`/wallets?agent_id=${other.agent_id}`);
    expect(filtered.body.data).toEqual([]);
    const unknown = await tenant.get("/wallets", { headers: { "x-agent-id": randomUUID() } });
    expect([unknown.status, unknown.body.code]).toEqual([404, "agent_not_found"]);
  });

  it.each(["limit=0", "limit=101", "cursor=x", "network=bitcoin", "status=lost", "agent_id=x", "page=1"])(
    "422: %s",
    async (query) => {
      const tenant = await harness.seedTenant({ mode: "test" });
      expect((await tenant.get(`/wallets?${query}`)).status).toBe(422);
    },
  );
});

describe("GET /wallets/agent/{agent_id}", () => {
  const harness = useHarness();

  it("200: all wallets of the agent; an empty list for an agent without wallets or an unknown one", async () => {
    const tenant = await harness.seedTenant({ mode: "test" });
    const agent_id = randomUUID();
    const base = await createWallet(tenant, { agent_id });
    const polygon = await createWallet(tenant, { agent_id, network: "polygon" });
    await createWallet(tenant);

    const { body } = await tenant.get(`/wallets/agent/${agent_id.toUpperCase()}`);

    expect(body).toMatchObject({ object: "list", agent_id });
    expect(idsOf(body.data)).toEqual(idsOf([polygon, base]));
    const unknown = randomUUID();
    expect((await tenant.get(`/wallets/agent/${unknown}`)).body).toEqual({
      ...{ object: "list", agent_id: unknown, data: [] },
    });
    const named = await tenant.get(`/wallets/agent/${unknown}`, {
      headers: { "x-agent-id": unknown },
    });
    expect(named.status).toBe(200);
  });

  it("404: a malformed id, another agent than X-Agent-ID, and another agent than the key's", async () => {
    const tenant = await harness.seedTenant({ mode: "test" });
    const own = await createWallet(tenant);
    const other = await createWallet(tenant);
    const bound = await harness.seedKey(tenant.tenantId, {
      ...{ mode: "test", agentIds: [own.agent_id] },
    });
    const headers = { "x-agent-id": other.agent_id };

    const answers = [
      await tenant.get("/wallets/agent/x"),
      await tenant.get(`/wallets/agent/${own.agent_id}`, { headers }),
      await bound.get(`/wallets/agent/${other.agent_id}`),
    ];

    expect(answers.map(({ body }) => body.code)).toEqual(Array(3).fill("agent_not_found"));
    expect((await bound.get(`/wallets/agent/${own.agent_id}`)).body.data).toHaveLength(1);
  });
});
