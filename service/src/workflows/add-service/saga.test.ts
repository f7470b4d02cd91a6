import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { isCampaign } from "../../../test/campaign.ts";
import { useHarness } from "../../../test/harness.ts";
import { auditOf, dumpDatabase, eventsOf } from "../../../test/project-seeds.ts";
import { servicesOf, type Tenant } from "../../../test/services.ts";
import type { ServiceProvider } from "../../ports/service-provider.ts";
import { VendorError } from "../../ports/vendor-error.ts";

/** All that a vendor can make of a call, by the names that the sandbox has for them. */
const OUTCOMES = [
  "refused",
  "timeout_applied",
  "timeout_lost",
  "error_applied",
  "duplicate",
  "slow",
  "rate_limited",
] as const;
type Outcome = (typeof OUTCOMES)[number];

/**
 * What the suite tries of a read: that it was applied and not answered, or answered late, is to the caller the same as no
 * answer. The campaign tries every outcome of every call.
 */
const OUTCOMES_OF_READS: readonly Outcome[] = isCampaign ? OUTCOMES : ["refused", "timeout_lost"];
/** What a lost answer, a refusal and an order that was carried out come to. Neon has all outcomes. */
const OUTCOMES_OF_SUPABASE: readonly Outcome[] = isCampaign
  ? OUTCOMES
  : ["refused", "timeout_applied", "timeout_lost", "error_applied", "duplicate"];
/** To Stripe's library a late answer is none. */
const OUTCOMES_OF_STRIPE = OUTCOMES.filter((outcome) => isCampaign || outcome !== "slow");

const VENDOR_TIMEOUT_MS = 300;
/** Later than the adapters wait, and yet it was applied. */
const TOO_LATE_MS = 600;

/** Nobody said no, so that it is asked again. */
const ANSWERED_LATER = [
  "timeout_applied",
  "timeout_lost",
  "error_applied",
  "slow",
  "rate_limited",
] as const;

/** What the sagas call at their providers, and which outcomes of it end well: a refusal ends the saga, a read's 404 too. */
const CALLS = [
  { provider: "neon", operation: "listProjects", well: ANSWERED_LATER },
  { provider: "neon", operation: "createProject", well: [...ANSWERED_LATER, "duplicate"] },
  // A project that is there, and could not be looked at, is looked at again later.
  {
    provider: "neon",
    operation: "listProjectOperations",
    well: [...ANSWERED_LATER, "refused", "duplicate"],
  },
  { provider: "neon", operation: "getProject", well: ANSWERED_LATER },
  { provider: "neon", operation: "getConnectionURI", well: ANSWERED_LATER },
  { provider: "supabase", operation: "v1-list-all-projects", well: ANSWERED_LATER },
  {
    provider: "supabase",
    operation: "v1-create-a-project",
    well: [...ANSWERED_LATER, "duplicate"],
  },
  { provider: "supabase", operation: "v1-get-project", well: ANSWERED_LATER },
  { provider: "supabase", operation: "v1-get-project-api-keys", well: ANSWERED_LATER },
  { provider: "supabase", operation: "v1-get-pooler-config", well: ANSWERED_LATER },
] as const;

const OUTCOMES_OF: Readonly<Record<string, readonly Outcome[]>> = {
  createProject: OUTCOMES,
  "v1-create-a-project": OUTCOMES_OF_SUPABASE,
};

const WISHES = {
  neon: { service: "neon/postgres", plan: "launch" },
  supabase: { service: "supabase/project", plan: "pro" },
} as const;

/** The resource is there by then, and goes again when they fail. */
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

describe("the saga that adds a service", () => {
  const harness = useHarness({
    vendors: true,
    settings: { vendorRetryMs: 40 },
    environment: { PURSER_PROVIDER_TIMEOUT_MS: String(VENDOR_TIMEOUT_MS) },
  });
  const services = servicesOf(harness);
  const { heldFor, resourcesOf } = services;
  beforeAll(services.callEachVendorOnce);

  /** A project that can be charged, though it has no customer at the processor yet. */
  async function arrange(provider: keyof typeof WISHES, { hasCard = true } = {}) {
    const tenant = await harness.seedTenant();
    const projectId = await services.newProject(tenant);
    if (provider === "neon") await services.linkNeon(tenant, projectId);
    else await services.linkSupabase(tenant, projectId);
    if (hasCard) await services.attachCard(tenant, projectId);
    return { tenant, projectId, wish: WISHES[provider] };
  }

  /** Adds, and waits until it has ended. */
  async function addToTheEnd(tenant: Tenant, projectId: string, wish: object) {
    const answer = await services.add(tenant, projectId, wish);
    await services.allEnded(projectId);
    const held = await heldFor(projectId);
    const [service] = held.services;
    const [operation] = held.operations;
    return { answer, held, service, operation, serviceId: service.service_id as string };
  }

  afterEach(async () => {
    expect(await services.outcomesLeft()).toEqual([]);
  });

  type Ended = Awaited<ReturnType<typeof addToTheEnd>>;

  /** Everything that must hold of an addition that has ended, however it has. Gives whether the service is there. */
  async function expectWhole(tenant: Tenant, projectId: string, ended: Ended): Promise<boolean> {
    const { held, service, operation, serviceId } = ended;
    const isThere = service.status === "active";
    const resources = await resourcesOf(service.provider, [serviceId]);
    const told = (await auditOf(harness.app, serviceId)).map(({ action }) => action);
    const events = (await eventsOf(harness.app, serviceId)).map(({ type }) => type);
    const { env } = (await tenant.get(`/projects/${projectId}/env`)).body;
    const whole = isThere
      ? {
          resources: [service.provider_resource_id],
          charges: [service.provider === "neon" ? "reserved" : "pending"],
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
      charges: held.charges.map(({ status }) => status),
      secrets: held.secrets.map(({ kind }) => kind).sort(),
      names: Object.keys(env).sort(),
    }).toEqual({
      resources: whole.resources,
      charges: whole.charges,
      secrets: whole.secrets,
      names: whole.names,
    });
    expect(held.services).toHaveLength(1);
    expect(told.filter((action) => action !== "env.pulled")).toEqual([
      "service.requested",
      whole.end,
    ]);
    expect(events).toEqual(["service.provisioning", whole.event]);
    expect(operation.expected_callback_seconds).toBeNull();
    expect(await services.customersOf(projectId)).toHaveLength(1);
    return isThere;
  }

  function expectSteps(steps: Record<string, string>, failed: string, compensated: string[]) {
    const at = STEPS.indexOf(failed);
    const wanted = STEPS.map((name, index) => {
      if (index === at) return [name, "failed"];
      if (index > at) return [name, "skipped"];
      return [name, compensated.includes(name) ? "compensated" : "succeeded"];
    });
    expect(steps).toEqual(Object.fromEntries(wanted));
  }

  describe.each(CALLS)("when $provider's $operation", ({ provider, operation, well }) => {
    const outcomes = OUTCOMES_OF[operation] ?? OUTCOMES_OF_READS;

    it.each(outcomes)("is %s, ends with one resource or with none", async (outcome) => {
      const { tenant, projectId, wish } = await arrange(provider);
      harness.sandbox.force({ vendor: provider, operation, outcome, delayMs: TOO_LATE_MS });

      const ended = await addToTheEnd(tenant, projectId, wish);

      const isThere = await expectWhole(tenant, projectId, ended);
      const isWell = new Set<Outcome>(well).has(outcome);
      expect([ended.operation.status, isThere]).toEqual(
        isWell ? ["succeeded", true] : ["compensated", false],
      );
      if (isWell) return;
      expect(ended.operation.error.code).toBe("provider_error");
      if (READING_CREDENTIALS.has(operation)) {
        expectSteps(ended.operation.steps, "credential_storage", [
          "policy",
          "provider_provisioning",
        ]);
      } else {
        expectSteps(ended.operation.steps, "provider_provisioning", ["policy"]);
      }
    });
  });

  describe("when stripe's PostCustomers", () => {
    it.each(OUTCOMES_OF_STRIPE)("is %s, makes one customer at the most", async (outcome) => {
      const { tenant, projectId, wish } = await arrange("neon", { hasCard: false });
      const operation = "PostCustomers";
      // Where it gets no answer, the saga asks again.
      const times = ["refused", "duplicate", "rate_limited"].includes(outcome) ? 1 : 3;
      harness.sandbox.force({ vendor: "stripe", operation, outcome, times, delayMs: TOO_LATE_MS });

      const { answer, held, operation: ended } = await addToTheEnd(tenant, projectId, wish);

      expectSteps(ended.steps, "payment_setup", ["policy"]);
      expect(held.charges).toMatchObject([{ status: "released" }]);
      const isRefused = outcome === "refused";
      expect([answer.status, ended.error.code]).toEqual(
        isRefused ? [502, "provider_error"] : [402, "payment_method_required"],
      );
      expect(await services.customersOf(projectId)).toHaveLength(isRefused ? 0 : 1);
      await services.attachCard(tenant, projectId);
      expect((await services.add(tenant, projectId, wish)).status).toBe(202);
      expect(await services.customersOf(projectId)).toHaveLength(1);
    });
  });

  describe("when stripe's GetSetupIntentsIntent", () => {
    it.each(OUTCOMES_OF_READS)(
      "is %s, charges a card only where its owner agreed",
      async (outcome) => {
        const { tenant, projectId, wish } = await arrange("neon", { hasCard: false });
        await services.attachCardWithOwner(tenant, projectId);
        const operation = "GetSetupIntentsIntent";
        harness.sandbox.force({ vendor: "stripe", operation, outcome, delayMs: TOO_LATE_MS });

        const ended = await addToTheEnd(tenant, projectId, wish);

        const isThere = await expectWhole(tenant, projectId, ended);
        expect(isThere).toBe(outcome !== "refused");
        if (!isThere) expectSteps(ended.operation.steps, "payment_setup", ["policy"]);
      },
    );
  });
});

describe("the saga that adds a service, at a provider of its own mind", () => {
  /** What the provider does before, or in place of, what it is asked. */
  let mind: Partial<ServiceProvider> = {};
  const harness = useHarness({
    vendors: true,
    settings: { vendorRetryMs: 50, vendorSettleMs: 500 },
    replace: ({ providers }) => ({ providers: new Map([...providers].map(withMind)) }),
  });
  const services = servicesOf(harness);

  function withMind([name, provider]: readonly [string, ServiceProvider]) {
    const own = { ...provider };
    const minded = new Proxy(own, {
      get: (target, property, receiver) =>
        Reflect.get(property in mind ? mind : target, property, receiver),
    });
    return [name, minded] as const;
  }

  async function arrange() {
    mind = {};
    const tenant = await harness.seedTenant();
    const projectId = await services.linkedProject(tenant);
    const neon = { ...harness.app.providers.get("neon") } as ServiceProvider;
    return { tenant, projectId, neon };
  }

  const silence = (operation: string) => new VendorError("unknown", { vendor: "neon", operation });

  it("makes one resource of an order that arrives after its answer was given up", async () => {
    const { tenant, projectId, neon } = await arrange();
    const orders: Promise<unknown>[] = [];
    mind.provision = async (access, order) => {
      if (orders.length > 0) return neon.provision(access, order);
      orders.push(delay(250).then(() => neon.provision(access, order)));
      throw silence("createProject");
    };

    const { status, body } = await services.add(tenant, projectId);

    expect(status).toBe(202);
    await Promise.all(orders);
    const resources = await services.resourcesOf("neon", [body.service.service_id]);
    expect(resources.map(({ id }) => id)).toEqual([body.service.provider_resource_id]);
  });

  it("looks before it orders again, where it could not look at once", async () => {
    const { tenant, projectId, neon } = await arrange();
    let blindLooks = 0;
    mind.provision = async (access, order) => {
      await neon.provision(access, order);
      blindLooks = 4;
      throw silence("createProject");
    };
    mind.find = async (access, name) => {
      if (blindLooks === 0) return neon.find(access, name);
      blindLooks -= 1;
      throw new VendorError("unavailable", { vendor: "neon", operation: "listProjects" });
    };

    const { status, body } = await services.add(tenant, projectId);

    expect(status).toBe(202);
    const resources = await services.resourcesOf("neon", [body.service.service_id]);
    expect(resources.map(({ id }) => id)).toEqual([body.service.provider_resource_id]);
  });

  it("destroys all that it may have made, where an order was carried out twice", async () => {
    const { tenant, projectId, neon } = await arrange();
    mind.provision = async (access, order) => {
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

  it("fails, and troubles nobody, where the provider lets us do nothing from the start", async () => {
    const { tenant, projectId } = await arrange();
    const shut = async () => {
      throw new VendorError("unauthorized", { vendor: "neon", operation: "listProjects" });
    };
    mind = { find: shut, provision: shut, deprovision: shut, inspect: shut };

    const answer = await services.add(tenant, projectId);

    expect([answer.status, answer.body.code]).toEqual([502, "provider_error"]);
    const held = await services.heldFor(projectId);
    expect(held).toMatchObject({
      services: [{ status: "failed" }],
      operations: [{ status: "failed" }],
      secrets: [],
    });
    expect(harness.logLines.join("")).not.toContain("needs an operator");
  });

  describe("when an adapter breaks", () => {
    const CANARY = "canary-of-a-broken-adapter";
    const broken = async () => {
      // As `new URL` does, which keeps what it was given.
      throw Object.assign(new TypeError("Invalid URL"), { input: `postgresql://u:${CANARY}@h/d` });
    };
    const everyRow = async () =>
      (await dumpDatabase(harness.database.superuserUrl, ["public", "dbos"])) +
      harness.logLines.join("");

    it("while it adds, the addition fails, and nothing is left", async () => {
      const { tenant, projectId } = await arrange();
      mind = { readEnv: broken };

      const answer = await services.add(tenant, projectId);

      expect([answer.status, answer.body.code]).toEqual([500, "internal_error"]);
      const held = await services.heldFor(projectId);
      expect(held).toMatchObject({
        services: [{ status: "failed" }],
        operations: [{ status: "compensated" }],
        secrets: [],
      });
      expect(await services.resourcesOf("neon", [held.services[0].service_id])).toEqual([]);
      expect(await everyRow()).not.toContain(CANARY);
    });

    it("while it undoes, a person is called", async () => {
      const { tenant, projectId } = await arrange();
      mind = { readEnv: broken, deprovision: broken };

      const { status, body } = await services.add(tenant, projectId);

      expect([status, body.operation?.error.code]).toEqual([202, "internal_error"]);
      const { operations } = await services.heldFor(projectId);
      expect(operations).toMatchObject([{ status: "needs_operator" }]);
      expect(harness.logLines.filter((line) => line.includes("needs an operator"))).toContainEqual(
        expect.stringContaining(operations[0].operation_id),
      );
    });

    it("while it removes, a person is called, and it can be asked for again", async () => {
      const { tenant, projectId } = await arrange();
      const { body } = await services.add(tenant, projectId);
      const path = `/projects/${projectId}/services/${body.service.service_id}`;
      mind = { deprovision: broken };

      const first = await tenant.delete(path);

      expect(first.status).toBe(500);
      expect((await services.heldFor(projectId)).operations.at(-1)).toMatchObject({
        status: "needs_operator",
      });
      expect(await everyRow()).not.toContain(CANARY);
      mind = {};
      expect((await tenant.delete(path)).body.status).toBe("removed");
    });
  });
});
