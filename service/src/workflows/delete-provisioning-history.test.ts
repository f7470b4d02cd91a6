import { describe, expect, it } from "vitest";
import { useHarness } from "../../test/harness.ts";
import { dumpDatabase } from "../../test/project-seeds.ts";
import { servicesOf } from "../../test/services.ts";

const SERVICES = [
  { provider: "neon", service: "neon/postgres" },
  { provider: "supabase", service: "supabase/project" },
] as const;

describe("what the workflow engine has kept of a service's addition", () => {
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
      // Its sealed credentials are among what its steps gave.
      expect(await engine()).toContain(added.provisioning);
      return added as { readonly serviceId: string; readonly provisioning: string };
    };
    return { tenant, projectId, add, path: `/projects/${projectId}` };
  }

  it.each(SERVICES)("goes with the service, of $provider, and nothing else does", async (of) => {
    const { tenant, path, add } = await arrange(of);
    const [gone, kept] = [await add(), await add()];

    const { status, body } = await tenant.delete(`${path}/services/${gone.serviceId}`);

    expect([status, body.status]).toEqual([200, "removed"]);
    const left = await engine();
    expect(left).not.toContain(gone.provisioning);
    expect(left).toContain(kept.provisioning);
  });

  it.each(SERVICES)("goes with the project, of $provider", async (of) => {
    const { tenant, path, add } = await arrange(of);
    const added = [await add(), await add()];

    const { status, body } = await tenant.delete(path);

    expect([status, body.status]).toEqual([200, "deleted"]);
    const left = await engine();
    for (const { provisioning } of added) expect(left).not.toContain(provisioning);
  });
});
