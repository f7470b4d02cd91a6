import { setTimeout as delay } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import { useHarness } from "../../../test/harness.ts";
import { servicesOf } from "../../../test/services.ts";
import type { ServiceProvider } from "../../ports/service-provider.ts";
import { VendorError, type VendorFailure } from "../../ports/vendor-error.ts";

/** The time between the saga's last lookup and the creation of the resource by the provider. */
const LATE_MS = 300;
const SETTLE_MS = 4_000;

describe("addServiceSaga: a create call times out, and the provider creates the resource later", () => {
  let neon: ServiceProvider;
  let provision: ServiceProvider["provision"] | undefined;
  let onFind: () => void = () => {};
  const harness = useHarness({
    vendors: true,
    settings: { vendorSettleMs: SETTLE_MS },
    replace: ({ providers }) => {
      neon = providers.get("neon") as ServiceProvider;
      const observed: ServiceProvider = {
        ...neon,
        provision: (access, order) => (provision ?? neon.provision)(access, order),
        find: async (access, name) => {
          const found = await neon.find(access, name);
          onFind();
          return found;
        },
      };
      return { providers: new Map([...providers, ["neon", observed]]) };
    },
  });
  const services = servicesOf(harness);

  beforeEach(() => {
    provision = undefined;
    onFind = () => {};
  });

  const vendorError = (failure: VendorFailure) =>
    new VendorError(failure, { vendor: "neon", operation: "createProject" });

  /**
   * Makes the first create call time out and the next one fail. The provider executes the first call only after the
   * saga's last lookup.
   */
  function createLate() {
    let createCalls = 0;
    let create: () => Promise<unknown> = async () => {};
    let findsLeft = Number.POSITIVE_INFINITY;
    const late: Promise<unknown>[] = [];
    provision = async (access, order) => {
      createCalls += 1;
      if (createCalls === 1) {
        create = () => neon.provision(access, order);
        throw vendorError("unknown");
      }
      // The saga looks for the resource once after the rejected call and once when it undoes the step.
      findsLeft = 2;
      throw vendorError("refused");
    };
    onFind = () => {
      findsLeft -= 1;
      if (findsLeft === 0) late.push(delay(LATE_MS).then(create));
    };
    return late;
  }

  it("the late resource is deleted if the provider rejects the second create call", async () => {
    const tenant = await harness.seedTenant();
    const projectId = await services.linkedProject(tenant);
    const late = createLate();

    const response = await services.add(tenant, projectId);

    await services.allEnded(projectId);
    expect(late).toHaveLength(1);
    await Promise.all(late);
    expect([response.status, response.body.code]).toEqual([502, "provider_error"]);
    const stored = await services.heldFor(projectId);
    expect(stored).toMatchObject({
      services: [{ status: "failed" }],
      operations: [{ status: "failed" }],
      secrets: [],
    });
    const { service_id: serviceId } = stored.services[0];
    expect(await services.resourcesOf("neon", [serviceId])).toEqual([]);
    const operations = harness.sandbox.requests("neon").map(({ operation }) => operation);
    expect(operations.filter((operation) => operation === "createProject")).toHaveLength(1);
    expect(operations.filter((operation) => operation === "deleteProject")).toHaveLength(1);
  });

  it("the saga does not wait for a late resource if the only create call is rejected", async () => {
    const tenant = await harness.seedTenant();
    const projectId = await services.linkedProject(tenant);
    provision = async () => {
      throw vendorError("refused");
    };
    const startedAt = performance.now();

    const { status } = await services.add(tenant, projectId);

    expect(status).toBe(502);
    expect(performance.now() - startedAt).toBeLessThan(SETTLE_MS);
  });
});
