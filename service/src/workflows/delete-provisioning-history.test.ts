import { describe, expect, it } from "vitest";
import { useHarness } from "../../test/harness.ts";
import { dumpDatabase } from "../../test/project-seeds.ts";
import { servicesOf } from "../../test/services.ts";

const SERVICES = [
  { provider: "neon", service: "neon/postgres" },
  { provider: "supabase", service: "supabase/project" },
] as const;

describe("deleteProvisioningHistory", () => {
  const harness = useHarness({ vendors: true });
  const services = servicesOf(harness);

  const engine = () => dumpDatabase(harness.database.superuserUrl, ["dbos"]);

  async function arrange({ provider, service }: (typeof SERVICES)[number]) {
    const tenant = await harness.seedTenant();
    const projectId = await services.newProject(tenant);
    if (provider === "neon") await services.linkNeon(tenant, projectId);
    else await services.linkSupabase(tenant, projectId);
    const add = async () => {
      const { body } = await services.add(tenant, projectId, { service });
      await services.allEnded(projectId);
      const added = {
        serviceId: body.service.service_id,
        provisioning: body.operation.operation_id,
      };
      // The operation's ID is also the workflow's ID, so the engine's tables contain it.
      expect(await engine()).toContain(added.provisioning);
      return added as { readonly serviceId: string; readonly provisioning: string };
    };
    return { tenant, projectId, add, path: `/projects/${projectId}` };
  }

  it.each(SERVICES)("runs when a service of $provider is removed, for that service only", async (of) => {
    const { tenant, path, add } = await arrange(of);
    const [removed, remaining] = [await add(), await add()];

    const { status, body } = await tenant.delete(`${path}/services/${removed.serviceId}`);

    expect([status, body.status]).toEqual([200, "removed"]);
    const left = await engine();
    expect(left).not.toContain(removed.provisioning);
    expect(left).toContain(remaining.provisioning);
  });

  it.each(SERVICES)("runs for all services when a project with services of $provider is deleted", async (of) => {
    const { tenant, path, add } = await arrange(of);
    const added = [await add(), await add()];

    const { status, body } = await tenant.delete(path);

    expect([status, body.status]).toEqual([200, "deleted"]);
    const left = await engine();
    for (const { provisioning } of added) expect(left).not.toContain(provisioning);
  });
});
