import pg from "pg";
import { describe, expect, it, vi } from "vitest";
import { useHarness } from "../../test/harness.ts";
import { seedLargeVariables, seedService } from "../../test/project-seeds.ts";

describe("how often a request waits for the database", () => {
  const harness = useHarness();

  async function arrange() {
    const tenant = await harness.seedTenant();
    const { body } = await tenant.post("/projects", { name: "one" });
    const projectId = String(body.project_id);
    return { tenant, projectId, place: { tenantId: tenant.tenantId, projectId } };
  }

  /** The first words of what a call sends, each of them a round trip, once the process knows the caller's key and vault. */
  async function sentBy(call: () => Promise<{ readonly status: number }>): Promise<string[]> {
    await call();
    const query = vi.spyOn(pg.Client.prototype, "query");
    try {
      expect((await call()).status).toBe(200);
      return query.mock.calls.map(([sent]) => /\w+/.exec(textOf(sent))?.[0] ?? "");
    } finally {
      query.mockRestore();
    }
  }

  function textOf(sent: unknown): string {
    return typeof sent === "object" && sent !== null && "text" in sent ? String(sent.text) : "";
  }

  it.each([0, 20])(
    "four times for the environment of %i variables and a service",
    async (count) => {
      const { tenant, projectId, place } = await arrange();
      await seedService(harness.app, { ...place, env: { DATABASE_URL: "postgres://u:p@neon/d" } });
      for (let number = 0; number < count; number += 1) {
        await tenant.put(`/projects/${projectId}/variables/NAME_${number}`, { value: "value" });
      }

      const sent = await sentBy(() => tenant.get(`/projects/${projectId}/env`));

      expect(sent).toEqual(["begin", "select", "with", "commit"]);
    },
  );

  it("once more for a large environment, whose size is looked at before its values are read", async () => {
    const { tenant, projectId, place } = await arrange();
    await seedLargeVariables(harness.app, place, { environment: "development", count: 1 });

    const sent = await sentBy(() => tenant.get(`/projects/${projectId}/env`));

    expect(sent).toEqual(["begin", "select", "select", "with", "commit"]);
  });

  it("once for a project, and once for the caller's profile", async () => {
    const { tenant, projectId } = await arrange();

    expect(await sentBy(() => tenant.get(`/projects/${projectId}`))).toEqual(["select"]);
    expect(await sentBy(() => tenant.get("/developers/me"))).toEqual(["select"]);
  });
});
