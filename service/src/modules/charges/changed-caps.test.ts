import { describe, expect, it } from "vitest";
import { useHarness } from "../../../test/harness.ts";
import { systemActor } from "../../audit/actors.ts";
import { listWrongBudgets } from "../../budgets/queries.ts";
import { withTransaction } from "../../db/transaction.ts";
import { newId, type ProjectId } from "../../foundation/ids.ts";
import { discardResponse } from "../../idempotency/claim.ts";
import { type ProjectChange, updateProject } from "../projects/update-project.ts";
import { reserveService, serviceExceedsCap } from "../services/provisioning/reserve-service.ts";

const SERVICES = 10;
const PRICE = 10_000_000;
const [HIGH, LOW] = [50_000_000, 20_000_000];

describe("a cap that is lowered while services are added", () => {
  const harness = useHarness();

  async function arrange(monthlyCap: string) {
    const tenant = await harness.seedTenant();
    const { body } = await tenant.post("/projects", {
      name: "capped",
      monthly_cap: monthlyCap,
      provider_caps: { "acme-db": "50.00" },
    });
    const { tenantId } = tenant;
    const projectId: ProjectId = body.project_id;
    const actor = systemActor({ tenantId, mode: "live" });
    const key = { tenantId, mode: "live", projectId, agentIds: [], projectIds: [] } as const;

    /** Reserves a service of 10.00 USD and commits, as the saga does. Returns the code of the refusal, or null. */
    async function reserve(): Promise<string | null> {
      const serviceId = newId("srv");
      const provisioning = {
        ...{ tenantId, mode: "live" as const, projectId, serviceId, agentId: null },
        ...{ operationId: newId("op"), linkId: newId("lnk"), region: "local", config: {} },
        ...{ provider: "acme-db", service: "acme-db/postgres", plan: "standard" },
        ...{
          priceCents: "1000",
          preauthorizationCents: "0",
          billedBy: "vendor" as const,
          payment: null,
          envNames: {},
          resourceName: serviceId,
        },
        ...{ existingResourceId: null, resourceId: null },
      };
      return withTransaction(harness.app.db, tenantId, async (tx) => {
        const refused = await reserveService(tx, harness.app, actor, provisioning, {});
        return refused === undefined ? null : serviceExceedsCap(refused.refusal, provisioning).code;
      });
    }

    return {
      reserve,
      /** Returns the amount that is reserved at the moment of the change. */
      lower: async (change: ProjectChange) => {
        const project = await updateProject(harness.app, { actor, key, change, mayDecide: false }, discardResponse);
        return Number(project.usage.reservedMicros);
      },
      reserved: async () => Number((await tenant.get(`/projects/${projectId}`)).body.usage.reserved) * 1e6,
      wrongBudgets: () =>
        withTransaction(harness.app.db, tenantId, (tx) =>
          listWrongBudgets(tx, { tenantId, changedSince: new Date(0) }),
        ),
    };
  }

  it.each<[string, string, ProjectChange]>([
    ["of the project", "50.00", { monthlyCapCents: 2_000n }],
    ["of a provider", "1000.00", { providerCaps: { "acme-db": 2_000n } }],
  ])("the cap %s: never above the old cap, and nothing new above the new one", async (_whose, monthlyCap, change) => {
    const reservedAtChange = new Set<number>();
    for (let addedBefore = 0; addedBefore <= SERVICES; addedBefore += 1) {
      const { reserve, lower, reserved, wrongBudgets } = await arrange(monthlyCap);
      // In every third round, one comes after the other. In the others, all run at the same time.
      const inOrder = addedBefore % 3 === 0;
      const earlier = Array.from({ length: addedBefore }, reserve);
      if (inOrder) await Promise.all(earlier);
      const lowered = lower(change);
      if (inOrder) await lowered;
      const later = Array.from({ length: SERVICES - addedBefore }, reserve);

      const atChange = await lowered;
      const codes = await Promise.all([...earlier, ...later]);

      const total = await reserved();
      expect(total).toBe(Math.max(atChange, LOW));
      expect(total).toBeLessThanOrEqual(HIGH);
      expect(codes.filter((code) => code === null)).toHaveLength(total / PRICE);
      expect(new Set(codes)).toEqual(new Set([null, "cap_exceeded"]));
      expect(await reserve()).toBe("cap_exceeded");
      expect(await wrongBudgets()).toEqual([]);
      reservedAtChange.add(atChange);
    }
    // The change came before, between and after the reservations.
    expect(reservedAtChange.size).toBeGreaterThan(2);
  });
});
