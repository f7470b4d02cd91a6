import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { postAgent, provenKey } from "../../../../test/agents/seed-agents.ts";
import { useHarness } from "../../../../test/harness.ts";
import { auditOf, eventsOf } from "../../../../test/project-seeds.ts";

const HOUR_MS = 3_600_000;

describe("POST /agents", () => {
  const harness = useHarness({ settings: { agentsMax: 6 } });

  const inHours = (hours: number) => new Date(harness.clock.now().getTime() + hours * HOUR_MS).toISOString();

  it("201: only the name is required; one audit entry and one event", async () => {
    const tenant = await harness.seedTenant();

    const { status, body } = await tenant.post("/agents", { name: "buyer-1" });

    expect(status).toBe(201);
    expect(body).toEqual({
      object: "agent",
      agent_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      mode: "live",
      name: "buyer-1",
      description: null,
      status: "active",
      owner_developer_id: tenant.tenantId,
      project_ids: [],
      policy_id: null,
      kya: {
        level: "none",
        score: null,
        status: "pending",
        evidence: [],
        evaluated_at: "2026-11-21T10:00:00.000Z",
        expires_at: null,
        token_url: `/api/v1/svc/agents/${body.agent_id}/kya-token`,
      },
      public_keys: [],
      software: null,
      budget: null,
      expires_at: null,
      parent_agent_id: null,
      metadata: {},
      created_at: "2026-11-21T10:00:00.000Z",
      updated_at: "2026-11-21T10:00:00.000Z",
    });
    const [event] = await eventsOf(harness.app, body.agent_id);
    expect(event).toMatchObject({ type: "agent.created", data: { name: "buyer-1" } });
    const entries = await auditOf(harness.app, body.agent_id);
    expect(entries).toMatchObject([{ action: "agent.created", facts: { name: "buyer-1" } }]);
  });

  it("201: every field; a proven key gives the level basic", async () => {
    const tenant = await harness.seedTenant();
    const agentId = randomUUID();
    const key = provenKey(agentId);
    const fields = {
      name: "buyer",
      description: "Buys books.",
      software: { name: "claude-code", version: "2", model: "m" },
      expires_at: inHours(1),
      metadata: { team: "a" },
    };

    const { status, body } = await tenant.post("/agents", {
      agent_id: agentId.toUpperCase(),
      ...fields,
      ...key,
    });

    expect(status).toBe(201);
    expect(body).toMatchObject({ agent_id: agentId, ...fields });
    expect(body.public_keys).toEqual([
      { kid: expect.stringMatching(/^[0-9a-f]{16}$/), alg: "ed25519", public_key: key.public_key },
    ]);
    expect(body.kya).toMatchObject({
      level: "basic",
      status: "passed",
      evidence: [{ type: "public_key", status: "proven" }],
    });
  });

  it("201: a repeated call with the same Idempotency-Key creates one agent", async () => {
    const tenant = await harness.seedTenant();
    const headers = { "idempotency-key": randomUUID() };

    const first = await tenant.post("/agents", { name: "a" }, { headers });
    const second = await tenant.post("/agents", { name: "a" }, { headers });

    expect([first.status, second.text]).toEqual([201, first.text]);
    expect((await tenant.get("/agents")).body.data).toHaveLength(1);
  });

  it("201: the tenant's policy of the mode; the policy revision is raised", async () => {
    const tenant = await harness.seedTenant();
    const { policy_id } = (await tenant.post("/policies", { name: "p", rules: [] })).body;
    const policy = { name: "a", policy_id };
    const test = await harness.seedKey(tenant.tenantId, { mode: "test" });

    expect((await tenant.post("/agents", policy)).body.policy_id).toBe(policy.policy_id);
    const unknown = await test.post("/agents", policy);

    expect(unknown.body.errors).toMatchObject([{ pointer: "/body/policy_id", code: "unknown" }]);
    const revisions = await harness.app.db
      .selectFrom("policyRevisions")
      .select(["mode", "revision"])
      .where("tenantId", "=", tenant.tenantId)
      .execute();
    expect(revisions).toEqual([{ mode: "live", revision: 3n }]);
  });

  it.each([
    ["no name", {}, "/body/name"],
    ["a name with a line break", { name: "a\nb" }, "/body/name"],
    ["a malformed id", { name: "a", agent_id: "x" }, "/body/agent_id"],
    ["a past expiry", { name: "a", expires_at: "2026-11-21T10:00:00.000Z" }, "/body/expires_at"],
    ["an unknown policy", { name: "a", policy_id: "pol_x" }, "/body/policy_id"],
    ["an unknown parent", { name: "a", parent_agent_id: randomUUID() }, "/body/parent_agent_id"],
    ["an unknown field", { name: "a", status: "active" }, "/body/status"],
    ["an unknown field of the software", { name: "a", software: { x: 1 } }, "/body/software/x"],
    ["a budget", { name: "a", budget: null }, "/body/budget"],
  ])("422: %s", async (_what, body, pointer) => {
    const tenant = await harness.seedTenant();

    const response = await tenant.post("/agents", body);

    expect([response.status, response.body.errors[0]?.pointer]).toEqual([422, pointer]);
    expect((await tenant.get("/agents")).body.data).toEqual([]);
  });

  it("422: a public key without proof, without an id, with the proof of another agent, or of small order", async () => {
    const tenant = await harness.seedTenant();
    const agentId = randomUUID();
    const { public_key, proof } = provenKey(agentId);
    const smallOrder = Buffer.alloc(32).fill(1, 0, 1).toString("base64url");
    const pointer = async (fields: object) => {
      const { status, body } = await tenant.post("/agents", { name: "a", ...fields });
      return status === 422 ? body.errors[0].pointer : status;
    };

    expect(await pointer({ agent_id: agentId, public_key })).toBe("/body/proof");
    expect(await pointer({ agent_id: agentId, proof })).toBe("/body/public_key");
    expect(await pointer({ public_key, proof })).toBe("/body/agent_id");
    expect(await pointer({ agent_id: randomUUID(), public_key, proof })).toBe("/body/proof");
    expect(await pointer({ agent_id: agentId, public_key: smallOrder, proof })).toBe("/body/public_key");
    expect(await pointer({ agent_id: agentId, public_key, proof })).toBe(201);
  });

  it("409: the id is taken, also by a deleted agent; it is free in the other mode", async () => {
    const tenant = await harness.seedTenant();
    const test = await harness.seedKey(tenant.tenantId, { mode: "test" });
    const { agent_id } = await postAgent(tenant);

    expect(await tenant.post("/agents", { name: "a", agent_id })).toMatchObject({
      status: 409,
      body: { code: "already_exists" },
    });
    expect((await tenant.delete(`/agents/${agent_id}`)).status).toBe(204);
    expect((await tenant.post("/agents", { name: "a", agent_id })).status).toBe(409);
    expect((await test.post("/agents", { name: "a", agent_id })).status).toBe(201);
  });

  it("409: concurrent calls exceed the limit per mode; deleted agents do not count", async () => {
    const tenant = await harness.seedTenant();
    const create = () => tenant.post("/agents", { name: "a" });

    const created = await Promise.all(Array.from({ length: 9 }, create));

    expect(created.filter(({ status }) => status === 201)).toHaveLength(6);
    expect(created.find(({ status }) => status !== 201)?.body.code).toBe("conflict");
    const [first] = created.filter(({ status }) => status === 201);
    await tenant.delete(`/agents/${first?.body.agent_id}`);
    expect((await create()).status).toBe(201);
    expect((await create()).status).toBe(409);
  });

  it("201: four levels; 422: a fifth, or a parent that is not active", async () => {
    const tenant = await harness.seedTenant();
    const lineage: string[] = [];
    for (let level = 1; level <= 4; level += 1) {
      const { agent_id, parent_agent_id } = await postAgent(tenant, {
        parent_agent_id: lineage[0] ?? null,
      });
      expect(parent_agent_id).toBe(lineage[0] ?? null);
      lineage.unshift(agent_id);
    }

    const child = (parent_agent_id: string | undefined) => tenant.post("/agents", { name: "a", parent_agent_id });

    expect((await child(lineage[0])).body.errors[0].code).toBe("depth");
    await tenant.post(`/agents/${lineage[3]}/suspend`);
    expect((await child(lineage[1])).body.errors[0].code).toBe("not_active");
  });

  it("201: a child expires no later than its parent", async () => {
    const tenant = await harness.seedTenant();
    const parent = await postAgent(tenant, { expires_at: inHours(2) });
    const expiryOf = async (expires_at: string | null) =>
      (await postAgent(tenant, { parent_agent_id: parent.agent_id, expires_at })).expires_at;

    expect(await expiryOf(inHours(3))).toBe(inHours(2));
    expect(await expiryOf(null)).toBe(inHours(2));
    expect(await expiryOf(inHours(1))).toBe(inHours(1));
  });
});
