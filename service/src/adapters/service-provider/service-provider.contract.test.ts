import { randomBytes } from "node:crypto";
import { inspect } from "node:util";
import { acmeDbSimulator } from "@purser/simulators/acme-db/acme-db-simulator.ts";
import { AGENTIC_CLIENT_ID } from "@purser/simulators/agentic/agentic-options.ts";
import { agenticSimulator } from "@purser/simulators/agentic/agentic-simulator.ts";
import { ACME_QUEUE } from "@purser/simulators/agentic/shapes.ts";
import type { Outcome } from "@purser/simulators/kit/outcome.ts";
import { neonSimulator } from "@purser/simulators/neon/neon-simulator.ts";
import { supabaseSimulator } from "@purser/simulators/supabase/supabase-simulator.ts";
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from "vitest";
import { startTestVendor } from "../../../../simulators/test/start-test-vendor.ts";
import { TestClock } from "../../../test/clock.ts";
import { startMisbehavingVendor, unreachableUrl } from "../../../test/vendors/misbehaving-vendor.ts";
import type { CatalogProvider } from "../../modules/catalog/catalog.ts";
import type { ProviderAccess, ProvisionRequest, ServiceProvider } from "../../ports/service-provider.ts";
import { VendorError } from "../../ports/vendor-error.ts";
import { createAcmeDbProvider } from "./acme-db/acme-db-provider.ts";
import { createAgenticProvider } from "./agentic/agentic-provider.ts";
import { createNeonProvider } from "./neon/neon-provider.ts";
import { createSupabaseProvider } from "./supabase/supabase-provider.ts";

/** All `ServiceProvider` adapters. A new adapter needs a function that returns its `Subject`. */
const ADAPTERS: readonly Adapter[] = [
  {
    service: "neon/postgres",
    operations: ["createProject", "deleteProject"],
    planChange: { operation: "updateProject", plan: "launch", other: "scale" },
    start: startNeon,
  },
  {
    service: "supabase/project",
    operations: ["v1-create-a-project", "v1-delete-a-project"],
    planChange: { operation: "v1-apply-project-addon", plan: "pro-small", other: "pro-large" },
    start: startSupabase,
  },
  {
    service: "acme-db/postgres",
    operations: ["createDatabase", "deleteDatabase"],
    planChange: { operation: "updateDatabase", plan: "standard", other: "prorated" },
    start: startAcmeDb,
  },
  {
    service: "acme-queue/queue-small",
    plan: "queue_small",
    operations: ["createResource", "removeResource"],
    planChange: { operation: "updateService", plan: "queue_large", other: "queue_small" },
    start: startAgentic,
    // The protocol has no calls that return a token's account or all of its resources. The plan is looked up before a
    // resource is created or changed.
    without: ["identify", "provision", "changePlan", "list"],
    envNames: ["ACME_QUEUE_TOKEN", "ACME_QUEUE_URL"],
  },
];

interface Adapter {
  /** The service's name in the catalog. */
  readonly service: string;
  /** The names of the calls that create and delete a resource, in the vendor's API description. */
  readonly operations: readonly [create: string, remove: string];
  /** The call that changes a plan, and two plans that a new resource does not have. */
  readonly planChange: {
    readonly operation: string;
    readonly plan: string;
    readonly other: string;
  };
  readonly start: () => Promise<Subject>;
  /** Default: `free`. */
  readonly plan?: string;
  /** Calls that are tested elsewhere, or that the provider does not have. */
  readonly without?: readonly CallName[];
  /** The names of the variables, if the catalog does not contain them. */
  readonly envNames?: readonly string[];
}

interface Subject {
  readonly vendor: Awaited<ReturnType<typeof startTestVendor>>;
  readonly open: (url: string, timeoutMs: number) => ServiceProvider;
  /** Returns an account's token. Each account is a separate organization. */
  readonly tokenOf: (account: string) => string;
  readonly refusedTokens: readonly string[];
  /**
   * Completes the provisioning of resources that are still starting. Only the Supabase simulator needs this call,
   * because it uses a test clock.
   */
  readonly makeReady: () => void;
}

async function startNeon(): Promise<Subject> {
  const adminUrl = `${inject("postgres").ownerUrl}postgres`;
  return {
    vendor: await startTestVendor(neonSimulator({ adminUrl })),
    open: (url, timeoutMs) => createNeonProvider({ apiUrl: `${url}/api/v2`, timeoutMs }),
    tokenOf: (account) => `sandbox-${account}`,
    refusedTokens: ["sandbox-refused-alice", "napi_made_up"],
    makeReady: () => {},
  };
}

async function startSupabase(): Promise<Subject> {
  const clock = new TestClock();
  const app = { clientId: "6f9619ff-8b86-4011-b42d-00c04fc964ff", clientSecret: "sba_of-the-test" };
  const simulator = supabaseSimulator({ ...app, redirectUris: [], readyAfterMs: 3_000 });
  return {
    vendor: await startTestVendor(simulator, { now: clock.now }),
    open: (apiUrl, timeoutMs) => createSupabaseProvider({ apiUrl, app, clock, timeoutMs }),
    tokenOf: (account) => `sandbox-${account}`,
    refusedTokens: ["sandbox-refused", "sbp_made_up"],
    makeReady: () => clock.advanceSeconds(3),
  };
}

async function startAcmeDb(): Promise<Subject> {
  return {
    vendor: await startTestVendor(acmeDbSimulator(), { contract: null }),
    open: (apiUrl, timeoutMs) => createAcmeDbProvider({ apiUrl, timeoutMs }),
    tokenOf: (account) => `sandbox-${account}`,
    refusedTokens: ["sandbox-refused"],
    makeReady: () => {},
  };
}

async function startAgentic(): Promise<Subject> {
  return {
    vendor: await startTestVendor(agenticSimulator({ shape: ACME_QUEUE, redirectUris: [] })),
    open: (base_url, timeoutMs) =>
      createAgenticProvider({
        ...{ provider: "acme-queue", display_name: "Acme Queue", base_url, timeoutMs },
        ...{ client_id: AGENTIC_CLIENT_ID, billed_by: "purser", payment_token: "spt_test" },
        clock: new TestClock(),
      }),
    tokenOf: (account) => `sandbox-${account}`,
    refusedTokens: ["sandbox-refused"],
    makeReady: () => {},
  };
}

const LONG_TIMEOUT_MS = 10_000;
/** Longer than the simulator's normal response time, but short, because some tests wait for the timeout. */
const SHORT_TIMEOUT_MS = 1_000;
const BOUND = { timeout: 10_000, interval: 50 };
const PASSWORD = "p@ss/word:#1%?";

/**
 * For each call, the expected failure if the vendor does not respond, and the expected number of attempts. Calls with
 * one attempt are retried by sagas, not by the adapter.
 */
const CALLS = [
  { call: "identify", failureWithoutResponse: "unavailable", attempts: 3 },
  { call: "find", failureWithoutResponse: "unavailable", attempts: 1 },
  { call: "list", failureWithoutResponse: "unavailable", attempts: 1 },
  { call: "inspect", failureWithoutResponse: "unavailable", attempts: 1 },
  { call: "readEnv", failureWithoutResponse: "unavailable", attempts: 1 },
  // It starts with a read.
  { call: "changePlan", failureWithoutResponse: "unavailable", attempts: 1 },
  { call: "provision", failureWithoutResponse: "unknown", attempts: 1 },
  { call: "deprovision", failureWithoutResponse: "unknown", attempts: 1 },
] as const;
type CallName = (typeof CALLS)[number]["call"];

describe.each(ADAPTERS)("provider of $service", (adapter) => {
  const { service, operations, planChange, start, plan = "free", without = [] } = adapter;
  const [create, remove] = operations;
  let subject: Subject;
  let provider: ServiceProvider;
  beforeAll(async () => {
    subject = await start();
    provider = subject.open(subject.vendor.url, LONG_TIMEOUT_MS);
  });
  afterAll(() => subject.vendor.close());

  const created: { readonly access: ProviderAccess; readonly resourceId: string }[] = [];
  afterEach(async () => {
    for (const { access, resourceId } of created.splice(0)) {
      await provider.deprovision(access, resourceId);
    }
    expect(subject.vendor.requests.counts().invalid).toBe(0);
  });

  async function newAccess(): Promise<ProviderAccess> {
    const accessToken = subject.tokenOf(`t${randomBytes(6).toString("hex")}`);
    if (without.includes("identify")) return { accessToken, accountId: null };
    const { accountId } = await provider.identify(accessToken);
    return { accessToken, accountId };
  }

  function newOrder(): ProvisionRequest {
    const [region = "global"] = entryOf(provider)?.regions ?? [];
    return {
      resourceName: `svc-${randomBytes(6).toString("hex")}`,
      service,
      plan,
      region,
      config: {},
      password: PASSWORD,
    };
  }

  async function arrangeResource() {
    const access = await newAccess();
    const order = newOrder();
    const resource = await provider.provision(access, order);
    created.push({ access, resourceId: resource.resourceId });
    return { access, order, resource, resourceId: resource.resourceId };
  }

  /** Returns a provider with a short timeout if the outcome is a timeout. */
  function providerFor(outcome: Outcome): ServiceProvider {
    return outcome.startsWith("timeout") ? subject.open(subject.vendor.url, SHORT_TIMEOUT_MS) : provider;
  }

  describe.skipIf(without.includes("identify"))("identify", () => {
    it("returns the same account for the same token", async () => {
      const token = subject.tokenOf("ada");

      const account = await provider.identify(token);

      expect(account.label).toMatch(/./);
      expect(account).toEqual(await provider.identify(token));
      expect(account).not.toEqual(await provider.identify(subject.tokenOf("grace")));
    });

    it("unauthorized: an invalid token", async () => {
      for (const token of subject.refusedTokens) {
        await expect(provider.identify(token)).rejects.toMatchObject({ failure: "unauthorized" });
      }
    });
  });

  describe("resource", () => {
    it("find: returns undefined before it is created", async () => {
      expect(await provider.find(await newAccess(), newOrder().resourceName)).toBeUndefined();
    });

    it("find: returns the created resource, which becomes ready", async () => {
      const { access, order, resource, resourceId } = await arrangeResource();
      const { env: _shownOnce, ...found } = { env: undefined, ...resource };
      expect(await provider.find(access, order.resourceName)).toEqual(found);

      subject.makeReady();

      const ready = { status: "ready", resourceId };
      expect(await provider.inspect(access, resourceId)).toEqual(ready);
      expect(await provider.find(access, order.resourceName)).toEqual(ready);
    });

    it("find: returns undefined for part of its name and for a longer name", async () => {
      const { access, order } = await arrangeResource();

      expect(await provider.find(access, order.resourceName.slice(0, -1))).toBeUndefined();
      expect(await provider.find(access, `${order.resourceName}-more`)).toBeUndefined();
    });

    it.skipIf(without.includes("list"))(
      "list: returns the account's resources whose names begin with the prefix",
      async () => {
        const { access, order, resourceId } = await arrangeResource();
        const { resourceName: name } = order;

        expect(await provider.list?.(access, name.slice(0, -1))).toEqual([{ resourceId, name }]);
        expect(await provider.list?.(access, name.slice(1))).toEqual([]);
        expect(await provider.list?.(await newAccess(), "svc-")).toEqual([]);
      },
    );

    it("cannot be found or deleted from another account", async () => {
      const { access, order, resourceId } = await arrangeResource();
      const other = await newAccess();

      expect(await provider.find(other, order.resourceName)).toBeUndefined();
      await expect(provider.inspect(other, resourceId)).rejects.toMatchObject({
        failure: "not_found",
      });
      await provider.deprovision(other, resourceId);
      expect(await provider.inspect(access, resourceId)).toMatchObject({ resourceId });
    });

    it("readEnv: returns exactly the catalog's variables", async () => {
      const { access, order, resourceId } = await arrangeResource();
      const { config, password } = order;
      subject.makeReady();

      const env = await provider.readEnv(access, { resourceId, config, password });

      expect(Object.keys(env).sort()).toEqual(envNamesOf(adapter, provider).sort());
      for (const value of Object.values(env)) expect(value).toMatch(/./);
    });

    it("does not exist after deprovision, which succeeds even if repeated", async () => {
      const { access, order, resourceId } = await arrangeResource();
      const { config, password } = order;
      subject.makeReady();

      await provider.deprovision(access, resourceId);
      await provider.deprovision(access, resourceId);

      const notFound = { failure: "not_found" };
      expect(await provider.find(access, order.resourceName)).toBeUndefined();
      await expect(provider.inspect(access, resourceId)).rejects.toMatchObject(notFound);
      await expect(provider.readEnv(access, { resourceId, config, password })).rejects.toMatchObject(notFound);
    });
  });

  describe("changePlan", () => {
    const { operation, plan, other } = planChange;

    async function arrangeReadyResource() {
      const { access, order, resourceId } = await arrangeResource();
      subject.makeReady();
      const ready = { status: "ready", resourceId };
      const change = async (to: string, from?: string, by = provider) => {
        const changed = await by.changePlan?.(access, {
          ...{ resourceId, plan: to, from, config: order.config },
        });
        subject.makeReady();
        return changed;
      };
      const writes = () =>
        subject.vendor.requests.list().filter((sent) => sent.operation === operation && sent.path.includes(resourceId))
          .length;
      return { access, resourceId, ready, change, writes };
    }

    it("changes the plan, and does nothing if the resource has it already", async () => {
      const { access, resourceId, ready, change, writes } = await arrangeReadyResource();

      expect(await change(plan)).toMatchObject({ resourceId });
      expect(await provider.inspect(access, resourceId)).toEqual(ready);
      expect(await change(plan)).toEqual(ready);
      expect(writes()).toBe(1);
      await change(other);
      expect(writes()).toBe(2);
    });

    it("does nothing if the resource has another plan than `from`", async () => {
      const { ready, change, writes } = await arrangeReadyResource();
      await change(plan);

      expect(await change(other, other)).toEqual(ready);
      expect(writes()).toBe(1);
      await change(other, plan);
      expect(writes()).toBe(2);
    });

    it("refused: a plan that the provider's API does not know", async () => {
      const { change } = await arrangeReadyResource();

      await expect(change("platinum")).rejects.toMatchObject({ failure: "refused" });
    });

    it("not_found: a resource of another account", async () => {
      const { resourceId } = await arrangeReadyResource();
      const others = await newAccess();

      await expect(provider.changePlan?.(others, { resourceId, plan, config: {} })).rejects.toMatchObject({
        failure: "not_found",
      });
    });

    it.each<[Outcome, string, number]>([
      ["refused", "refused", 1],
      ["timeout_applied", "unknown", 0],
      ["timeout_lost", "unknown", 1],
      ["error_applied", "unknown", 0],
      ["rate_limited", "rate_limited", 1],
    ])("the outcome %s fails with %s, and a repeated call writes %i times", async (outcome, failure, repeated) => {
      const { change, writes } = await arrangeReadyResource();
      subject.vendor.outcomes.force({ operation, outcome });

      await expect(change(plan, undefined, providerFor(outcome))).rejects.toMatchObject({
        failure,
      });
      subject.makeReady();
      const before = writes();
      await change(plan);

      expect(writes() - before).toBe(repeated);
    });
  });

  describe("provision", () => {
    it.each<[Outcome, string, "created" | "not created"]>([
      ["refused", "refused", "not created"],
      ["timeout_applied", "unknown", "created"],
      ["timeout_lost", "unknown", "not created"],
      ["error_applied", "unknown", "created"],
      ["rate_limited", "rate_limited", "not created"],
    ])(
      "provision with outcome %s fails with %s, and find shows that the resource was %s",
      async (outcome, failure, expected) => {
        const access = await newAccess();
        const order = newOrder();
        subject.vendor.outcomes.force({ operation: create, outcome });

        await expect(providerFor(outcome).provision(access, order)).rejects.toMatchObject({
          failure,
          vendor: provider.provider,
          operation: create,
        });

        // The test polls, because the simulator may apply the call only after the client's timeout.
        const find = () => provider.find(access, order.resourceName);
        await expect.poll(async () => ((await find()) === undefined ? "not created" : "created"), BOUND).toBe(expected);
        const found = await find();
        if (found !== undefined) created.push({ access, resourceId: found.resourceId });
      },
    );

    it("refused: the resource already exists; find returns it", async () => {
      const access = await newAccess();
      const order = newOrder();
      subject.vendor.outcomes.force({ operation: create, outcome: "duplicate" });

      const { failure } = await provider.provision(access, order).catch((error) => error);
      expect(failure).toBe("refused");

      const found = await provider.find(access, order.resourceName);
      expect(found).toMatchObject({ resourceId: expect.any(String) });
      if (found !== undefined) created.push({ access, resourceId: found.resourceId });
    });

    it("waits for a slow response", async () => {
      const access = await newAccess();
      subject.vendor.outcomes.force({ operation: create, outcome: "slow", delayMs: 50 });

      const { resourceId, status } = await provider.provision(access, newOrder());
      created.push({ access, resourceId });

      expect(status).not.toBe("failed");
    });

    it("rate_limited: includes the seconds from Retry-After", async () => {
      const access = await newAccess();
      subject.vendor.outcomes.force({ operation: create, outcome: "rate_limited" });

      await expect(provider.provision(access, newOrder())).rejects.toMatchObject({
        retryAfterSeconds: 1,
      });
    });
  });

  describe("deprovision", () => {
    it.each<[Outcome, string, "deleted" | "present"]>([
      ["refused", "refused", "present"],
      ["timeout_applied", "unknown", "deleted"],
      ["timeout_lost", "unknown", "present"],
      ["error_applied", "unknown", "deleted"],
      ["rate_limited", "rate_limited", "present"],
      ["duplicate", "done", "deleted"],
      ["slow", "done", "deleted"],
    ])(
      "deprovision with outcome %s results in %s, and the resource is %s until deprovision is repeated",
      async (outcome, failure, expected) => {
        const { access, resourceId } = await arrangeResource();
        subject.vendor.outcomes.force({ operation: remove, outcome, delayMs: 50 });

        const result = await providerFor(outcome)
          .deprovision(access, resourceId)
          .then(
            () => "done",
            (error: unknown) => (error instanceof VendorError ? error.failure : error),
          );

        expect(result).toBe(failure);
        const stateOf = async () => {
          const left = await subject.vendor.context.objects.listAll();
          return left.some(({ id }) => id === resourceId) ? "present" : "deleted";
        };
        await expect.poll(stateOf, BOUND).toBe(expected);
        await provider.deprovision(access, resourceId);
        expect(await stateOf()).toBe("deleted");
      },
    );
  });

  describe("misbehaving vendor", () => {
    const ACCESS = { accessToken: "token-of-the-test", accountId: "org-of-the-test" };
    const RESOURCE = { resourceId: "abcdefghijklmnopqrst", config: {}, password: PASSWORD };

    /** Returns the VendorError that the call throws. */
    async function failureOf(call: CallName, url: string, timeoutMs = LONG_TIMEOUT_MS) {
      const opened = subject.open(url, timeoutMs);
      const calls: Readonly<Record<CallName, () => Promise<unknown>>> = {
        identify: () => opened.identify(ACCESS.accessToken),
        find: () => opened.find(ACCESS, "svc-1"),
        list: async () => opened.list?.(ACCESS, "svc-"),
        inspect: () => opened.inspect(ACCESS, RESOURCE.resourceId),
        readEnv: () => opened.readEnv(ACCESS, RESOURCE),
        changePlan: async () => opened.changePlan?.(ACCESS, { ...RESOURCE, plan: planChange.plan }),
        provision: () => opened.provision(ACCESS, newOrder()),
        deprovision: () => opened.deprovision(ACCESS, RESOURCE.resourceId),
      };
      const thrown: unknown = await calls[call]().then(
        () => "nothing",
        (error: unknown) => error,
      );
      expect(thrown).toBeInstanceOf(VendorError);
      expect(thrown).toMatchObject({ vendor: provider.provider });
      return thrown as VendorError;
    }

    const calls = CALLS.filter(({ call }) => !without.includes(call));
    describe.each(calls)("$call", ({ call, failureWithoutResponse, attempts }) => {
      it.each<[string, Parameters<typeof startMisbehavingVendor>[0]]>([
        ["does not respond", () => {}],
        ["closes the connection", (response) => response.destroy()],
        ["sends half a response", (response) => response.writeHead(200).write('{"id":')],
        ["responds with 500", (response) => response.writeHead(500).end("{}")],
        ["responds with HTML", (response) => response.end("<html>All good</html>")],
        ["responds with an unexpected shape", (response) => response.end('{"id":7}')],
        ["responds with more than 1 MiB", (response) => response.end(`["${"x".repeat(2 ** 20)}"]`)],
        ["redirects to another host", (response) => response.writeHead(307, { location: "/elsewhere" }).end()],
      ])(`${failureWithoutResponse}: the vendor %s`, async (_what, respond) => {
        const { failure } = await failureOf(call, await startMisbehavingVendor(respond), 100);

        expect(failure).toBe(failureWithoutResponse);
      });

      it("unavailable: the connection is refused", async () => {
        expect((await failureOf(call, await unreachableUrl())).failure).toBe("unavailable");
      });

      it(`makes at most ${attempts} attempts`, async () => {
        let sent = 0;
        const url = await startMisbehavingVendor((response) => {
          sent += 1;
          response.writeHead(503).end("{}");
        });

        await failureOf(call, url);

        expect(sent).toBe(attempts);
      });

      it("errors do not contain secrets that the vendor echoes", async () => {
        const isPasswordSent = call === "provision" && provider.needsPassword;
        const secrets = [ACCESS.accessToken, ...(isPasswordSent ? [PASSWORD] : [])];
        const url = await startMisbehavingVendor((response) => {
          response.writeHead(403, { "content-type": "application/json" });
          response.end(JSON.stringify({ message: secrets.join(" "), code: ACCESS.accessToken }));
        });

        const error = await failureOf(call, url);

        expect(error.failure).toBe("unauthorized");
        const result = inspect(error, { depth: 10 });
        for (const secret of secrets) expect(result).not.toContain(secret);
      });
    });
  });
});

/** Returns the names of a service's environment variables, by default according to the catalog. */
function envNamesOf({ service, envNames }: Adapter, provider: ServiceProvider): string[] {
  if (envNames !== undefined) return [...envNames];
  const offered = entryOf(provider)?.services.find((offer) => offer.service === service);
  return (offered?.env_vars ?? []).map(({ name }) => name);
}

function entryOf({ catalogEntry }: ServiceProvider): CatalogProvider | undefined {
  return catalogEntry as CatalogProvider | undefined;
}
