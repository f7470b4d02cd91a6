import { describe, expect, it } from "vitest";
import { accountsOf } from "../../../../test/accounts.ts";
import { useHarness } from "../../../../test/harness.ts";
import { SCOPES } from "../../../foundation/vocabulary.ts";

const ALLOW = { id: "allow", effect: "allow", operation: "payment" };
const BIG = { amount_usd: { gt: "10.00" } };
const ASK = { id: "ask", effect: "require_approval", operation: "payment", when: BIG };
const REFUSED = { status: 403, body: { code: "insufficient_scope" } };

describe("rules that ask a person, without approvals:write", () => {
  const harness = useHarness();
  const { seedAccount } = accountsOf(harness);

  /** A policy that asks, and an agent, a project and an owner's key of the tenant. */
  async function arrange(mode: "test" | "live" = "test") {
    const tenant = await harness.seedTenant({ mode });
    const owner = await harness.seedKey(tenant.tenantId, { mode, scopes: SCOPES });
    const agentId = (await tenant.post("/agents", { name: "buyer" })).body.agent_id;
    const create = async (body: object) => (await owner.post("/policies", body)).body.policy_id;
    const policyId: string = await create({
      ...{ name: "asks", rules: [ALLOW, ASK], approvals: { threshold_usd: "5.00" } },
      applies_to: { agent_ids: [agentId] },
    });
    return { tenant, owner, agentId, create, policyId, path: `/policies/${policyId}` };
  }

  it.each([
    ["the rule is gone", { rules: [ALLOW] }],
    ["its condition is narrower", { rules: [ALLOW, { ...ASK, when: { amount_usd: { gt: "20" } } }] }],
    ["it is about another operation", { rules: [ALLOW, { ...ASK, operation: "x402" }] }],
    ["it allows", { rules: [{ ...ASK, effect: "allow" }] }],
    ["the threshold is higher", { approvals: { threshold_usd: "5.01" } }],
    ["there is no threshold", { approvals: null }],
    ["the agent is gone", { applies_to: { agent_ids: [] } }],
  ])("403: PATCH: %s; 200 with approvals:write", async (_case, change) => {
    const { tenant, owner, path } = await arrange();
    const before = (await tenant.get(path)).body;

    expect(await tenant.patch(path, change)).toMatchObject(REFUSED);

    expect((await tenant.get(path)).body).toEqual(before);
    expect((await owner.patch(path, change)).status).toBe(200);
  });

  it.each([
    ["another name", { name: "other" }],
    ["another id of the rule", { rules: [{ ...ASK, id: "big" }] }],
    ["the rule without its condition", { rules: [{ ...ASK, when: {} }] }],
    ["the rule about all operations", { rules: [{ ...ASK, operation: "*" }] }],
    ["a deny rule in its place", { rules: [{ ...ASK, effect: "deny" }] }],
    ["a lower threshold", { approvals: { threshold_usd: "1" } }],
  ])("200: PATCH that asks as often as before: %s", async (_case, change) => {
    const { tenant, path } = await arrange();

    expect((await tenant.patch(path, change)).status).toBe(200);
  });

  it("403: rollback to a version without the rule, and DELETE; 200 and 204 with a session", async () => {
    const account = await seedAccount();
    const request = (method: "POST" | "PATCH" | "DELETE", path: string, payload?: object) =>
      harness.send({
        ...{
          method,
          url: `/api/v1/svc${path}`,
          headers: { ...account.as.headers, "x-svc-mode": "test" },
        },
        ...(payload && { payload }),
      });
    const tenant = await harness.seedKey(account.developerId as `dev_${string}`, { mode: "test" });
    const { policy_id } = (await tenant.post("/policies", { name: "asks", rules: [ALLOW] })).body;
    const path = `/policies/${policy_id}`;
    await tenant.patch(path, { rules: [ALLOW, ASK] });

    expect(await tenant.post(`${path}/rollback`, { version: 1 })).toMatchObject(REFUSED);
    expect(await tenant.delete(path)).toMatchObject(REFUSED);

    expect((await request("POST", `${path}/rollback`, { version: 1 })).status).toBe(200);
    await tenant.patch(path, { rules: [ALLOW, ASK] });
    expect((await request("DELETE", path)).status).toBe(204);
  });

  it("403: another policy_id of an agent or a project; 200 with approvals:write", async () => {
    const { tenant, owner, create, policyId, agentId } = await arrange();
    const lax = await create({ name: "lax", rules: [ALLOW] });
    const strict = await create({
      ...{ name: "strict", rules: [ALLOW, { ...ASK, when: {} }] },
      approvals: { threshold_usd: "0" },
    });
    const fields = { name: "named", policy_id: policyId };
    const agent = `/agents/${(await tenant.post("/agents", fields)).body.agent_id}`;
    const project = `/projects/${(await tenant.post("/projects", fields)).body.project_id}`;

    for (const path of [agent, project]) {
      for (const policy_id of [lax, null]) {
        expect(await tenant.patch(path, { policy_id })).toMatchObject(REFUSED);
      }
      expect((await tenant.patch(path, { policy_id: policyId })).status).toBe(200);
      expect((await tenant.patch(path, { policy_id: strict })).status).toBe(200);
      if (path === project) {
        await tenant.patch(path, { agent_ids: [agentId] });
        expect(await tenant.patch(path, { agent_ids: [] })).toMatchObject(REFUSED);
        expect((await owner.patch(path, { agent_ids: [] })).status).toBe(200);
      }
      expect((await owner.patch(path, { policy_id: lax })).body.policy_id).toBe(lax);
      expect((await tenant.patch(path, { policy_id: policyId })).status).toBe(200);
    }
  });
});
