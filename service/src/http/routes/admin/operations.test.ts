import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, it } from "vitest";
import { adminsOf } from "../../../../test/admins.ts";
import { postAgent } from "../../../../test/agents/seed-agents.ts";
import { PREFIX, useHarness } from "../../../../test/harness.ts";
import { auditOf } from "../../../../test/project-seeds.ts";
import { servicesOf } from "../../../../test/services.ts";

describe("admin operations", () => {
  const harness = useHarness({ vendors: true });
  const services = servicesOf(harness);
  const admins = adminsOf(harness);

  afterEach(() => services.rows("update operations set status = 'failed' where status = 'needs_operator'"));

  /** Adds a service of which the credentials cannot be read, and whose resource cannot be deleted. */
  async function arrange() {
    const tenant = await harness.seedTenant();
    const projectId = await services.linkedProject(tenant);
    await services.attachCard(tenant, projectId);
    harness.sandbox.force({ vendor: "neon", operation: "getConnectionURI", outcome: "refused" });
    harness.sandbox.force({ vendor: "neon", operation: "deleteProject", outcome: "refused" });
    const { body } = await services.add(tenant, projectId, { plan: "launch" });
    const { operation_id: operationId, status } = body.operation;
    expect(status).toBe("needs_operator");
    const { as, adminId } = await admins.seedSession();
    const serviceId: string = body.service.service_id;
    return {
      ...{ tenant, projectId, operationId, serviceId, adminId, as },
      post: (action: "retry" | "compensate", body?: object, headers = {}) =>
        admins.post(`/admin/operations/${operationId}/${action}`, body, { headers: { ...as.headers, ...headers } }),
      end: async () => {
        await services.allEnded(projectId);
        return (await tenant.get(`/projects/${projectId}/operations/${operationId}`)).body;
      },
      charges: async () => (await services.heldFor(projectId)).charges.map(({ status: is }) => is),
      resources: () => services.resourcesOf("neon", [serviceId]),
    };
  }

  const list = (as: object, query = "") =>
    harness.send({ method: "GET", url: `${PREFIX}/admin/operations${query}`, ...as });

  it("200: lists what needs an operator, then what runs for more than ten minutes, in pages", async () => {
    const place = await arrange();
    const others = await services.rows(
      `insert into operations (tenant_id, operation_id, mode, type, subject_type, subject_id, status, actor, created_at,
         updated_at)
       select tenant_id, left(operation_id, -2) || number, mode, type, subject_type, 'srv_x', other.status, actor, at, at
       from operations, (values ('00', 'running', $2::timestamptz - interval '11 minutes'),
         ('01', 'running', $2::timestamptz - interval '9 minutes'),
         ('02', 'succeeded', '2020-01-01')) as other (number, status, at)
       where operation_id = $1 returning operation_id`,
      [place.operationId, harness.clock.now()],
    );

    const first = await list(place.as, "?limit=1");
    const second = await list(place.as, `?limit=1&cursor=${first.body.next_cursor}`);

    expect(first.body.data).toMatchObject([
      {
        ...{ object: "operation", operation_id: place.operationId, developer_id: place.tenant.tenantId, mode: "live" },
        ...{ type: "service.add", status: "needs_operator", subject: { type: "service", id: place.serviceId } },
        ...{ stuck_step: "provider_provisioning", undone_by_hand: [], error: { code: "provider_error" } },
      },
    ]);
    expect(first.body.data[0].steps).toHaveLength(8);
    expect(second.body).toMatchObject({ data: [{ operation_id: others[0].operation_id }], has_more: false });
    expect((await list(place.as, "?status=running")).body.data).toHaveLength(1);
    expect((await list(place.as, "?status=succeeded")).status).toBe(422);
    const entries = await services.rows(
      "select facts from audit_entries where action = 'operations.listed' and actor->>'id' = $1",
      [place.adminId],
    );
    expect(entries).toHaveLength(3);
    await services.rows("delete from operations where operation_id = any($1)", [others.map((row) => row.operation_id)]);
  });

  it("202: retry of what could not be undone only undoes it again", async () => {
    const place = await arrange();

    const { status, body } = await place.post("retry");

    expect([status, body.status, body.error.code]).toEqual([202, "running", "provider_error"]);
    expect(await place.end()).toMatchObject({ status: "compensated", error: { code: "provider_error" } });
    expect(await place.charges()).toEqual(["released"]);
    expect(await place.resources()).toEqual([]);
    expect(await auditOf(harness.app, place.operationId)).toContainEqual(
      expect.objectContaining({
        action: "operation.retried",
        actor: expect.objectContaining({ type: "admin", id: place.adminId, ip: null }),
      }),
    );
  });

  it("202: retry, and the step cannot be undone again: the operation still needs an operator", async () => {
    const place = await arrange();
    harness.sandbox.force({ vendor: "neon", operation: "deleteProject", outcome: "refused" });

    await place.post("retry");

    expect(await place.end()).toMatchObject({ status: "needs_operator" });
    expect((await list(place.as)).body.data[0].stuck_step).toBe("provider_provisioning");
    expect(await place.charges()).toEqual(["reserved"]);
  });

  /** Like `arrange`, as if the server had failed before anything was undone. */
  async function arrangeUnbegun() {
    const place = await arrange();
    await services.rows("update operations set stuck_step = null where operation_id = $1", [place.operationId]);
    return place;
  }

  it("202: retry of what was not being undone runs the failed step again, and the service is charged once", async () => {
    const place = await arrangeUnbegun();

    expect((await place.post("retry")).body).toMatchObject({ status: "running", error: null });

    expect(await place.end()).toMatchObject({ status: "succeeded", error: null });
    expect(await place.charges()).toEqual(["reserved"]);
    expect(await place.resources()).toHaveLength(1);
  });

  it("409: retry would go on with paid work for a project, developer or agent that is suspended", async () => {
    const place = await arrangeUnbegun();
    const { agent_id: agentId } = await postAgent(place.tenant);
    await place.tenant.post(`/agents/${agentId}/suspend`);
    const { tenantId } = place.tenant;
    const suspended = [
      ["projects", "status", "suspended"],
      ["developers", "status", "suspended"],
      ["services", "agent_id", agentId],
    ];
    for (const [table, column, value] of suspended) {
      const [before] = await services.rows(`select ${column} as value from ${table} where tenant_id = $1`, [tenantId]);
      const set = (to: unknown) =>
        services.rows(`update ${table} set ${column} = $2 where tenant_id = $1`, [tenantId, to]);
      await set(value);
      expect(await place.post("retry")).toMatchObject({
        ...{ status: 409, body: { code: "conflict", detail: expect.stringContaining("is suspended") } },
      });
      await set(before.value);
    }
    expect((await place.post("retry")).status).toBe(202);
  });

  it("202: compensate undoes all but the stuck step, and releases the reservation once", async () => {
    const place = await arrange();
    const before = harness.sandbox.requests("neon").length;
    const reason = "Deleted in the provider's console.";

    const { status, body } = await place.post("compensate", { reason });

    expect([status, body.status, body.undone_by_hand]).toEqual([202, "running", ["provider_provisioning"]]);
    const ended = await place.end();
    expect(ended).toMatchObject({ status: "compensated", error: { code: "provider_error" } });
    const steps = Object.fromEntries(
      ended.steps.map((step: { name: string; status: string }) => [step.name, step.status]),
    );
    expect(steps).toMatchObject({
      policy: "compensated",
      provider_provisioning: "compensated",
      credential_storage: "failed",
    });
    expect(await place.charges()).toEqual(["released"]);
    expect(harness.sandbox.requests("neon")).toHaveLength(before);
    expect(await auditOf(harness.app, place.operationId)).toContainEqual(
      expect.objectContaining({
        action: "operation.undone_by_hand",
        facts: expect.objectContaining({ step: "provider_provisioning", reason }),
      }),
    );
    expect((await place.post("retry")).status).toBe(409);
  });

  it("202 once: ten concurrent retries and compensations restart the operation once", async () => {
    const place = await arrange();

    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        index % 2 === 0 ? place.post("retry") : place.post("compensate", { reason: "By hand." }),
      ),
    );

    expect(answers.map(({ status }) => status).sort()).toEqual([202, ...Array.from({ length: 9 }, () => 409)]);
    expect(["succeeded", "compensated"]).toContain((await place.end()).status);
    expect(await place.charges()).toHaveLength(1);
  });

  it("202: a repeated Idempotency-Key restarts the operation once", async () => {
    const place = await arrange();
    const headers = { "idempotency-key": randomUUID() };
    const first = await place.post("retry", undefined, headers);
    await place.end();

    const again = await place.post("retry", undefined, headers);

    expect([again.status, again.text]).toEqual([202, first.text]);
  });

  it("409: a later removal of the service has taken the operation's place", async () => {
    const place = await arrange();
    await place.tenant.delete(`/projects/${place.projectId}/services/${place.serviceId}`);

    for (const answer of [await place.post("retry"), await place.post("compensate", { reason: "By hand." })]) {
      expect(answer).toMatchObject({ status: 409, body: { code: "conflict" } });
    }
    expect((await list(place.as)).body.data).toEqual([]);

    // A later operation that failed too leaves the first one to an operator.
    await services.rows("update operations set status = 'failed' where type = 'service.remove' and project_id = $1", [
      place.projectId,
    ]);
    expect((await list(place.as)).body.data).toMatchObject([{ operation_id: place.operationId }]);
  });

  it("409: compensate, although nothing was being undone; 202: retry completes the removal", async () => {
    const tenant = await harness.seedTenant();
    const projectId = await services.linkedProject(tenant);
    const { body } = await services.add(tenant, projectId);
    harness.sandbox.force({ vendor: "neon", operation: "deleteProject", outcome: "refused" });
    const path = `/projects/${projectId}/services/${body.service.service_id}`;
    await tenant.delete(path);
    const { as } = await admins.seedSession();
    const [stuck] = (await list(as)).body.data;
    expect(stuck).toMatchObject({ type: "service.remove", stuck_step: null });

    const url = `/admin/operations/${stuck.operation_id}`;
    expect(await admins.post(`${url}/compensate`, { reason: "By hand." }, as)).toMatchObject({
      ...{ status: 409, body: { code: "conflict" } },
    });
    expect((await admins.post(`${url}/retry`, undefined, as)).status).toBe(202);
    await services.allEnded(projectId);
    expect((await tenant.get(path)).status).toBe(404);
  });

  it("404: unknown operation; 422: no reason; 401: a developer", async () => {
    const place = await arrange();
    for (const id of ["op_01jz000000000000000000000x", "nothing"]) {
      const answer = await admins.post(`/admin/operations/${id}/retry`, undefined, place.as);
      expect(answer).toMatchObject({ status: 404, body: { code: "operation_not_found" } });
    }
    for (const body of [undefined, {}, { reason: "" }, { reason: "x".repeat(1_001) }]) {
      expect((await place.post("compensate", body)).status).toBe(422);
    }
    expect((await place.tenant.get("/admin/operations")).status).toBe(401);
    expect((await place.tenant.post(`/admin/operations/${place.operationId}/retry`)).status).toBe(401);
  });
});
