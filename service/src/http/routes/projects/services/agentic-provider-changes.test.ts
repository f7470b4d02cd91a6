import { beforeAll, describe, expect, it } from "vitest";
import { useHarness } from "../../../../../test/harness.ts";
import { servicesOf, type Tenant } from "../../../../../test/services.ts";
import { refreshCatalogs } from "../../../../modules/catalog/browse-catalog.ts";
import { openNewMonths } from "../../../../modules/charges/open-months.ts";
import { changePendingPlans } from "../../../../workflows/upgrade-service/upgrade-service.ts";

const ANALYTICS = {
  provider: "acme-analytics",
  service: "acme-analytics/product-analytics",
  cheap: "free",
  dear: "growth",
  variable: "ACME_ANALYTICS_API_KEY",
} as const;
const QUEUE = {
  provider: "acme-queue",
  service: "acme-queue/queue-small",
  cheap: "queue_small",
  dear: "queue_large",
  variable: "ACME_QUEUE_TOKEN",
} as const;
type Offer = typeof ANALYTICS | typeof QUEUE;

describe("a service of a configured provider", () => {
  const harness = useHarness({
    vendors: true,
    environment: { PURSER_PROVIDER_TIMEOUT_MS: "3000" },
    settings: { vendorAttempts: { brief: 3, long: 4 }, vendorSettleMs: 1 },
  });
  const services = servicesOf(harness);
  beforeAll(() => refreshCatalogs(harness.app));

  async function arrange({ provider, service }: Offer, plan: string, project = {}) {
    const tenant = await harness.seedTenant();
    const projectId = await services.newProject(tenant, project);
    await services.linkConfigured(tenant, projectId, provider);
    await services.attachCard(tenant, projectId);
    const { body } = await services.add(tenant, projectId, { service, plan });
    await services.allEnded(projectId);
    const serviceId = body.service.service_id as string;
    const path = `/projects/${projectId}/services/${serviceId}`;
    const change = async (to: "upgrade" | "rotate", request: object) => {
      const answer = await tenant.post(`${path}/${to}`, request);
      await services.allEnded(projectId);
      return answer;
    };
    const env = async () => (await tenant.get(`/projects/${projectId}/env`)).body.env;
    return { tenant, projectId, serviceId, path, change, env };
  }

  /** Returns the ids of the services that exist at the provider for this one. */
  async function plansAt({ provider }: Offer, serviceId: string) {
    const objects = await harness.sandbox.objects(provider);
    return objects
      .filter(({ type, data }) => type === "resource" && data["projectId"] === `svc-${serviceId}`)
      .map(({ data }) => data["serviceId"])
      .sort();
  }

  /** Uses a credential with the provider's service. Returns the status. */
  async function use({ provider }: Offer, credential: string) {
    const url = `${harness.sandbox[provider].url}/agentic/service`;
    return (await fetch(url, { headers: { authorization: `Bearer ${credential}` } })).status;
  }

  async function chargesOf(projectId: string) {
    const { charges } = await services.heldFor(projectId);
    return charges.map(({ plan, status, amount_cents: cents }) => `${plan} ${status} ${cents}`).sort();
  }

  const expectExact = async (tenant: Tenant) => expect(await services.wrongBudgets(tenant)).toEqual([]);

  it.each([ANALYTICS, QUEUE])(
    "$provider: after a rotation, the new credential is pulled and accepted, and the former one is refused",
    async (offer) => {
      const { tenant, path, change, env } = await arrange(offer, offer.cheap);
      const former = (await env())[offer.variable];
      expect(await use(offer, former)).toBe(200);

      const { status, body } = await change("rotate", {});

      expect([status, body.mode, body.credential_version]).toEqual([200, "immediate", 2]);
      const current = (await env())[offer.variable];
      expect([await use(offer, current), await use(offer, former)]).toEqual([200, 401]);
      const service = (await tenant.get(path)).body;
      expect(service).toMatchObject({ status: "active", credential: { version: 2 } });
    },
  );

  it.each([
    [ANALYTICS, ["growth", "product_analytics"], ["growth reserved 2000"]],
    [QUEUE, ["queue_large"], ["queue_large reserved 2000", "queue_small reserved 500"]],
  ] as const)(
    "$provider: an upgrade reserves the difference, and the plan is in place at the provider",
    async (offer, atProvider, charges) => {
      const { tenant, projectId, serviceId, path, change } = await arrange(offer, offer.cheap);

      const { status, body } = await change("upgrade", { plan: offer.dear });

      expect([status, body.status]).toEqual([200, "completed"]);
      expect((await tenant.get(path)).body).toMatchObject({ plan: offer.dear, status: "active" });
      expect(await plansAt(offer, serviceId)).toEqual(atProvider);
      expect(await chargesOf(projectId)).toEqual(charges);
      await expectExact(tenant);
    },
  );

  it.each([ANALYTICS, QUEUE])(
    "$provider: an upgrade above the cap is refused, and the provider is not called",
    async (offer) => {
      const arranged = await arrange(offer, offer.cheap, { monthly_cap: "10.00" });
      const { tenant, serviceId, path, change } = arranged;
      const before = await plansAt(offer, serviceId);

      const { status, body } = await change("upgrade", { plan: offer.dear });

      expect([status, body.code]).toEqual([403, "cap_exceeded"]);
      expect(await plansAt(offer, serviceId)).toEqual(before);
      expect((await tenant.get(path)).body).toMatchObject({ plan: offer.cheap, status: "active" });
      await expectExact(tenant);
    },
  );

  it.each([
    [ANALYTICS, "timeout_applied", "dear"],
    [QUEUE, "error_applied", "dear"],
    [ANALYTICS, "refused", "cheap"],
    [QUEUE, "timeout_lost", "dear"],
  ] as const)(
    "$provider: after an upgrade whose call is $1, provider and charges agree on the plan",
    async (offer, outcome, kept) => {
      const { tenant, projectId, serviceId, path, change } = await arrange(offer, offer.cheap);
      harness.sandbox.force({ vendor: offer.provider, operation: "updateService", outcome });

      await change("upgrade", { plan: offer.dear });

      const plan = offer[kept];
      expect((await tenant.get(path)).body).toMatchObject({ plan, status: "active" });
      expect(await plansAt(offer, serviceId)).toContain(plan);
      const isReserved = (await chargesOf(projectId)).includes(`${offer.dear} reserved 2000`);
      expect(isReserved).toBe(kept === "dear");
      await expectExact(tenant);
    },
  );

  it.each([ANALYTICS, QUEUE])(
    "$provider: a cheaper plan is in place at the provider from the next month on",
    async (offer) => {
      const { tenant, projectId, serviceId, path, change } = await arrange(offer, offer.dear);

      const { body } = await change("upgrade", { plan: offer.cheap, effective: "period_end" });

      expect(body.service.pending_plan.plan).toBe(offer.cheap);
      expect(await plansAt(offer, serviceId)).toContain(offer.dear);
      const { effective_at: turn } = body.service.pending_plan;
      harness.clock.advanceSeconds((Date.parse(turn) - harness.clock.now().getTime()) / 1_000);
      await openNewMonths(harness.app);
      await changePendingPlans(harness.app);
      await services.allEnded(projectId);
      expect((await tenant.get(path)).body).toMatchObject({
        plan: offer.cheap,
        pending_plan: null,
      });
      expect(await plansAt(offer, serviceId)).toContain(offer.cheap);
      expect(await plansAt(offer, serviceId)).not.toContain(offer.dear);
      await expectExact(tenant);
    },
  );

  it.each([ANALYTICS, QUEUE])(
    "$provider: after the deletion of its project, nothing is left at the provider",
    async (offer) => {
      const { tenant, projectId, serviceId, env } = await arrange(offer, offer.dear);
      const credential = (await env())[offer.variable];

      const { status, body } = await tenant.delete(`/projects/${projectId}`);
      await services.allEnded(projectId);

      expect([status, body.services]).toMatchObject([200, [{ effect: "destroyed" }]]);
      expect(await plansAt(offer, serviceId)).toEqual([]);
      expect(await use(offer, credential)).toBe(401);
      expect((await services.heldFor(projectId)).secrets).toEqual([]);
      await expectExact(tenant);
    },
  );

  it("every request to the providers is valid", () => {
    for (const { provider } of [ANALYTICS, QUEUE]) {
      const sent = harness.sandbox.requests(provider);
      expect(sent.filter(({ valid }) => valid === false)).toEqual([]);
    }
  });
});
