import { setTimeout as delay } from "node:timers/promises";
import { beforeEach, describe, expect, it } from "vitest";
import { useHarness } from "../../../test/harness.ts";
import { servicesOf } from "../../../test/services.ts";
import type { ServiceProvider } from "../../ports/service-provider.ts";
import { VendorError, type VendorFailure } from "../../ports/vendor-error.ts";

/** How long after it was looked for in vain the order is carried out. */
const LATE_MS = 300;
const SETTLE_MS = 1_500;

describe("an order whose answer was lost, and which its provider carries out late", () => {
  let neon: ServiceProvider;
  let provision: ServiceProvider["provision"] | undefined;
  let looked: () => void = () => {};
  const harness = useHarness({
    vendors: true,
    settings: { vendorSettleMs: SETTLE_MS },
    replace: ({ providers }) => {
      neon = providers.get("neon") as ServiceProvider;
      const minded: ServiceProvider = {
        ...neon,
        provision: (access, order) => (provision ?? neon.provision)(access, order),
        find: async (access, name) => {
          const found = await neon.find(access, name);
          looked();
          return found;
        },
      };
      return { providers: new Map([...providers, ["neon", minded]]) };
    },
  });
  const services = servicesOf(harness);

  beforeEach(() => {
    provision = undefined;
    looked = () => {};
  });

  const silent = (failure: VendorFailure) =>
    new VendorError(failure, { vendor: "neon", operation: "createProject" });

  /** The first order goes unanswered and the next one is refused. It is carried out when it has been looked for for the last time. */
  function carryOutLate() {
    let orders = 0;
    let carryOut: () => Promise<unknown> = async () => {};
    let looksLeft = Number.POSITIVE_INFINITY;
    const late: Promise<unknown>[] = [];
    provision = async (access, order) => {
      orders += 1;
      if (orders === 1) {
        carryOut = () => neon.provision(access, order);
        throw silent("unknown");
      }
      // Whoever was refused looks once, and then once more to undo it.
      looksLeft = 2;
      throw silent("refused");
    };
    looked = () => {
      looksLeft -= 1;
      if (looksLeft === 0) late.push(delay(LATE_MS).then(carryOut));
    };
    return late;
  }

  it("is undone with the addition that the provider refused when it was asked again", async () => {
    const tenant = await harness.seedTenant();
    const projectId = await services.linkedProject(tenant);
    const late = carryOutLate();

    const answer = await services.add(tenant, projectId);

    await services.allEnded(projectId);
    expect(late).toHaveLength(1);
    await Promise.all(late);
    expect([answer.status, answer.body.code]).toEqual([502, "provider_error"]);
    const held = await services.heldFor(projectId);
    expect(held).toMatchObject({
      services: [{ status: "failed" }],
      operations: [{ status: "failed" }],
      secrets: [],
    });
    const { service_id: serviceId } = held.services[0];
    expect(await services.resourcesOf("neon", [serviceId])).toEqual([]);
    const asked = harness.sandbox.requests("neon").map(({ operation }) => operation);
    expect(asked.filter((operation) => operation === "createProject")).toHaveLength(1);
    expect(asked.filter((operation) => operation === "deleteProject")).toHaveLength(1);
  });

  it("is not waited for where the only order was refused", async () => {
    const tenant = await harness.seedTenant();
    const projectId = await services.linkedProject(tenant);
    provision = async () => {
      throw silent("refused");
    };
    const began = performance.now();

    const { status } = await services.add(tenant, projectId);

    expect(status).toBe(502);
    expect(performance.now() - began).toBeLessThan(SETTLE_MS);
  });
});
