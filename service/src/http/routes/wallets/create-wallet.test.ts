import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { postAgent } from "../../../../test/agents/seed-agents.ts";
import { type ApiResponse, useHarness } from "../../../../test/harness.ts";
import { auditOf, eventsOf } from "../../../../test/project-seeds.ts";
import { agentAccountOf } from "../../../crypto/agent-account.ts";
import { EVM_NETWORKS } from "../../../foundation/blockchain-networks.ts";

const RECOVERY = "0x52908400098527886E0F7030069857D2E4169EE7";
const USDC_ON_BASE = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const NO_BALANCE = { decimals: 6, total: "0.00", available: "0.00", held: "0.00", base_units: "0" };

const codeOf = ({ status, body }: ApiResponse) => `${status} ${body.code}`;

describe("POST /wallets/create", () => {
  const harness = useHarness();

  async function seedTest() {
    const tenantId = await harness.seedDeveloper();
    return { tenantId, ...(await harness.seedKey(tenantId, { mode: "test" })) };
  }

  it("201: agent and network are enough; an unknown agent is created with the starter policy", async () => {
    const tenant = await seedTest();
    const agentId = randomUUID();

    const { status, body } = await tenant.post("/wallets/create", {
      agent_id: agentId.toUpperCase(),
      network: "base",
    });

    expect(status).toBe(201);
    expect(body).toEqual({
      object: "wallet",
      wallet_id: expect.stringMatching(/^wal_[0-9a-z]{26}$/),
      mode: "test",
      agent_id: agentId,
      name: null,
      network: "base",
      chain_id: "eip155:8453",
      address: expect.stringMatching(ADDRESS),
      account_type: "erc4337_v0.8",
      entry_point: "0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108",
      factory: expect.stringMatching(ADDRESS),
      salt: "0",
      owner: expect.stringMatching(ADDRESS),
      recovery_address: null,
      deployment_status: "counterfactual",
      deployment_tx: null,
      status: "active",
      gas: "sponsored",
      policy_id: null,
      freeze: {
        database: { frozen: false },
        onchain: { status: "not_frozen", tx_hash: null, block_number: null },
        mode: null,
        reason: null,
        note: null,
        reference: null,
        frozen_by: null,
        frozen_at: null,
        expires_at: null,
      },
      balances: [
        {
          token: "USDC",
          contract: USDC_ON_BASE,
          usd_value: "0.00",
          ...NO_BALANCE,
        },
        { token: "USDT", contract: null, usd_value: "0.00", ...NO_BALANCE },
        { token: "PYUSD", contract: null, usd_value: "0.00", ...NO_BALANCE },
        { token: "EURC", contract: null, usd_value: null, ...NO_BALANCE },
      ],
      balances_as_of: "2026-11-21T10:00:00.000Z",
      metadata: {},
      created_at: "2026-11-21T10:00:00.000Z",
      updated_at: "2026-11-21T10:00:00.000Z",
    });
    expect((await tenant.get(`/wallets/${body.wallet_id}`)).body).toEqual(body);
    expect((await tenant.get(`/agents/${agentId}`)).body).toMatchObject({
      status: "active",
      name: agentId,
    });
    expect((await tenant.get("/policies")).body.data).toHaveLength(1);
    expect(await eventsOf(harness.app, body.wallet_id)).toMatchObject([
      { type: "wallet.created", data: body, actor: { type: "developer" } },
    ]);
    const facts = { agent_id: agentId, network: "base", address: body.address };
    expect(await auditOf(harness.app, body.wallet_id)).toMatchObject([{ action: "wallet.created", facts }]);
  });

  it("201: every field; the address is that of the factory's account", async () => {
    const tenant = await seedTest();
    const { agent_id } = await postAgent(tenant);
    const { policy_id } = (await tenant.post("/policies", { name: "p", rules: [] })).body;
    const fields = { name: "ops-1", policy_id, metadata: { team: "a" }, gas: "sponsored" };

    const { status, body } = await tenant.post("/wallets/create", {
      ...{ agent_id, network: "eip155:84532", recovery_address: RECOVERY.toLowerCase() },
      ...{ account_type: "erc4337_v0.8", deploy: "immediate", ...fields },
    });

    expect(status).toBe(201);
    expect(body).toMatchObject({
      ...{ ...fields, agent_id, network: "base-sepolia", chain_id: "eip155:84532" },
      ...{ recovery_address: RECOVERY, deployment_status: "counterfactual" },
    });
    const { address, factory } = agentAccountOf("local", {
      ...{ owner: body.owner, recoveryAddress: RECOVERY, salt: 0n },
    });
    expect([body.address, body.factory]).toEqual([address, factory]);
    expect(codeOf(await tenant.delete(`/policies/${policy_id}`))).toBe("409 conflict");
  });

  it("201: opens the accounts of the wallet, and those of the tenant's faucet and of other parties", async () => {
    const tenant = await seedTest();
    const { agent_id } = await postAgent(tenant);
    const create = (network: string) => tenant.post("/wallets/create", { agent_id, network });

    const wallets = [(await create("base")).body, (await create("polygon")).body];

    const accounts = await harness.app.db
      .selectFrom("ledgerAccounts")
      .select(["kind", "subjectType", "subjectId", "asset", "stopped", "frozen"])
      .where("tenantId", "=", tenant.tenantId)
      .execute();
    const subjects = accounts.map((one) => `${one.kind} ${one.subjectType} ${one.subjectId}`);
    expect(new Set(subjects)).toEqual(
      new Set([
        ...wallets.map(({ wallet_id }) => `wallet wallet ${wallet_id}`),
        `external external ${tenant.tenantId}`,
        `faucet faucet ${tenant.tenantId}`,
      ]),
    );
    expect(accounts).toHaveLength(16);
    expect(accounts.every(({ stopped, frozen }) => !stopped && frozen === null)).toBe(true);
  });

  it("201: test wallets can be on every EVM network, and an agent has one on each in each mode", async () => {
    const tenant = await seedTest();
    const live = await harness.seedKey(tenant.tenantId);
    const agent_id = randomUUID();

    for (const network of EVM_NETWORKS) {
      const { status, body } = await tenant.post("/wallets/create", { agent_id, network });
      expect([status, body.network]).toEqual([201, network]);
    }
    const other = await live.post("/wallets/create", { agent_id, network: "base" });
    expect([other.status, other.body.mode]).toEqual([201, "live"]);
  });

  it("409: a second wallet on the same network; the body has the id of the first", async () => {
    const tenant = await seedTest();
    const wallet = { agent_id: randomUUID(), network: "base" };
    const first = await tenant.post("/wallets/create", wallet);

    const second = await tenant.post("/wallets/create", { ...wallet, network: "eip155:8453" });

    expect(second.status).toBe(409);
    expect(second.body).toMatchObject({
      code: "wallet_already_exists",
      wallet_id: first.body.wallet_id,
    });
  });

  it("201: of concurrent calls one creates the wallet, also for an unknown agent", async () => {
    const tenant = await seedTest();
    const wallet = { agent_id: randomUUID(), network: "base" };

    const answers = await Promise.all(Array.from({ length: 6 }, () => tenant.post("/wallets/create", wallet)));

    const [created, ...others] = answers.sort((a, b) => a.status - b.status);
    expect([created?.status, ...others.map(({ status }) => status)]).toEqual([...[201, 409, 409, 409, 409, 409]]);
    const ids = others.map(({ body }) => body.wallet_id);
    expect(new Set(ids)).toEqual(new Set([created?.body.wallet_id]));
  });

  it("201: the same Idempotency-Key creates one wallet, also after 29 days", async () => {
    const tenant = await seedTest();
    const headers = { "idempotency-key": randomUUID() };
    const wallet = { agent_id: randomUUID(), network: "base" };

    const first = await tenant.post("/wallets/create", wallet, { headers });
    harness.clock.advanceSeconds(29 * 24 * 3600);
    const second = await tenant.post("/wallets/create", wallet, { headers });

    expect([second.status, second.text]).toEqual([201, first.text]);
  });

  it.each([
    ["no agent", { agent_id: undefined }, "/body/agent_id"],
    ["a malformed agent", { agent_id: "a" }, "/body/agent_id"],
    ["no network", { network: undefined }, "/body/network"],
    ["an unknown network", { network: "bitcoin" }, "/body/network"],
    ["an unknown CAIP-2 id", { network: "eip155:5" }, "/body/network"],
    ["a name of one character", { name: "a" }, "/body/name"],
    ["a name with a space", { name: "a b" }, "/body/name"],
    ["a name of 37 characters", { name: "a".repeat(37) }, "/body/name"],
    ["another account type", { account_type: "eoa" }, "/body/account_type"],
    ["gas of its own", { gas: "self" }, "/body/gas"],
    ["another deployment", { deploy: "now" }, "/body/deploy"],
    ["an unknown policy", { policy_id: "pol_x" }, "/body/policy_id"],
    ["a wrong checksum", { recovery_address: RECOVERY.replace("E7", "e7") }, "/body/recovery_address"],
    ["a short address", { recovery_address: "0x52" }, "/body/recovery_address"],
    ["the zero address", { recovery_address: `0x${"0".repeat(40)}` }, "/body/recovery_address"],
    ["an unknown field", { owner: "me" }, "/body/owner"],
  ])("422: %s", async (_name, change, pointer) => {
    const tenant = await seedTest();

    const { status, body } = await tenant.post("/wallets/create", {
      ...{ agent_id: randomUUID(), network: "base", ...change },
    });

    expect(status).toBe(422);
    expect(body.errors).toMatchObject([{ pointer }]);
  });

  it("422: Solana, by name and by CAIP-2 id", async () => {
    const tenant = await seedTest();
    for (const network of ["solana", "solana-devnet", "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"]) {
      const answer = await tenant.post("/wallets/create", { agent_id: randomUUID(), network });
      expect(codeOf(answer)).toBe("422 network_not_enabled");
    }
  });

  it("422: X-Agent-ID and agent_id name different agents", async () => {
    const tenant = await seedTest();
    const headers = { "x-agent-id": randomUUID() };
    const wallet = { agent_id: randomUUID(), network: "base" };

    const answer = await tenant.post("/wallets/create", wallet, { headers });

    expect(answer.status).toBe(422);
    expect(answer.body.errors).toMatchObject([{ pointer: "/body/agent_id", code: "mismatch" }]);
  });

  it("503: a live account cannot be deployed at once", async () => {
    const { post } = await harness.seedTenant();
    const wallet = { agent_id: randomUUID(), network: "base" };

    const answer = await post("/wallets/create", { ...wallet, deploy: "immediate" });

    expect(codeOf(answer)).toBe("503 network_unavailable");
    expect((await post("/wallets/create", wallet)).status).toBe(201);
  });

  it("403: an agent that is suspended, revoked or deleted", async () => {
    const tenant = await seedTest();
    for (const act of ["suspend", "revoke", "delete"]) {
      const { agent_id } = await postAgent(tenant);
      await (act === "delete" ? tenant.delete(`/agents/${agent_id}`) : tenant.post(`/agents/${agent_id}/${act}`, {}));

      const answer = await tenant.post("/wallets/create", { agent_id, network: "base" });

      expect([act, codeOf(answer)]).toEqual([act, "403 agent_suspended"]);
    }
  });

  it("201: the actor is the agent with X-Agent-ID, and with a key bound to agents", async () => {
    const tenant = await seedTest();
    const agentId = randomUUID();
    const bound = await harness.seedKey(tenant.tenantId, { mode: "test", agentIds: [agentId] });
    const body = { agent_id: agentId };
    const headers = { "x-agent-id": agentId.toUpperCase() };

    const named = await tenant.post("/wallets/create", { ...body, network: "base" }, { headers });
    const own = await bound.post("/wallets/create", { ...body, network: "polygon" });

    expect([named.status, own.status]).toEqual([201, 201]);
    const actorOf = async (id: string) => (await auditOf(harness.app, id))[0]?.actor;
    const actor = { type: "agent", id: agentId, ip: expect.any(String) };
    expect(await actorOf(named.body.wallet_id)).toEqual({ ...actor, key_id: tenant.keyId });
    expect(await actorOf(own.body.wallet_id)).toEqual({ ...actor, key_id: bound.keyId });
  });

  it("404: a key bound to agents cannot create wallets of other agents, or other agents", async () => {
    const tenant = await seedTest();
    const { agent_id } = await postAgent(tenant);
    const bound = await harness.seedKey(tenant.tenantId, {
      ...{ mode: "test", agentIds: [randomUUID()] },
    });

    for (const other of [agent_id, randomUUID()]) {
      const answer = await bound.post("/wallets/create", { agent_id: other, network: "base" });
      expect(codeOf(answer)).toBe("404 agent_not_found");
    }
  });

  it("403: a key bound to agents cannot choose the policy that replaces the starter policy", async () => {
    const tenant = await seedTest();
    const { agent_id } = await postAgent(tenant);
    const rules = [{ id: "all", effect: "allow", operation: "*" }];
    const { policy_id } = (await tenant.post("/policies", { name: "lax", rules })).body;
    const bound = await harness.seedKey(tenant.tenantId, { mode: "test", agentIds: [agent_id] });
    const body = { agent_id, network: "base", policy_id };

    expect(codeOf(await bound.post("/wallets/create", body))).toBe("403 insufficient_scope");
    expect((await bound.post("/wallets/create", { ...body, policy_id: null })).status).toBe(201);
    const other = { ...body, network: "polygon" };
    expect((await tenant.post("/wallets/create", other)).body).toMatchObject({ policy_id });
  });

  it("403: a key bound to agents cannot name who recovers the wallet", async () => {
    const tenant = await seedTest();
    const { agent_id } = await postAgent(tenant);
    const bound = await harness.seedKey(tenant.tenantId, { mode: "test", agentIds: [agent_id] });
    const recovery_address = "0x8ba1f109551bD432803012645Ac136ddd64DBA72";
    const body = { agent_id, network: "base", recovery_address };

    expect(await bound.post("/wallets/create", body)).toMatchObject({
      status: 403,
      body: {
        code: "insufficient_scope",
        detail: expect.stringContaining("cannot set recovery_address"),
      },
    });
    expect((await tenant.post("/wallets/create", body)).body).toMatchObject({ recovery_address });
  });

  describe("policies", () => {
    async function seedWithRules(...rules: object[]) {
      const tenant = await seedTest();
      const { agent_id } = await postAgent(tenant);
      const policy = await tenant.post("/policies", {
        name: "p",
        applies_to: { agent_ids: [agent_id] },
        rules,
      });
      expect(policy.status).toBeLessThan(300);
      const create = (network: string, headers: Readonly<Record<string, string>> = {}) =>
        tenant.post("/wallets/create", { agent_id, network }, { headers });
      return { tenant, create, asAgent: { "x-agent-id": agent_id as string } };
    }

    it("403: a policy of the agent decides if the agent acts, and not if the developer does", async () => {
      const { create, asAgent } = await seedWithRules();

      const refused = await create("base", asAgent);

      expect(codeOf(refused)).toBe("403 policy_denied");
      expect(refused.body.decision).toMatchObject({ rule_id: "default" });
      expect((await create("base")).status).toBe(201);
    });

    it("403: a rule about the network", async () => {
      const { create, asAgent } = await seedWithRules({
        ...{ id: "only_base", effect: "allow", operation: "wallet.create" },
        when: { network: { eq: "base" } },
      });

      expect((await create("base", asAgent)).status).toBe(201);
      expect(codeOf(await create("polygon", asAgent))).toBe("403 policy_denied");
    });

    it("403: a rule that requires an approval", async () => {
      const { create, asAgent } = await seedWithRules({
        ...{ id: "ask", effect: "require_approval", operation: "wallet.create" },
      });

      expect(codeOf(await create("base", asAgent))).toBe("403 policy_denied");
    });

    it("403: a limit counts wallets, and a refused one leaves nothing behind", async () => {
      const { tenant, create, asAgent } = await seedWithRules(
        { id: "allow", effect: "allow", operation: "wallet.create" },
        { id: "two", effect: "limit", operation: "*", count: { max: 2, period: "rolling_24h" } },
      );

      const answers = [];
      for (const network of ["base", "polygon", "optimism"]) {
        answers.push(await create(network, asAgent));
      }

      expect(answers.map(({ status }) => status)).toEqual([201, 201, 403]);
      expect(answers[2]?.body.decision).toMatchObject({ rule_id: "two", remaining: "0" });
      const wallets = await harness.app.db
        .selectFrom("wallets")
        .select("network")
        .where("tenantId", "=", tenant.tenantId)
        .execute();
      expect(wallets).toHaveLength(2);
    });
  });
});

describe("POST /wallets/create, networks of live wallets", () => {
  const harness = useHarness({ settings: { walletNetworks: ["base-sepolia"] } });

  it("422: only the configured networks are enabled; test wallets are not affected", async () => {
    const live = await harness.seedTenant();
    const test = await harness.seedKey(live.tenantId, { mode: "test" });
    const create = (network: string) => ({ agent_id: randomUUID(), network });

    const refused = await live.post("/wallets/create", create("base"));

    expect(codeOf(refused)).toBe("422 network_not_enabled");
    expect((await live.post("/wallets/create", create("base-sepolia"))).status).toBe(201);
    expect((await test.post("/wallets/create", create("base"))).status).toBe(201);
  });
});
