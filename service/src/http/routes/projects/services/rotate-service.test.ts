import { describe, expect, it } from "vitest";
import { useHarness } from "../../../../../test/harness.ts";
import { auditOf, eventsOf } from "../../../../../test/project-seeds.ts";
import { connectTo, servicesOf } from "../../../../../test/services.ts";
import { startPendingOperations } from "../../../../workflows/index.ts";

const ONE = [{ one: 1 }];

describe("POST /projects/{project_id}/services/{service_id}/rotate", () => {
  const harness = useHarness({ vendors: true });
  const services = servicesOf(harness);

  async function arrange() {
    const tenant = await harness.seedTenant();
    const projectId = await services.linkedProject(tenant);
    const { body } = await services.add(tenant, projectId);
    const serviceId = body.service.service_id as string;
    const path = `/projects/${projectId}/services/${serviceId}`;
    const env = async () => (await tenant.get(`/projects/${projectId}/env`)).body.env;
    return { tenant, projectId, serviceId, path, env, url: body.env.DATABASE_URL as string };
  }

  async function endGrace(projectId: string, seconds = 3_600) {
    harness.clock.advanceSeconds(seconds);
    await startPendingOperations(harness.app);
    await services.allEnded(projectId);
  }

  it("200: the former credential is accepted until the end of the grace period, the new one from the publication on", async () => {
    const { tenant, projectId, path, env, url } = await arrange();
    expect(await connectTo(url)).toEqual(ONE);

    const { status, body } = await tenant.post(`${path}/rotate`, {});

    const until = new Date(harness.clock.now().getTime() + 3_600_000).toISOString();
    expect([status, body]).toEqual([
      200,
      {
        service_id: expect.any(String),
        credential_version: 2,
        mode: "overlap",
        status: "pending",
        previous_valid_until: until,
        env_names: expect.arrayContaining(["DATABASE_URL"]),
        changed: true,
        warnings: [],
        operation_id: expect.any(String),
        poll_url: expect.stringContaining(body.operation_id),
      },
    ]);
    const renewed = (await env()).DATABASE_URL;
    expect(renewed).not.toBe(url);
    expect([await connectTo(url), await connectTo(renewed)]).toEqual([ONE, ONE]);
    const service = (await tenant.get(path)).body;
    expect(service.status).toBe("rotating");
    expect(service.credential).toMatchObject({ version: 2, previous_valid_until: until });

    await endGrace(projectId);

    await expect(connectTo(url)).rejects.toMatchObject({ code: "28P01" });
    expect(await connectTo(renewed)).toEqual(ONE);
    expect((await env()).DATABASE_URL).toBe(renewed);
    const rotated = (await tenant.get(path)).body;
    expect([rotated.status, rotated.credential.previous_valid_until]).toEqual(["active", null]);
    const operation = (await tenant.get(`/operations/${body.operation_id}`)).body;
    expect([operation.type, operation.status]).toEqual(["service.rotate", "succeeded"]);
  });
});
