import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useHarness } from "../../../../test/harness.ts";
import { killSwitchesOf } from "../../../../test/kill-switches/kill-switches.ts";
import { auditOf } from "../../../../test/project-seeds.ts";
import { type Caller, seedAgent, servicesOf } from "../../../../test/services.ts";
import { withTransaction } from "../../../db/transaction.ts";

const ALLOW = { id: "pulls", effect: "allow", operation: "env.pull" };
const SERVICES = { id: "services", effect: "allow", operation: "service.add" };
const DENY = { id: "no_pulls", effect: "deny", operation: "env.pull" };
const QUERIES = ["", "?format=dotenv", "?names_only=true", "?keys=TOKEN"];

describe("env pulls by an agent", () => {
  const harness = useHarness({ vendors: true });
  const services = servicesOf(harness);
  const killSwitches = killSwitchesOf(harness);

  async function arrange({ rules }: { readonly rules?: readonly object[] } = {}) {
    const tenant = await harness.seedTenant();
    const { tenantId } = tenant;
    const agentId = await seedAgent(harness.app, { tenantId, ...(rules && { rules }) });
    const otherId = await seedAgent(harness.app, { tenantId });
    const projectId = await services.newProject(tenant, { agent_ids: [agentId, otherId] });
    await tenant.put(`/projects/${projectId}/variables/TOKEN`, { value: "secret" });
    const path = `/projects/${projectId}/env`;
    const key = await harness.seedKey(tenantId, { agentIds: [agentId] });
    const shared = await harness.seedKey(tenantId, { agentIds: [agentId, otherId] });
    return { tenant, tenantId, agentId, otherId, projectId, path, key, shared };
  }

  const as = (agentId: string, headers = {}) => ({
    headers: { "x-agent-id": agentId, ...headers },
  });

  /** Sends every kind of pull, of which one would be answered with 304. Returns the codes of the responses. */
  async function pullAll(caller: Caller, path: string, options = {}): Promise<string[]> {
    const answers = [
      ...(await Promise.all(QUERIES.map((query) => caller.get(path + query, options)))),
      await caller.get(path, {
        headers: { "if-none-match": "*", ...(options as AnyOptions).headers },
      }),
    ];
    expect(answers.filter(({ text }) => text.includes("secret"))).toEqual([]);
    return [...new Set(answers.map(({ status, body }) => `${status} ${body?.code}`))];
  }
  interface AnyOptions {
    readonly headers?: object;
  }

  it.each(["suspended", "revoked", "expired"] as const)("403: the agent is %s", async (status) => {
    const { tenantId, agentId, path, key } = await arrange();
    const change = status === "expired" ? { expiresAt: harness.clock.now() } : { status };
    await withTransaction(harness.app.db, tenantId, (tx) =>
      tx.updateTable("agents").set(change).where("agentId", "=", agentId).execute(),
    );

    expect(await pullAll(key, path)).toEqual(["403 agent_suspended"]);
  });

  it("403: the agent's parent is suspended", async () => {
    const { tenant, tenantId, projectId, agentId, path } = await arrange();
    const childId = randomUUID();
    await tenant.post("/agents", { agent_id: childId, name: "child", parent_agent_id: agentId });
    await tenant.patch(`/projects/${projectId}`, { agent_ids: [agentId, childId] });
    const key = await harness.seedKey(tenantId, { agentIds: [childId] });
    expect((await key.get(path)).status).toBe(200);

    await tenant.post(`/agents/${agentId}/suspend`);

    expect(await pullAll(key, path)).toEqual(["403 agent_suspended"]);
  });

  it("403: the agent was killed, although its key is also bound to an active agent", async () => {
    const { tenantId, agentId, otherId, path, shared } = await arrange();
    const session = await killSwitches.sessionOf(tenantId, "live");
    await killSwitches.trigger(session, { scope: "agent", id: agentId });

    expect(await pullAll(shared, path, as(agentId))).toEqual(["403 agent_suspended"]);
    expect((await shared.get(path, as(otherId))).status).toBe(200);
  });

  it.each([
    ["a rule denies it", [ALLOW, DENY]],
    ["no rule allows it", [SERVICES]],
    ["a rule asks a person", [ALLOW, { ...DENY, effect: "require_approval" }]],
  ])("403 policy_denied: %s", async (_name, rules) => {
    const { tenant, path, key, projectId } = await arrange({ rules });

    expect(await pullAll(key, path)).toEqual(["403 policy_denied"]);
    expect((await tenant.get(path)).body.env).toEqual({ TOKEN: "secret" });
    const pulls = (await auditOf(harness.app, projectId)).filter((e) => e.action === "env.pulled");
    expect(pulls).toHaveLength(1);
  });

  it("403: a limit counts pulls", async () => {
    const count = { max: 2, period: "rolling_24h" };
    const rules = [ALLOW, { id: "two", effect: "limit", operation: "env.pull", count }];
    const { path, key } = await arrange({ rules });

    const answers = [await key.get(path), await key.get(path), await key.get(path)];

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 403]);
    expect(answers[2]?.body.decision).toMatchObject({ rule_id: "two", remaining: "0" });
  });

  it("422: the key is bound to several agents and none is named; 404: another agent", async () => {
    const { path, key, shared, otherId } = await arrange();

    const unnamed = await shared.get(path);
    const other = await key.get(path, as(otherId));

    expect(unnamed).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: "/headers/x-agent-id", code: "required" }] },
    });
    expect([other.status, other.body.code]).toEqual([404, "agent_not_found"]);
  });

  it("404: only another agent of the key is a member of the project", async () => {
    const { tenant, projectId, path, shared, agentId, otherId } = await arrange();
    await tenant.patch(`/projects/${projectId}`, { agent_ids: [otherId] });

    const { status, body } = await shared.get(path, as(agentId));

    expect([status, body.code]).toEqual([404, "project_not_found"]);
    expect((await shared.get(path, as(otherId))).status).toBe(200);
  });

  it("404: the agent that the key is bound to was never registered", async () => {
    const { tenant, tenantId, projectId, path } = await arrange();
    const agentId = randomUUID();
    await tenant.patch(`/projects/${projectId}`, { agent_ids: [agentId] });
    const key = await harness.seedKey(tenantId, { agentIds: [agentId] });

    expect(await pullAll(key, path)).toEqual(["404 agent_not_found"]);
  });

  it("200: the audit trail of the project shows which agent pulled, with which key", async () => {
    const { tenant, path, projectId, agentId, otherId, key, shared } = await arrange();
    await key.get(path);
    await shared.get(`${path}?environment=production`, as(otherId));

    const { body } = await tenant.get(`/projects/${projectId}/audit?limit=2`);

    expect(body.data).toMatchObject([
      {
        action: "env.pulled",
        actor: { type: "agent", id: otherId, key_id: shared.keyId },
        facts: { environment: "production", version: 1 },
      },
      { action: "env.pulled", actor: { type: "agent", id: agentId, key_id: key.keyId } },
    ]);
  });

  it("200: a key that is not bound to agents acts as the developer, whatever agent it names", async () => {
    const { tenant, path, projectId, agentId } = await arrange({ rules: [DENY] });

    const answers = [await tenant.get(path, as(agentId)), await tenant.get(path, as(randomUUID()))];

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const pulls = (await auditOf(harness.app, projectId)).filter((e) => e.action === "env.pulled");
    expect(pulls.map(({ actor }) => actor.type)).toEqual(["developer", "developer"]);
  });

  it("202: a service is added without its values if the agent must not pull them", async () => {
    const { tenant, projectId, key } = await arrange({ rules: [SERVICES, DENY] });
    await services.linkNeon(tenant, projectId);

    const { status, body } = await services.add(key, projectId);

    expect([status, body.operation.status]).toEqual([202, "succeeded"]);
    expect(body).toMatchObject({ env: null, fingerprint: null });
    expect(body.env_names).toContain("DATABASE_URL");
  });

  it("202: a repeated call that added a service has no values after the agent was suspended", async () => {
    const { tenant, projectId, agentId, shared } = await arrange();
    await services.linkNeon(tenant, projectId);
    const options = as(agentId, { "idempotency-key": randomUUID() });
    const first = await services.add(shared, projectId, {}, options);
    expect(first.body.env.DATABASE_URL).toMatch(/^postgres/);
    await tenant.post(`/agents/${agentId}/suspend`);

    const again = await services.add(shared, projectId, {}, options);

    expect([again.status, again.headers["idempotent-replayed"]]).toEqual([202, "true"]);
    expect(again.body).toEqual({ ...first.body, env: null, fingerprint: null });
  });

  it("403, 404, 422: rotation asks the same of the agent that acts", async () => {
    const { tenant, projectId, shared, agentId, otherId } = await arrange({ rules: [DENY] });
    await services.linkNeon(tenant, projectId);
    const { body } = await services.add(tenant, projectId);
    const path = `/projects/${projectId}/services/${body.service.service_id}`;
    const rotate = async (agentId?: string) => {
      const options = agentId === undefined ? {} : as(agentId);
      const answer = await shared.post(`${path}/rotate`, { grace_period_seconds: 0 }, options);
      return `${answer.status} ${answer.body.code}`;
    };

    expect(await rotate()).toBe("422 validation_error");
    expect(await rotate(randomUUID())).toBe("404 agent_not_found");
    expect(await rotate(agentId)).toBe("403 policy_denied");
    await tenant.post(`/agents/${otherId}/suspend`);
    expect(await rotate(otherId)).toBe("403 agent_suspended");
    await tenant.post(`/agents/${otherId}/resume`);
    await tenant.patch(`/projects/${projectId}`, { agent_ids: [agentId] });
    expect(await rotate(otherId)).toBe("404 project_not_found");
    expect((await tenant.get(path)).body.credential.version).toBe(1);
  });

  it("404: a change of plan by an agent that is not a member, with a key whose other agent is", async () => {
    const { tenant, projectId, shared, agentId, otherId } = await arrange();
    await services.linkNeon(tenant, projectId);
    const { body } = await services.add(tenant, projectId);
    await tenant.patch(`/projects/${projectId}`, { agent_ids: [otherId] });
    const path = `/projects/${projectId}/services/${body.service.service_id}/upgrade`;

    const upgraded = await shared.post(path, { plan: "launch" }, as(agentId));
    const added = await services.add(shared, projectId, {}, as(agentId));

    expect([upgraded.body.code, added.body.code]).toEqual(["project_not_found", "project_not_found"]);
  });
});
