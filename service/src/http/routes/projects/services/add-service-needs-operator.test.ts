import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { useHarness } from "../../../../../test/harness.ts";
import { auditOf } from "../../../../../test/project-seeds.ts";
import { servicesOf } from "../../../../../test/services.ts";

describe("POST /projects/{project_id}/services with the outcome needs_operator", () => {
  const harness = useHarness({ vendors: true });
  const services = servicesOf(harness);
  const { heldFor, resourcesOf } = services;

  /** Adds a service. The addition fails, and the vendor rejects the call that undoes it. */
  async function arrange() {
    const tenant = await harness.seedTenant();
    const projectId = await services.linkedProject(tenant);
    const call = { headers: { "idempotency-key": randomUUID() } };
    const send = () => services.add(tenant, projectId, {}, call);
    harness.sandbox.force({ vendor: "neon", operation: "getConnectionURI", outcome: "refused" });
    harness.sandbox.force({ vendor: "neon", operation: "deleteProject", outcome: "refused" });
    const answer = await send();
    const { service, operation } = answer.body;
    return { tenant, projectId, send, answer, operation, serviceId: service.service_id as string };
  }

  it("202: a repeated call returns the same response and creates nothing", async () => {
    const { tenant, projectId, send, answer, operation, serviceId } = await arrange();
    const before = harness.sandbox.requests("neon").length;

    const again = await send();

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
    const read = await tenant.get(`/projects/${projectId}/operations/${operation.operation_id}`);
    expect(read.body).toEqual(operation);
  });

  it("202: writes one audit entry with the caller as actor", async () => {
    const { tenant, projectId, send, operation, serviceId } = await arrange();

    await send();

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

  it("202: a repeated call after the removal returns the removed service", async () => {
    const { tenant, projectId, send, serviceId } = await arrange();
    await tenant.delete(`/projects/${projectId}/services/${serviceId}`);

    const again = await send();

    expect([again.status, again.body.service.status]).toEqual([202, "removed"]);
    expect(await resourcesOf("neon", [serviceId])).toEqual([]);
    expect((await heldFor(projectId)).services).toHaveLength(1);
  });

  it("202: a repeated call after a failure that was undone adds the service", async () => {
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
