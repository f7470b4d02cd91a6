import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useHarness } from "../../../../../test/harness.ts";
import { type Caller, servicesOf } from "../../../../../test/services.ts";

describe("POST /projects/{project_id}/services with an Idempotency-Key", () => {
  const harness = useHarness({ vendors: true });
  const services = servicesOf(harness);
  const { linkedProject, newProject, heldFor, resourcesOf } = services;

  async function arrange() {
    const tenant = await harness.seedTenant();
    return { tenant, projectId: await linkedProject(tenant), key: randomUUID() };
  }

  const addWith = (caller: Caller, projectId: string, key: string, body: object = {}) =>
    services.add(caller, projectId, body, { headers: { "idempotency-key": key } });

  /** Returns the ids of the project's services in any status. */
  const serviceIds = async (projectId: string) =>
    (await heldFor(projectId)).services.map(({ service_id }) => service_id as string);

  it("202: a repeated call returns the same response and adds nothing", async () => {
    const { tenant, projectId, key } = await arrange();

    const first = await addWith(tenant, projectId, key);
    const again = await addWith(tenant, projectId, key);

    expect([first.status, again.status]).toEqual([202, 202]);
    expect(first.headers["idempotent-replayed"]).toBeUndefined();
    expect(again.headers["idempotent-replayed"]).toBe("true");
    expect(again.text).toBe(first.text);
    expect(again.body.env.DATABASE_URL).toMatch(/^postgres/);
    const ids = await serviceIds(projectId);
    expect(ids).toEqual([first.body.service.service_id]);
    expect(await resourcesOf("neon", ids)).toHaveLength(1);
  });

  it("202: key without env:read repeats another key's call and receives no values", async () => {
    const { tenant, projectId, key } = await arrange();
    const writer = await harness.seedKey(tenant.tenantId, { scopes: ["services:write"] });
    const first = await addWith(tenant, projectId, key);

    const again = await addWith(writer, projectId, key);

    expect([again.status, again.headers["idempotent-replayed"]]).toEqual([202, "true"]);
    expect(again.body).toEqual({ ...first.body, env: null, fingerprint: null });
  });

  it("202: a repeated call returns the operation's current state", async () => {
    const tenant = await harness.seedTenant();
    const projectId = await newProject(tenant);
    await services.linkSupabase(tenant, projectId);
    const key = randomUUID();

    const first = await addWith(tenant, projectId, key, { service: "supabase/project" });
    await services.ended(tenant, first.body.poll_url);
    const again = await addWith(tenant, projectId, key, { service: "supabase/project" });

    expect([first.body.operation.status, first.body.env]).toEqual(["running", null]);
    expect(again.body.operation).toMatchObject({
      operation_id: first.body.operation.operation_id,
      status: "succeeded",
    });
    expect(Object.keys(again.body.env).sort()).toEqual(first.body.env_names);
  });

  it("202: a repeated call after the removal returns the removed service without values", async () => {
    const { tenant, projectId, key } = await arrange();
    const { body } = await addWith(tenant, projectId, key);
    await tenant.delete(`/projects/${projectId}/services/${body.service.service_id}`);

    const again = await addWith(tenant, projectId, key);

    expect([again.status, again.body.service.status, again.body.env]).toEqual([202, "removed", null]);
    expect(await serviceIds(projectId)).toHaveLength(1);
  });

  it("202: concurrent calls with one key add one service; the others are 202 or 409", async () => {
    const { tenant, projectId, key } = await arrange();

    const answers = await Promise.all(Array.from({ length: 8 }, () => addWith(tenant, projectId, key)));

    for (const { status, body } of answers) {
      if (status === 202) continue;
      expect([status, body.code]).toEqual([409, "idempotency_in_flight"]);
    }
    expect(answers.some(({ status }) => status === 202)).toBe(true);
    const ids = await serviceIds(projectId);
    expect(ids).toHaveLength(1);
    expect(await resourcesOf("neon", ids)).toHaveLength(1);
    const settled = await addWith(tenant, projectId, key);
    expect(settled.body.service.service_id).toBe(ids[0]);
  });

  it("202: another key adds another service", async () => {
    const { tenant, projectId, key } = await arrange();

    const first = await addWith(tenant, projectId, key);
    const second = await addWith(tenant, projectId, randomUUID());

    expect(second.headers["idempotent-replayed"]).toBeUndefined();
    expect(second.body.service.service_id).not.toBe(first.body.service.service_id);
  });

  it("422: the key was used for another request", async () => {
    const { tenant, projectId, key } = await arrange();
    await addWith(tenant, projectId, key, { name: "one" });

    const other = await addWith(tenant, projectId, key, { name: "two" });

    expect([other.status, other.body.code]).toEqual([422, "idempotency_conflict"]);
    expect(await serviceIds(projectId)).toHaveLength(1);
  });

  it("402: an error is stored, and a new key succeeds after a payment method is attached", async () => {
    const { tenant, projectId, key } = await arrange();

    const first = await addWith(tenant, projectId, key, { plan: "launch" });
    await services.attachCard(tenant, projectId);
    const again = await addWith(tenant, projectId, key, { plan: "launch" });
    const withNewKey = await addWith(tenant, projectId, randomUUID(), { plan: "launch" });

    expect([first.status, again.status, withNewKey.status]).toEqual([402, 402, 202]);
    expect([again.body.code, again.headers["idempotent-replayed"]]).toEqual(["payment_method_required", "true"]);
  });

  it("502: a provider's failure is not stored, and a repeated call adds the service", async () => {
    const { tenant, projectId, key } = await arrange();
    harness.sandbox.force({ vendor: "neon", operation: "createProject", outcome: "refused" });

    const first = await addWith(tenant, projectId, key, { name: "db" });
    const again = await addWith(tenant, projectId, key, { name: "db" });

    expect([first.status, again.status]).toEqual([502, 202]);
    expect(again.headers["idempotent-replayed"]).toBeUndefined();
    const held = await heldFor(projectId);
    expect(held.services.map(({ status }) => status)).toEqual(["failed", "active"]);
    expect(await resourcesOf("neon", await serviceIds(projectId))).toHaveLength(1);
  });

  it("422: key is not a UUID", async () => {
    const { tenant, projectId } = await arrange();

    const answer = await addWith(tenant, projectId, "again");

    expect(answer.body.errors[0].pointer).toBe("/headers/idempotency-key");
    expect(await serviceIds(projectId)).toEqual([]);
  });
});
