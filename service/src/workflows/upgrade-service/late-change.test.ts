import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { useHarness } from "../../../test/harness.ts";
import { servicesOf } from "../../../test/services.ts";
import type { ServiceProvider } from "../../ports/service-provider.ts";
import { VendorError } from "../../ports/vendor-error.ts";

const LATE_MS = 300;
const SETTLE_MS = 1_500;

describe("upgradeServiceSaga: a call times out, and the provider changes the plan later", () => {
  const late: Promise<unknown>[] = [];
  const harness = useHarness({
    vendors: true,
    settings: { vendorSettleMs: SETTLE_MS, vendorRetryMs: 1 },
    replace: ({ providers }) => {
      const acme = providers.get("acme-db") as ServiceProvider;
      const changePlan: ServiceProvider["changePlan"] = async (access, change) => {
        // Undoing the change reaches the provider.
        if (change.from !== undefined) return acme.changePlan?.(access, change) as never;
        const error = { vendor: "acme-db", operation: "updateDatabase" };
        if (late.length > 0) throw new VendorError("refused", error);
        late.push(delay(LATE_MS).then(() => acme.changePlan?.(access, change)));
        throw new VendorError("unknown", error);
      };
      return { providers: new Map([...providers, ["acme-db", { ...acme, changePlan }]]) };
    },
  });
  const services = servicesOf(harness);

  it("the late change is undone, and the former plan is in place", async () => {
    const tenant = await harness.seedTenant();
    const projectId = await services.newProject(tenant);
    await services.linkByToken(tenant, projectId, "acme-db");
    await services.attachCard(tenant, projectId);
    const { body } = await services.add(tenant, projectId, { service: "acme-db/postgres" });
    const path = `/projects/${projectId}/services/${body.service.service_id}`;

    const { status } = await tenant.post(`${path}/upgrade`, { plan: "standard" });
    await services.allEnded(projectId);
    await Promise.all(late);

    expect([status, late.length]).toEqual([502, 1]);
    const [database] = await harness.sandbox.objects("acme-db");
    expect(database?.data).toMatchObject({ plan: "free", planChangedAt: expect.any(String) });
    expect((await tenant.get(path)).body).toMatchObject({ plan: "free", status: "active" });
    const { charges } = await services.heldFor(projectId);
    expect(charges.map((charge) => charge.status)).toEqual(["released"]);
  });
});
