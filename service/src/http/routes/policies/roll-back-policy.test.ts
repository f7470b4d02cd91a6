import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useHarness } from "../../../../test/harness.ts";
import { auditOf, eventsOf } from "../../../../test/project-seeds.ts";
import { SCOPES } from "../../../foundation/vocabulary.ts";

const ALLOW = { id: "payments", effect: "allow", operation: "payment" };

describe("POST /policies/{policy_id}/rollback", () => {
  const harness = useHarness();

  async function arrange() {
    const tenant = await harness.seedTenant({ scopes: SCOPES });
    const first = await tenant.post("/policies", {
      name: "buyer",
      applies_to: { agent_ids: ["0b9b2a4e-6c1d-4a53-9a4f-3d1f0c2b7a10"] },
      rules: [ALLOW],
      approvals: { threshold_usd: "20.00" },
    });
    const policyId = first.body.policy_id as string;
    const change = { name: "seller", applies_to: null, rules: [], approvals: null };
    await tenant.patch(`/policies/${policyId}`, change);
    const rollBack = (version: unknown) => tenant.post(`/policies/${policyId}/rollback`, { version });
    return { tenant, policy: first.body, policyId, rollBack };
  }

  it("200: a new version with the content of the first", async () => {
    const { tenant, policy, policyId, rollBack } = await arrange();

    const { status, body } = await rollBack(1);

    expect({ status, body }).toEqual({ status: 200, body: { ...policy, version: 3 } });
    expect((await tenant.get(`/policies/${policyId}`)).body).toEqual(body);
    expect((await auditOf(harness.app, policyId))[2]).toMatchObject({
      action: "policy.rolled_back",
      facts: { version: 3, restored_version: 1 },
    });
    expect((await eventsOf(harness.app, policyId))[2]).toMatchObject({
      type: "policy.rolled_back",
      data: body,
    });
    expect((await rollBack(2)).body).toMatchObject({ name: "seller", rules: [], version: 4 });
  });

  it("200: each version can be read as it was; 404: no version, another account, a key bound to agents is 403", async () => {
    const { tenant, policy, policyId } = await arrange();
    const path = `/policies/${policyId}/versions`;
    const stranger = await harness.seedTenant();
    const bound = await harness.seedKey(tenant.tenantId, { agentIds: [randomUUID()] });

    expect(await tenant.get(`${path}/1`)).toMatchObject({ status: 200, body: policy });
    expect((await tenant.get(`${path}/2`)).body).toEqual((await tenant.get(`/policies/${policyId}`)).body);
    for (const version of ["3", "0", "-1", "1.0", "one", "99999999999999999999"]) {
      expect(await tenant.get(`${path}/${version}`)).toMatchObject({ status: 404, body: { code: "policy_not_found" } });
    }
    expect([(await stranger.get(`${path}/1`)).status, (await bound.get(`${path}/1`)).status]).toEqual([404, 403]);
  });

  it.each<[string, unknown]>([
    ["a version that does not exist", 3],
    ["version 0", 0],
    ["a version that is text", "1"],
    ["a version above 32 bits", 2_147_483_648],
  ])("422: %s", async (_what, version) => {
    const { rollBack } = await arrange();

    const answer = await rollBack(version);

    expect(answer.status).toBe(422);
    expect(answer.body.errors[0].pointer).toBe("/body/version");
  });

  it("404: the policy is deleted", async () => {
    const { tenant, policyId, rollBack } = await arrange();
    await tenant.delete(`/policies/${policyId}`);

    expect(await rollBack(1)).toMatchObject({ status: 404, body: { code: "policy_not_found" } });
  });
});
