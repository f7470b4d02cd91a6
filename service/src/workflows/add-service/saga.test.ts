import { setTimeout as delay } from "node:timers/promises";
import { OUTCOMES as ALL_OUTCOMES, type Outcome } from "@purser/simulators/kit/outcome.ts";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { isCampaign } from "../../../test/campaign.ts";
import { useHarness } from "../../../test/harness.ts";
import { auditOf, dumpDatabase, eventsOf } from "../../../test/project-seeds.ts";
import { servicesOf, type Tenant } from "../../../test/services.ts";
import type { ServiceProvider } from "../../ports/service-provider.ts";
import { VendorError } from "../../ports/vendor-error.ts";

const OUTCOMES = ALL_OUTCOMES.filter((outcome) => outcome !== "ok");

/**
 * The outcomes that the normal suite tests for read calls: a rejection and a missing response. A campaign (a long test
 * run) tests every outcome.
 */
const OUTCOMES_OF_READS: readonly Outcome[] = isCampaign ? OUTCOMES : ["refused", "timeout_lost"];
/** The outcomes that the normal suite tests for calls to Supabase. All outcomes are tested for Neon. */
const OUTCOMES_OF_SUPABASE: readonly Outcome[] = isCampaign
  ? OUTCOMES
  : ["refused", "timeout_applied", "timeout_lost", "error_applied", "duplicate"];
/** Stripe's client library handles a late response like no response, so the normal suite omits `slow`. */
const OUTCOMES_OF_STRIPE = OUTCOMES.filter((outcome) => isCampaign || outcome !== "slow");

const VENDOR_TIMEOUT_MS = 300;
/** The delay of a late response. It is longer than the adapters' timeout, but the vendor still executes the call. */
const TOO_LATE_MS = 600;

/** Outcomes after which the call is retried, because the vendor did not reject it. */
const RETRIED_OUTCOMES = ["timeout_applied", "timeout_lost", "error_applied", "slow", "rate_limited"] as const;

/**
 * The saga's vendor calls, each with the outcomes after which the saga still succeeds. A rejected call ends the saga,
 * and so does a 404 response to a read.
 */
const CALLS = [
  { provider: "neon", operation: "listProjects", succeedsAfter: RETRIED_OUTCOMES },
  {
    provider: "neon",
    operation: "createProject",
    succeedsAfter: [...RETRIED_OUTCOMES, "duplicate"],
  },
  // If a new project cannot be read, the saga reads it again later.
  {
    provider: "neon",
    operation: "listProjectOperations",
    succeedsAfter: [...RETRIED_OUTCOMES, "refused", "duplicate"],
  },
  { provider: "neon", operation: "getProject", succeedsAfter: RETRIED_OUTCOMES },
  { provider: "neon", operation: "getConnectionURI", succeedsAfter: RETRIED_OUTCOMES },
  { provider: "supabase", operation: "v1-list-all-projects", succeedsAfter: RETRIED_OUTCOMES },
  {
    provider: "supabase",
    operation: "v1-create-a-project",
    succeedsAfter: [...RETRIED_OUTCOMES, "duplicate"],
  },
  { provider: "supabase", operation: "v1-get-project", succeedsAfter: RETRIED_OUTCOMES },
  { provider: "supabase", operation: "v1-get-project-api-keys", succeedsAfter: RETRIED_OUTCOMES },
  { provider: "supabase", operation: "v1-get-pooler-config", succeedsAfter: RETRIED_OUTCOMES },
] as const;

const OUTCOMES_OF: Readonly<Record<string, readonly Outcome[]>> = {
  createProject: OUTCOMES,
  "v1-create-a-project": OUTCOMES_OF_SUPABASE,
};

const SERVICES = {
  neon: { service: "neon/postgres", plan: "launch" },
  supabase: { service: "supabase/project", plan: "pro" },
} as const;

/** Calls that read the credentials of the created resource. If one of them is rejected, the resource is deleted. */
const READING_CREDENTIALS: ReadonlySet<string> = new Set([
  "getProject",
  "getConnectionURI",
  "v1-get-project-api-keys",
  "v1-get-pooler-config",
]);

const STEPS = [
  "kya_gate",
  "policy",
  "catalog_validation",
  "payment_setup",
  "provider_provisioning",
  "credential_storage",
  "service_record",
  "audit",
];

describe("addServiceSaga", () => {
  const harness = useHarness({
    vendors: true,
    settings: { vendorRetryMs: 40 },
    environment: { PURSER_PROVIDER_TIMEOUT_MS: String(VENDOR_TIMEOUT_MS) },
  });
  const services = servicesOf(harness);
  const { heldFor, resourcesOf } = services;
  beforeAll(services.callEachVendorOnce);

  /**
   * Creates a project with a linked provider. If `hasCard` is false, the project has no customer at the payment
   * processor yet.
   */
  async function arrange(provider: keyof typeof SERVICES, { hasCard = true } = {}) {
    const tenant = await harness.seedTenant();
    const projectId = await services.newProject(tenant);
    if (provider === "neon") await services.linkNeon(tenant, projectId);
    else await services.linkSupabase(tenant, projectId);
    if (hasCard) await services.attachCard(tenant, projectId);
    return { tenant, projectId, request: SERVICES[provider] };
  }

  /** Adds a service and waits until the saga has ended. */
  async function addAndWait(tenant: Tenant, projectId: string, request: object) {
    const response = await services.add(tenant, projectId, request);
    await services.allEnded(projectId);
    const stored = await heldFor(projectId);
    const [service] = stored.services;
    const [operation] = stored.operations;
    return { response, stored, service, operation, serviceId: service.service_id as string };
  }

  afterEach(async () => {
    expect(await services.outcomesLeft()).toEqual([]);
  });

  type Ended = Awaited<ReturnType<typeof addAndWait>>;

  /**
   * Checks the database, the vendor, the audit trail and the events after the saga has ended. Returns true if the
   * service is active.
   */
  async function expectConsistent(tenant: Tenant, projectId: string, ended: Ended): Promise<boolean> {
    const { stored, service, operation, serviceId } = ended;
    const isActive = service.status === "active";
    const resources = await resourcesOf(service.provider, [serviceId]);
    const actions = (await auditOf(harness.app, serviceId)).map(({ action }) => action);
    const events = (await eventsOf(harness.app, serviceId)).map(({ type }) => type);
    const { env } = (await tenant.get(`/projects/${projectId}/env`)).body;
    const expected = isActive
      ? {
          resources: [service.provider_resource_id],
          charges: ["reserved"],
          secrets: ["env", "password"],
          names: Object.values(service.env_names).sort(),
          end: "service.added",
          event: "service.active",
        }
      : {
          resources: [],
          charges: ["released"],
          secrets: [],
          names: [],
          end: "service.failed",
          event: "service.failed",
        };

    expect({
      resources: resources.map(({ id }) => id),
      charges: stored.charges.map(({ status }) => status),
      secrets: stored.secrets.map(({ kind }) => kind).sort(),
      names: Object.keys(env).sort(),
    }).toEqual({
      resources: expected.resources,
      charges: expected.charges,
      secrets: expected.secrets,
      names: expected.names,
    });
    expect(stored.services).toHaveLength(1);
    expect(actions.filter((action) => action !== "env.pulled")).toEqual(["service.requested", expected.end]);
    expect(events).toEqual(["service.provisioning", expected.event]);
    expect(operation.expected_callback_seconds).toBeNull();
    expect(await services.customersOf(projectId)).toHaveLength(1);
    return isActive;
  }

  function expectSteps(steps: Record<string, string>, failed: string, compensated: string[]) {
    const at = STEPS.indexOf(failed);
    const expected = STEPS.map((name, index) => {
      if (index === at) return [name, "failed"];
      if (index > at) return [name, "skipped"];
      return [name, compensated.includes(name) ? "compensated" : "succeeded"];
    });
    expect(steps).toEqual(Object.fromEntries(expected));
  }

  describe.each(CALLS)("when $provider's $operation", ({ provider, operation, succeedsAfter }) => {
    const outcomes = OUTCOMES_OF[operation] ?? OUTCOMES_OF_READS;

    it.each(outcomes)("is %s: the saga ends with one resource or with none", async (outcome) => {
      const { tenant, projectId, request } = await arrange(provider);
      harness.sandbox.force({ vendor: provider, operation, outcome, delayMs: TOO_LATE_MS });

      const ended = await addAndWait(tenant, projectId, request);

      const isActive = await expectConsistent(tenant, projectId, ended);
      const shouldSucceed = new Set<Outcome>(succeedsAfter).has(outcome);
      expect([ended.operation.status, isActive]).toEqual(shouldSucceed ? ["succeeded", true] : ["compensated", false]);
      if (shouldSucceed) return;
      expect(ended.operation.error.code).toBe("provider_error");
      if (READING_CREDENTIALS.has(operation)) {
        expectSteps(ended.operation.steps, "credential_storage", ["policy", "provider_provisioning"]);
      } else {
        expectSteps(ended.operation.steps, "provider_provisioning", ["policy"]);
      }
    });
  });

  describe("when stripe's PostCustomers", () => {
    it.each(OUTCOMES_OF_STRIPE)("is %s: the project has at most one customer", async (outcome) => {
      const { tenant, projectId, request } = await arrange("neon", { hasCard: false });
      const operation = "PostCustomers";
      // The saga retries after timeouts and server errors. These outcomes are therefore forced for the first three
      // attempts.
      const times = ["refused", "duplicate", "rate_limited"].includes(outcome) ? 1 : 3;
      harness.sandbox.force({ vendor: "stripe", operation, outcome, times, delayMs: TOO_LATE_MS });

      const { response, stored, operation: ended } = await addAndWait(tenant, projectId, request);

      expectSteps(ended.steps, "payment_setup", ["policy"]);
      expect(stored.charges).toMatchObject([{ status: "released" }]);
      const isRefused = outcome === "refused";
      expect([response.status, ended.error.code]).toEqual(
        isRefused ? [502, "provider_error"] : [402, "payment_method_required"],
      );
      expect(await services.customersOf(projectId)).toHaveLength(isRefused ? 0 : 1);
      await services.attachCard(tenant, projectId);
      expect((await services.add(tenant, projectId, request)).status).toBe(202);
      expect(await services.customersOf(projectId)).toHaveLength(1);
    });
  });

  describe("when stripe's GetSetupIntentsIntent", () => {
    it.each(OUTCOMES_OF_READS)("is %s: a card is charged only after its owner agreed", async (outcome) => {
      const { tenant, projectId, request } = await arrange("neon", { hasCard: false });
      await services.attachCardWithOwner(tenant, projectId);
      const operation = "GetSetupIntentsIntent";
      harness.sandbox.force({ vendor: "stripe", operation, outcome, delayMs: TOO_LATE_MS });

      const ended = await addAndWait(tenant, projectId, request);

      const isActive = await expectConsistent(tenant, projectId, ended);
      expect(isActive).toBe(outcome !== "refused");
      if (!isActive) expectSteps(ended.operation.steps, "payment_setup", ["policy"]);
    });
  });
});

describe("addServiceSaga, with a provider whose methods the test replaces", () => {
  /** The provider methods that the current test replaces. */
  let replaced: Partial<ServiceProvider> = {};
  const harness = useHarness({
    vendors: true,
    settings: { vendorRetryMs: 50, vendorSettleMs: 500 },
    replace: ({ providers }) => ({ providers: new Map([...providers].map(withReplacedMethods)) }),
  });
  const services = servicesOf(harness);

  function withReplacedMethods([name, provider]: readonly [string, ServiceProvider]) {
    const own = { ...provider };
    const proxied = new Proxy(own, {
      get: (target, property, receiver) => Reflect.get(property in replaced ? replaced : target, property, receiver),
    });
    return [name, proxied] as const;
  }

  async function arrange() {
    replaced = {};
    const tenant = await harness.seedTenant();
    const projectId = await services.linkedProject(tenant);
    const neon = { ...harness.app.providers.get("neon") } as ServiceProvider;
    return { tenant, projectId, neon };
  }

  const noResponse = (operation: string) => new VendorError("unknown", { vendor: "neon", operation });

  it("creates one resource if a create call takes effect after its timeout", async () => {
    const { tenant, projectId, neon } = await arrange();
    const orders: Promise<unknown>[] = [];
    replaced.provision = async (access, order) => {
      if (orders.length > 0) return neon.provision(access, order);
      orders.push(delay(250).then(() => neon.provision(access, order)));
      throw noResponse("createProject");
    };

    const { status, body } = await services.add(tenant, projectId);

    expect(status).toBe(202);
    await Promise.all(orders);
    const resources = await services.resourcesOf("neon", [body.service.service_id]);
    expect(resources.map(({ id }) => id)).toEqual([body.service.provider_resource_id]);
  });

  it("looks for the resource before it retries the create call, even if the first lookups fail", async () => {
    const { tenant, projectId, neon } = await arrange();
    let failingFinds = 0;
    replaced.provision = async (access, order) => {
      await neon.provision(access, order);
      failingFinds = 4;
      throw noResponse("createProject");
    };
    replaced.find = async (access, name) => {
      if (failingFinds === 0) return neon.find(access, name);
      failingFinds -= 1;
      throw new VendorError("unavailable", { vendor: "neon", operation: "listProjects" });
    };

    const { status, body } = await services.add(tenant, projectId);

    expect(status).toBe(202);
    const resources = await services.resourcesOf("neon", [body.service.service_id]);
    expect(resources.map(({ id }) => id)).toEqual([body.service.provider_resource_id]);
  });

  it("deletes all resources if a create call was executed twice", async () => {
    const { tenant, projectId, neon } = await arrange();
    replaced.provision = async (access, order) => {
      await neon.provision(access, order);
      return neon.provision(access, order);
    };
    const { body } = await services.add(tenant, projectId);
    const { service_id: serviceId } = body.service;
    expect(await services.resourcesOf("neon", [serviceId])).toHaveLength(2);

    const removal = await tenant.delete(`/projects/${projectId}/services/${serviceId}`);

    expect(removal.body.status).toBe("removed");
    expect(await services.resourcesOf("neon", [serviceId])).toEqual([]);
  });

  it("fails if the provider returns the id of another service's resource, which stays", async () => {
    const { tenant, projectId } = await arrange();
    const first = (await services.add(tenant, projectId)).body.service.service_id;
    const [resource] = await services.resourcesOf("neon", [first]);
    const found = { status: "ready" as const, resourceId: String(resource?.id) };
    replaced = { find: async () => found, provision: async () => found };

    const second = await services.add(tenant, projectId);

    expect([second.status, second.body.code, second.body.detail]).toEqual([
      502,
      "provider_error",
      "The resource at neon has the id of another service's resource.",
    ]);
    expect(await services.resourcesOf("neon", [first])).toEqual([resource]);
    expect(harness.logLines.join("")).not.toContain("internal error");
  });

  it("fails without an alarm if the provider rejects every call from the start", async () => {
    const { tenant, projectId } = await arrange();
    const unauthorized = async () => {
      throw new VendorError("unauthorized", { vendor: "neon", operation: "listProjects" });
    };
    replaced = {
      find: unauthorized,
      provision: unauthorized,
      deprovision: unauthorized,
      inspect: unauthorized,
    };

    const response = await services.add(tenant, projectId);

    expect([response.status, response.body.code]).toEqual([502, "provider_error"]);
    const stored = await services.heldFor(projectId);
    expect(stored).toMatchObject({
      services: [{ status: "failed" }],
      operations: [{ status: "failed" }],
      secrets: [],
    });
    expect(harness.logLines.join("")).not.toContain("operator action required");
  });

  describe("when an adapter throws an unexpected error", () => {
    const CANARY = "canary-of-a-broken-adapter";
    const broken = async () => {
      // Like an error thrown by `new URL`, this error has the invalid input as a property.
      throw Object.assign(new TypeError("Invalid URL"), { input: `postgresql://u:${CANARY}@h/d` });
    };
    const everyRow = async () =>
      (await dumpDatabase(harness.database.superuserUrl, ["public", "dbos"])) + harness.logLines.join("");

    it("during the addition: the saga is undone and no secret is stored or logged", async () => {
      const { tenant, projectId } = await arrange();
      replaced = { readEnv: broken };

      const response = await services.add(tenant, projectId);

      expect([response.status, response.body.code]).toEqual([500, "internal_error"]);
      const stored = await services.heldFor(projectId);
      expect(stored).toMatchObject({
        services: [{ status: "failed" }],
        operations: [{ status: "compensated" }],
        secrets: [],
      });
      expect(await services.resourcesOf("neon", [stored.services[0].service_id])).toEqual([]);
      expect(await everyRow()).not.toContain(CANARY);
    });

    it("while the addition is undone: the operation needs an operator", async () => {
      const { tenant, projectId } = await arrange();
      replaced = { readEnv: broken, deprovision: broken };

      const { status, body } = await services.add(tenant, projectId);

      expect([status, body.operation?.error.code]).toEqual([202, "internal_error"]);
      const { operations } = await services.heldFor(projectId);
      expect(operations).toMatchObject([{ status: "needs_operator" }]);
      expect(harness.logLines.filter((line) => line.includes("operator action required"))).toContainEqual(
        expect.stringContaining(operations[0].operation_id),
      );
    });

    it("during the removal: the operation needs an operator, and the removal can be repeated", async () => {
      const { tenant, projectId } = await arrange();
      const { body } = await services.add(tenant, projectId);
      const path = `/projects/${projectId}/services/${body.service.service_id}`;
      replaced = { deprovision: broken };

      const first = await tenant.delete(path);

      expect(first.status).toBe(500);
      expect((await services.heldFor(projectId)).operations.at(-1)).toMatchObject({
        status: "needs_operator",
      });
      expect(await everyRow()).not.toContain(CANARY);
      replaced = {};
      expect((await tenant.delete(path)).body.status).toBe("removed");
    });
  });
});
