import { describe, expect, it } from "vitest";
import { useHarness } from "../../test/harness.ts";
import { seedLargeVariables, seedService } from "../../test/project-seeds.ts";
import { withRoundTrips } from "../../test/round-trips.ts";

describe("database round trips of a request", () => {
  const harness = useHarness();

  async function arrange() {
    const tenant = await harness.seedTenant();
    const { body } = await tenant.post("/projects", { name: "one" });
    const projectId = String(body.project_id);
    return { tenant, projectId, place: { tenantId: tenant.tenantId, projectId } };
  }

  /** Makes a call twice. Returns the round trips of the second. The first fills the caches of API keys and data keys. */
  async function sentBy(call: () => Promise<{ readonly status: number }>) {
    await call();
    const { result, roundTrips } = await withRoundTrips(call);
    expect(result.status).toBe(200);
    return roundTrips;
  }

  it.each([0, 20])("takes two round trips for an environment with %i variables and a service", async (count) => {
    const { tenant, projectId, place } = await arrange();
    await seedService(harness.app, { ...place, env: { DATABASE_URL: "postgres://u:p@neon/d" } });
    for (let number = 0; number < count; number += 1) {
      await tenant.put(`/projects/${projectId}/variables/NAME_${number}`, { value: "value" });
    }

    const sent = await sentBy(() => tenant.get(`/projects/${projectId}/env`));

    expect(sent).toEqual(["begin select select", "insert with commit"]);
  });

  it("takes three round trips for a large environment, whose size is read first", async () => {
    const { tenant, projectId, place } = await arrange();
    await seedLargeVariables(harness.app, place, { environment: "development", count: 1 });

    const sent = await sentBy(() => tenant.get(`/projects/${projectId}/env`));

    expect(sent).toEqual(["begin select select", "select", "with commit"]);
  });

  it("takes one round trip for a project or the caller's profile", async () => {
    const { tenant, projectId } = await arrange();

    expect(await sentBy(() => tenant.get(`/projects/${projectId}`))).toEqual(["select"]);
    expect(await sentBy(() => tenant.get("/developers/me"))).toEqual(["select"]);
  });
});
