import { describe, expect, it } from "vitest";
import { useHarness } from "../../../../test/harness.ts";
import { seedOperation } from "../../../../test/project-seeds.ts";
import { newId } from "../../../foundation/ids.ts";

describe("GET /projects/{project_id}/operations/{operation_id}", () => {
  const harness = useHarness();

  async function arrange(operation: Omit<Parameters<typeof seedOperation>[1], "tenantId" | "projectId"> = {}) {
    const tenant = await harness.seedTenant();
    const projectId = (await tenant.post("/projects", { name: "one" })).body.project_id as string;
    const place = { tenantId: tenant.tenantId, projectId };
    const operationId = await seedOperation(harness.app, { ...place, ...operation });
    const path = `/projects/${projectId}/operations/${operationId}`;
    return { tenant, place, operationId, path };
  }

  it("200: a running operation has ordered steps and a poll_url", async () => {
    const at = harness.clock.now().toISOString();
    const serviceId = newId("srv");
    const { tenant, place, operationId, path } = await arrange({
      serviceId,
      expectedCallbackSeconds: 120,
      steps: { kya_gate: "succeeded", policy: "running", audit: "pending" },
    });

    const { status, body } = await tenant.get(path);

    expect(status).toBe(200);
    expect(body).toEqual({
      object: "operation",
      operation_id: operationId,
      project_id: place.projectId,
      mode: "live",
      type: "service.add",
      status: "running",
      subject: { type: "service", id: serviceId },
      service_id: serviceId,
      steps: [
        { name: "kya_gate", status: "succeeded", at },
        { name: "policy", status: "running", at },
        { name: "audit", status: "pending", at: null },
      ],
      error: null,
      expected_callback_seconds: 120,
      poll_url: `/api/v1/svc${path}`,
      created_at: at,
      updated_at: at,
    });
  });

  it("200: a finished operation has no poll_url", async () => {
    const { tenant, path } = await arrange({ status: "succeeded", expectedCallbackSeconds: 120 });

    expect((await tenant.get(path)).body).toMatchObject({
      status: "succeeded",
      expected_callback_seconds: null,
      poll_url: null,
      steps: [],
    });
  });

  it("200: a failed operation has the problem of the call and the steps that were undone", async () => {
    const { tenant, path } = await arrange({
      status: "compensated",
      error: JSON.stringify({ code: "provider_error", detail: "Neon refused the region." }),
      steps: { provider_provisioning: "compensated", credential_storage: "failed" },
    });

    const { body } = await tenant.get(path);

    expect(body.error).toEqual({
      type: "/errors/provider_error",
      title: "Provider error",
      status: 502,
      detail: "Neon refused the region.",
      code: "provider_error",
      request_id: "req_seeded",
      retryable: false,
      errors: [],
    });
    expect(body.steps.map(({ status }: { status: string }) => status)).toEqual(["compensated", "failed"]);
  });

  it("200: an unknown stored error code is shown as internal_error", async () => {
    const error = JSON.stringify({ code: "constructor", detail: "select * from secrets" });
    const { tenant, path } = await arrange({ status: "failed", error });

    const { body, text } = await tenant.get(path);

    expect(body.error).toMatchObject({ code: "internal_error", status: 500 });
    expect(text).not.toContain("secrets");
  });
});
