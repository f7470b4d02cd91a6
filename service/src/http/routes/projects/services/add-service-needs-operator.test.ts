import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useHarness } from "../../../../../test/harness.ts";
import { auditOf } from "../../../../../test/project-seeds.ts";
import { servicesOf } from "../../../../../test/services.ts";

describe("POST /projects/{project_id}/services, of which something is left that a person has to see to", () => {
  const harness = useHarness({ vendors: true });
  const services = servicesOf(harness);
  const { heldFor, resourcesOf } = services;

  /** An addition that failed, and that the vendor would not let us undo. */
  async function arrange() {
    const tenant = await harness.seedTenant();
    const projectId = await services.linkedProject(tenant);
    const call = { headers: { "idempotency-key": randomUUID() } };
    const ask = () => services.add(tenant, projectId, {}, call);
    harness.sandbox.force({ vendor: "neon", operation: "getConnectionURI", outcome: "refused" });
    harness.sandbox.force({ vendor: "neon", operation: "deleteProject", outcome: "refused" });
    const answer = await ask();
    const { service, operation } = answer.body;
    return { tenant, projectId, ask, answer, operation, serviceId: service.service_id as string };
  }

  it("202: the same call again is told the same, and makes nothing more", async () => {
    const { tenant, projectId, ask, answer, operation, serviceId } = await arrange();
    const before = harness.sandbox.requests("neon").length;

    const again = await ask();

    expect(answer).toMatchObject({
      status: 202,
      body: {
        operation: { status: "needs_operator", error: { code: "provider_error" } },
        env: null,
        poll_url: null,
      },
    });
    expect([again.status, again.text]).toEqual([202, answer.text]);
    expect(again.headers["idempotent-replayed"]).toBe("true");
    expect(harness.sandbox.requests("neon")).toHaveLength(before);
    const { services: held, operations } = await heldFor(projectId);
    expect(held.map(({ service_id }) => service_id)).toEqual([serviceId]);
    expect(operations).toHaveLength(1);
    expect(await resourcesOf("neon", [serviceId])).toHaveLength(1);
    const asked = await tenant.get(`/projects/${projectId}/operations/${operation.operation_id}`);
    expect(asked.body).toEqual(operation);
  });

  it("202: the trail tells of it once, and of whose call it was", async () => {
    const { tenant, projectId, ask, operation, serviceId } = await arrange();

    await ask();

    expect(await auditOf(harness.app, operation.operation_id)).toMatchObject([
      {
        action: "operation.needs_operator",
        subject: { type: "operation" },
        actor: { id: tenant.tenantId },
        facts: {
          type: "service.add",
          project_id: projectId,
          service_id: serviceId,
          code: "provider_error",
        },
      },
    ]);
  });

  it("202: once it is removed, the same call again shows it as that", async () => {
    const { tenant, projectId, ask, serviceId } = await arrange();
    await tenant.delete(`/projects/${projectId}/services/${serviceId}`);

    const again = await ask();

    expect([again.status, again.body.service.status]).toEqual([202, "removed"]);
    expect(await resourcesOf("neon", [serviceId])).toEqual([]);
    expect((await heldFor(projectId)).services).toHaveLength(1);
  });

  it("202: an addition that left nothing is no answer, and the same call again begins anew", async () => {
    const tenant = await harness.seedTenant();
    const projectId = await services.linkedProject(tenant);
    const call = { headers: { "idempotency-key": randomUUID() } };
    harness.sandbox.force({ vendor: "neon", operation: "getConnectionURI", outcome: "refused" });

    const first = await services.add(tenant, projectId, {}, call);
    const again = await services.add(tenant, projectId, {}, call);

    expect([first.status, again.status]).toEqual([502, 202]);
    expect(again.body.service.status).toBe("active");
  });
});
