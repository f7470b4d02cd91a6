import { beforeAll, describe, expect, it, vi } from "vitest";
import { completeConsentPage } from "../../../../../../simulators/test/complete-consent-page.ts";
import { useHarness } from "../../../../../test/harness.ts";
import { servicesOf, type Tenant } from "../../../../../test/services.ts";
import { composeVendors } from "../../../../compose/vendors.ts";
import { readAgenticProviders } from "../../../../config/agentic-providers.ts";
import { createReader } from "../../../../config/reader.ts";
import { readTimeouts } from "../../../../config/timeouts.ts";
import { readVendors } from "../../../../config/vendors.ts";
import { browseCatalog, refreshCatalogs } from "../../../../modules/catalog/browse-catalog.ts";

const ANALYTICS = "acme-analytics";
const QUEUE = "acme-queue";

describe("a provider that is configured", () => {
  const harness = useHarness({
    vendors: true,
    environment: { PURSER_PROVIDER_TIMEOUT_MS: "3000" },
    settings: { vendorAttempts: { brief: 3, long: 6 }, vendorSettleMs: 1 },
  });
  const services = servicesOf(harness);
  beforeAll(() => refreshCatalogs(harness.app));

  async function arrange(provider: string) {
    const tenant = await harness.seedTenant();
    const projectId = await services.newProject(tenant);
    const link = await tenant.post(`/projects/${projectId}/link`, { provider });
    return { tenant, projectId, link };
  }

  async function linkQueue(url: string) {
    const { pathname, search } = await completeConsentPage(url);
    return harness.send({ method: "GET", url: pathname + search });
  }

  async function addAndWait(tenant: Tenant, projectId: string, body: object) {
    const added = await services.add(tenant, projectId, body);
    await services.allEnded(projectId);
    const { services: held, operations } = await services.heldFor(projectId);
    return { added, service: held[0], operation: operations[0] };
  }

  const resourcesAt = async (provider: string, serviceId: string) =>
    (await harness.sandbox.objects(provider)).filter(
      ({ type, data }) => type === "resource" && JSON.stringify(data).includes(serviceId),
    );

  it("200: the catalog shows its services, plans, prices and terms as the provider describes them", async () => {
    const tenant = await harness.seedTenant();

    const { body } = await tenant.get("/projects/catalog?q=acme");

    expect(body.data.map(({ provider }: { provider: string }) => provider)).toEqual([ANALYTICS, "acme-db", QUEUE]);
    expect(body.data[0]).toMatchObject({
      display_name: "Acme Analytics",
      categories: ["analytics"],
      auth: "instant",
      protocol: "agentic-0.1d",
      terms: { version: "2026-11" },
      health: "ok",
      services: [
        {
          service: "acme-analytics/product-analytics",
          plans: [
            { plan: "free", pricing: { type: "free" }, allowed_updates: ["growth"] },
            { plan: "growth", pricing: { type: "paid", amount: "20.00" }, billed_by: "vendor" },
          ],
        },
      ],
    });
    expect(body.data[2].services).toMatchObject([
      {
        service: "acme-queue/queue-small",
        plans: [
          { plan: "queue_small", billed_by: "purser", allowed_updates: ["queue_large"] },
          { plan: "queue_large", pricing: { amount: "25.00" } },
        ],
      },
    ]);
  });

  it("200: a link is completed at once; a service is added, its variables are pulled, and it is removed", async () => {
    const { tenant, projectId, link } = await arrange(ANALYTICS);
    expect(link.body).toMatchObject({ flow: "instant", status: "linked", url: null });

    const { service, operation } = await addAndWait(tenant, projectId, {
      service: "acme-analytics/product-analytics",
    });
    expect(operation).toMatchObject({ status: "succeeded" });
    const path = `/projects/${projectId}/services/${service.service_id}`;
    const { body } = await tenant.get(path);
    const { env } = (await tenant.get(`/projects/${projectId}/env`)).body;
    expect(body).toMatchObject({
      env_names: ["ACME_ANALYTICS_API_KEY", "ACME_ANALYTICS_HOST"],
      dashboard_url_available: false,
      deprovision_effect: "destroy",
    });
    expect(env).toMatchObject({ ACME_ANALYTICS_API_KEY: expect.stringMatching(/^aa_/) });
    expect(await resourcesAt(ANALYTICS, service.service_id)).toHaveLength(2);
    expect((await tenant.post(`${path}/deep-link`)).status).toBe(404);

    const removed = await tenant.delete(path);
    await services.allEnded(projectId);
    expect(removed.status).toBeLessThan(300);
    expect(await resourcesAt(ANALYTICS, service.service_id)).toEqual([]);
    expect((await tenant.get(`/projects/${projectId}/env`)).body.env).toEqual({});
  });

  it("200: a link waits for consent; a paid service is added; its dashboard's URL is returned once", async () => {
    const { tenant, projectId, link } = await arrange(QUEUE);
    expect(link.body).toMatchObject({ flow: "oauth", status: "pending_auth" });
    expect((await linkQueue(link.body.url)).status).toBe(200);
    await services.attachCard(tenant, projectId);

    const { service, operation } = await addAndWait(tenant, projectId, {
      service: "acme-queue/queue-small",
    });
    expect(operation).toMatchObject({ status: "succeeded" });
    const path = `/projects/${projectId}/services/${service.service_id}`;
    expect((await tenant.get(path)).body).toMatchObject({
      env_names: ["ACME_QUEUE_TOKEN", "ACME_QUEUE_URL"],
      dashboard_url_available: true,
    });

    const headers = { "idempotency-key": "8a0e5a52-6f5c-4f0f-9f3d-0d6f7f4a1b2c" };
    const opened = await tenant.post(`${path}/deep-link`, undefined, { headers });
    const repeated = await tenant.post(`${path}/deep-link`, undefined, { headers });

    const { url } = harness.sandbox[QUEUE];
    expect(opened.body).toMatchObject({ object: "deep_link", expires_at: expect.any(String) });
    expect(opened.body.url).toMatch(new RegExp(`^${url}/agentic/login\\?token=`));
    expect(repeated.body.code).toBe("secret_already_issued");
    const [, token = ""] = opened.body.url.split("token=");
    expect(harness.logLines.join("")).not.toContain(token);
  });

  it("200: a link fails if the provider returns a state that another link has", async () => {
    const provider = harness.app.providers.get(QUEUE);
    const ask = provider?.requestAccount;
    if (provider === undefined || ask === undefined) throw new Error("the provider is configured");
    const repeating = vi
      .spyOn(provider, "requestAccount")
      .mockImplementation(async (request) => Object.assign(await ask(request), { state: "the-same-state" }));
    const first = (await arrange(QUEUE)).link;
    const second = (await arrange(QUEUE)).link;
    repeating.mockRestore();

    expect([first.status, first.body.status]).toEqual([200, "pending_auth"]);
    expect([second.status, second.body.status]).toEqual([200, "failed"]);
    expect(second.body.error).toBe("provider_refused");
  });

  it.each([
    ["timeout_applied", "succeeded", 2],
    ["error_applied", "succeeded", 2],
    ["duplicate", "succeeded", 2],
    // Only the plan exists then, so the service is not added, and the plan is removed.
    ["timeout_lost", "failed", 0],
    ["refused", "failed", 0],
    // The plan is removed, and both are created again.
    ["rate_limited", "succeeded", 2],
  ] as const)(
    "after the outcome %s of its creation, the operation has %s, and %i resources exist",
    async (outcome, status, count) => {
      const { tenant, projectId } = await arrange(ANALYTICS);
      const operation = "createResource";
      harness.sandbox.force({ vendor: ANALYTICS, operation, outcome: "ok" });
      harness.sandbox.force({ vendor: ANALYTICS, operation, outcome });

      const added = await addAndWait(tenant, projectId, {
        service: "acme-analytics/product-analytics",
      });

      expect(added.operation).toMatchObject({ status });
      expect(await resourcesAt(ANALYTICS, added.service.service_id)).toHaveLength(count);
    },
  );

  it("provider_unavailable: the provider does not respond to the account request", async () => {
    const outcome = "error_applied";
    harness.sandbox.force({ vendor: ANALYTICS, operation: "createAccountRequest", outcome });

    const { link } = await arrange(ANALYTICS);

    expect(link.body).toMatchObject({ status: "failed", error: "provider_unavailable" });
  });

  it("degraded: the catalog keeps the last services of a provider that does not respond", async () => {
    const tenant = await harness.seedTenant();
    harness.sandbox.force({ vendor: QUEUE, operation: "listServices", outcome: "error_applied" });

    await refreshCatalogs(harness.app);

    const { body } = await tenant.get(`/projects/catalog?provider=${QUEUE}`);
    expect(body.data).toMatchObject([{ health: "degraded", services: [{ kind: "deployable" }] }]);
    await refreshCatalogs(harness.app);
    const later = await tenant.get(`/projects/catalog?provider=${QUEUE}`);
    expect(later.body.data[0].health).toBe("ok");
  });

  it("offers a provider that only the configuration names", async () => {
    const provider = {
      ...{ provider: "made-up", display_name: "Made Up", base_url: harness.sandbox[QUEUE].url },
      ...{ client_id: "https://purser.test/client.json", billed_by: "vendor" },
      terms: { version: "1", url: "https://made-up.invalid/terms" },
    };
    const problems: string[] = [];
    const environment = {
      ...harness.sandbox.environment,
      PURSER_AGENTIC_PROVIDERS: JSON.stringify([provider]),
    };
    const read = createReader(environment, problems);
    const { providers } = composeVendors(
      {
        settings: { profile: "test" },
        vendors: readVendors(read),
        agenticProviders: readAgenticProviders(read),
        timeouts: readTimeouts(read),
        walletSigner: "local",
      },
      harness.app.clock,
    );

    await refreshCatalogs({ ...harness.app, providers });

    const made = browseCatalog({ ...harness.app, providers }, { provider: "made-up", limit: 1 });
    expect(made.providers).toMatchObject([
      {
        display_name: "Made Up",
        terms: { version: "1" },
        services: [{ service: "made-up/queue-small" }],
      },
    ]);
    const tenant = await harness.seedTenant();
    expect((await tenant.get("/projects/catalog?provider=made-up")).body.data).toEqual([]);
  });

  it("every request to the providers is valid", () => {
    for (const provider of [ANALYTICS, QUEUE]) {
      const sent = harness.sandbox.requests(provider);
      expect(sent.length).toBeGreaterThan(5);
      expect(sent.filter(({ valid }) => valid === false)).toEqual([]);
    }
  });
});
