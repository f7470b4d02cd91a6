import { describe, expect, it } from "vitest";
import { useHarness } from "../../../../test/harness.ts";
import { auditOf, eventsOf } from "../../../../test/project-seeds.ts";
import { seedAgent } from "../../../../test/services.ts";
import { systemActor } from "../../../audit/actors.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { SCOPES } from "../../../foundation/vocabulary.ts";
import { ensureStarterPolicy } from "../../../modules/policies/ensure-starter-policy.ts";

describe("DELETE /policies/{policy_id}", () => {
  const harness = useHarness();

  async function arrange() {
    const tenant = await harness.seedTenant({ scopes: SCOPES });
    const { body: policy } = await tenant.post("/policies", { name: "buyer", rules: [] });
    const remove = () => tenant.delete(`/policies/${policy.policy_id}`);
    return { tenant, policy, remove };
  }

  it("204: the policy is absent from then on; writes an audit entry and an event", async () => {
    const { tenant, policy, remove } = await arrange();

    expect(await remove()).toMatchObject({ status: 204, text: "" });

    const path = `/policies/${policy.policy_id}`;
    const calls = [remove(), tenant.get(path), tenant.patch(path, { name: "again" })];
    for (const answer of await Promise.all(calls)) {
      expect(answer).toMatchObject({ status: 404, body: { code: "policy_not_found" } });
    }
    const entries = await auditOf(harness.app, policy.policy_id);
    expect(entries.map(({ action }) => action)).toEqual(["policy.created", "policy.deleted"]);
    expect((await eventsOf(harness.app, policy.policy_id))[1]).toMatchObject({
      type: "policy.updated",
      data: { ...policy, status: "deleted" },
    });
    const revisions = harness.app.db.selectFrom("policyRevisions").select("revision");
    expect(await revisions.where("tenantId", "=", tenant.tenantId).execute()).toEqual([{ revision: 2n }]);
  });

  it("409: it is the starter policy", async () => {
    const { tenant } = await arrange();
    const starter = await withTransaction(harness.app.db, tenant.tenantId, (tx) =>
      ensureStarterPolicy(tx, harness.app, systemActor({ ...tenant, mode: "live" })),
    );

    const answer = await tenant.delete(`/policies/${starter}`);

    expect(answer).toMatchObject({ status: 409, body: { code: "conflict" } });
  });

  it("409: an agent names it", async () => {
    const { tenant, policy, remove } = await arrange();
    await seedAgent(harness.app, { tenantId: tenant.tenantId });
    const name = (policyId: string | null) =>
      withTransaction(harness.app.db, tenant.tenantId, (tx) =>
        tx.updateTable("agents").set({ policyId }).where("tenantId", "=", tenant.tenantId).execute(),
      );

    await name(policy.policy_id);
    expect(await remove()).toMatchObject({ status: 409, body: { code: "conflict" } });
    await name(null);
    expect((await remove()).status).toBe(204);
  });

  it("409: a project names it", async () => {
    const { tenant, policy, remove } = await arrange();
    const body = { name: "My App", policy_id: policy.policy_id };
    const project = await tenant.post("/projects", body);
    expect(project.status).toBe(201);

    expect(await remove()).toMatchObject({ status: 409, body: { code: "conflict" } });
    await tenant.delete(`/projects/${project.body.project_id}`);
    expect((await remove()).status).toBe(204);
  });

  it("409 or 422: a project comes to name it at the same time; never both succeed", async () => {
    for (let round = 0; round < 10; round += 1) {
      const { tenant, policy, remove } = await arrange();

      const [removed, created] = await Promise.all([
        remove(),
        tenant.post("/projects", { name: "My App", policy_id: policy.policy_id }),
      ]);

      expect([
        [204, 422],
        [409, 201],
      ]).toContainEqual([removed.status, created.status]);
    }
  });
});
