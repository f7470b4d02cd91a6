import { describe, expect, it } from "vitest";
import { useHarness } from "../../../../test/harness.ts";
import { auditOf, eventsOf } from "../../../../test/project-seeds.ts";
import { newId } from "../../../foundation/ids.ts";
import { SCOPES } from "../../../foundation/vocabulary.ts";

const AGENT = "0b9b2a4e-6c1d-4a53-9a4f-3d1f0c2b7a10";
const ALLOW = { id: "payments", effect: "allow", operation: "payment" };
const CAP = { id: "cap", effect: "deny", when: { amount_usd: { gt: "25.00" } } };

describe("PATCH /policies/{policy_id}", () => {
  const harness = useHarness();

  async function arrange() {
    const tenant = await harness.seedTenant({ scopes: SCOPES });
    const { body: policy } = await tenant.post("/policies", {
      name: "buyer",
      applies_to: { agent_ids: [AGENT] },
      rules: [ALLOW],
      approvals: { threshold_usd: "20.00" },
    });
    harness.clock.advanceSeconds(1);
    const patch = (body: object) => tenant.patch(`/policies/${policy.policy_id}`, body);
    const revision = async () => {
      const revisions = harness.app.db.selectFrom("policyRevisions").select("revision");
      const row = await revisions.where("tenantId", "=", tenant.tenantId).executeTakeFirst();
      return row?.revision;
    };
    return { tenant, policy, patch, revision };
  }

  it("200: a change makes a version, an audit entry, an event, and raises the revision", async () => {
    const { tenant, policy, patch, revision } = await arrange();

    const { status, body } = await patch({ name: "seller", rules: [CAP, ALLOW] });

    expect(status).toBe(200);
    expect(body).toEqual({
      ...policy,
      name: "seller",
      rules: [CAP, ALLOW],
      version: 2,
      updated_at: "2026-11-21T10:00:01.000Z",
    });
    expect((await tenant.get(`/policies/${policy.policy_id}`)).body).toEqual(body);
    expect(await revision()).toBe(2n);
    expect((await auditOf(harness.app, policy.policy_id))[1]).toMatchObject({
      action: "policy.updated",
      facts: { fields: ["name", "rules"], version: 2 },
    });
    expect((await eventsOf(harness.app, policy.policy_id))[1]).toMatchObject({
      type: "policy.updated",
      data: body,
      sequence: 2,
    });
  });

  it("200: absent fields are unchanged; null empties applies_to and restores the defaults of approvals", async () => {
    const { policy, patch } = await arrange();
    const projectId = newId("proj");

    const named = await patch({ applies_to: { project_ids: [projectId] } });
    expect(named.body.applies_to).toEqual({ ...policy.applies_to, project_ids: [projectId] });
    expect(named.body.approvals).toEqual(policy.approvals);

    const cleared = await patch({ applies_to: null, approvals: null });
    expect(cleared.body).toMatchObject({
      version: 3,
      applies_to: { agent_ids: [], wallet_ids: [], project_ids: [] },
      approvals: { approvers: ["role:owner"], required: 1, expires_in_seconds: 600 },
    });
    expect(cleared.body.approvals.threshold_usd).toBeUndefined();
  });

  it.each<[string, object]>([
    ["no field", {}],
    [
      "the same values",
      {
        name: "buyer",
        default: "deny",
        applies_to: { agent_ids: [AGENT.toUpperCase()] },
        rules: [{ operation: "payment", effect: "allow", id: "payments" }],
        approvals: { threshold_usd: 20 },
        version: 1,
      },
    ],
  ])("200, no new version: %s", async (_what, change) => {
    const { policy, patch, revision } = await arrange();

    const { status, body } = await patch(change);

    expect({ status, body }).toEqual({ status: 200, body: policy });
    expect(await revision()).toBe(1n);
    expect(await auditOf(harness.app, policy.policy_id)).toHaveLength(1);
    expect(await eventsOf(harness.app, policy.policy_id)).toHaveLength(1);
  });

  it("409: the version is not the current one; of ten concurrent calls one succeeds", async () => {
    const { patch } = await arrange();

    const answers = await Promise.all(Array.from({ length: 10 }, (_, n) => patch({ name: `name ${n}`, version: 1 })));

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused.map(({ body }) => body.code)).toEqual(Array(9).fill("version_conflict"));
  });

  it.each<[string, object, string]>([
    ["name of null", { name: null }, "/body/name"],
    ["rules of null", { rules: null }, "/body/rules"],
    ["a default other than deny", { default: "allow" }, "/body/default"],
    ["a reserved rule id", { rules: [{ ...ALLOW, id: "default" }] }, "/body/rules/0/id"],
    ["a limit without a maximum", { rules: [{ id: "l", effect: "limit" }] }, "/body/rules/0"],
    ["version 0", { version: 0 }, "/body/version"],
    ["starter", { starter: true }, "/body/starter"],
  ])("422: %s", async (_what, change, pointer) => {
    const { patch } = await arrange();

    const answer = await patch(change);

    expect(answer.status).toBe(422);
    expect(answer.body.errors[0].pointer).toBe(pointer);
  });
});
