import { randomBytes } from "node:crypto";
import { inspect } from "node:util";
import { acmeDbSimulator } from "@purser/simulators/acme-db/acme-db-simulator.ts";
import type { Outcome } from "@purser/simulators/kit/outcome.ts";
import { neonSimulator } from "@purser/simulators/neon/neon-simulator.ts";
import { supabaseSimulator } from "@purser/simulators/supabase/supabase-simulator.ts";
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from "vitest";
import { startTestVendor } from "../../../../simulators/test/start-test-vendor.ts";
import { TestClock } from "../../../test/clock.ts";
import { deadUrl, startMisbehavingVendor } from "../../../test/vendors/misbehaving-vendor.ts";
import { catalog } from "../../modules/projects/catalog.ts";
import type {
  ProviderAccess,
  ProvisionOrder,
  ServiceProvider,
} from "../../ports/service-provider.ts";
import { VendorError } from "../../ports/vendor-error.ts";
import { createAcmeDbProvider } from "./acme-db-provider.ts";
import { createNeonProvider } from "./neon-provider.ts";
import { createSupabaseProvider } from "./supabase-provider.ts";

/** Every adapter of the port. What a new one has to bring with it is its `Subject`. */
const ADAPTERS: readonly Adapter[] = [
  { service: "neon/postgres", operations: ["createProject", "deleteProject"], start: startNeon },
  {
    service: "supabase/project",
    operations: ["v1-create-a-project", "v1-delete-a-project"],
    start: startSupabase,
  },
  {
    service: "acme-db/postgres",
    operations: ["createDatabase", "deleteDatabase"],
    start: startAcmeDb,
  },
];

interface Adapter {
  /** By its name in the catalog. */
  readonly service: string;
  /** What makes a resource and what destroys it, by their names in the vendor's description. */
  readonly operations: readonly [create: string, remove: string];
  readonly start: () => Promise<Subject>;
}

interface Subject {
  readonly vendor: Awaited<ReturnType<typeof startTestVendor>>;
  readonly open: (url: string, timeoutMs: number) => ServiceProvider;
  /** A token of the account of this name. Each account is an organization of its own. */
  readonly tokenOf: (account: string) => string;
  readonly refusedTokens: readonly string[];
  /** Brings up what was made. */
  readonly comeUp: () => void;
}

async function startNeon(): Promise<Subject> {
  const adminUrl = `${inject("postgres").ownerUrl}postgres`;
  return {
    vendor: await startTestVendor(neonSimulator({ adminUrl })),
    open: (url, timeoutMs) => createNeonProvider({ apiUrl: `${url}/api/v2`, timeoutMs }),
    tokenOf: (account) => `sandbox-${account}`,
    refusedTokens: ["sandbox-refused-alice", "napi_made_up"],
    comeUp: () => {},
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
    comeUp: () => clock.advanceSeconds(3),
  };
}

async function startAcmeDb(): Promise<Subject> {
  return {
    vendor: await startTestVendor(acmeDbSimulator(), { contract: null }),
    open: (apiUrl, timeoutMs) => createAcmeDbProvider({ apiUrl, timeoutMs }),
    tokenOf: (account) => `sandbox-${account}`,
    refusedTokens: ["sandbox-refused"],
    comeUp: () => {},
  };
}

const PATIENT_MS = 10_000;
/** Longer than a simulator takes, and shorter than a test wants to wait for an answer that does not come. */
const HASTY_MS = 1_000;
const BOUND = { timeout: 10_000, interval: 50 };
const PASSWORD = "p@ss/word:#1%?";

/** The calls of the port: which have an effect, and whether a saga makes them, which repeats them by itself. */
const CALLS = [
  { call: "identify", silence: "unavailable", attempts: 3 },
  { call: "find", silence: "unavailable", attempts: 1 },
  { call: "inspect", silence: "unavailable", attempts: 1 },
  { call: "readEnv", silence: "unavailable", attempts: 1 },
  { call: "provision", silence: "unknown", attempts: 1 },
  { call: "deprovision", silence: "unknown", attempts: 1 },
] as const;
type CallName = (typeof CALLS)[number]["call"];

describe.each(ADAPTERS)("the provider of $service", ({ service, operations, start }) => {
  const [create, remove] = operations;
  let subject: Subject;
  let provider: ServiceProvider;
  beforeAll(async () => {
    subject = await start();
    provider = subject.open(subject.vendor.url, PATIENT_MS);
  });
  afterAll(() => subject.vendor.close());

  const made: { readonly access: ProviderAccess; readonly resourceId: string }[] = [];
  afterEach(async () => {
    for (const { access, resourceId } of made.splice(0)) {
      await provider.deprovision(access, resourceId);
    }
    expect(subject.vendor.requests.counts().invalid).toBe(0);
  });

  async function newAccess(): Promise<ProviderAccess> {
    const accessToken = subject.tokenOf(`t${randomBytes(6).toString("hex")}`);
    const { accountId } = await provider.identify(accessToken);
    return { accessToken, accountId };
  }

  function newOrder(): ProvisionOrder {
    const region = catalog.providers.find(({ provider: name }) => service.startsWith(`${name}/`))
      ?.regions[0];
    return {
      resourceName: `svc-${randomBytes(6).toString("hex")}`,
      plan: "free",
      region: region ?? "",
      config: {},
      password: PASSWORD,
    };
  }

  async function arrangeResource() {
    const access = await newAccess();
    const order = newOrder();
    const resource = await provider.provision(access, order);
    made.push({ access, resourceId: resource.resourceId });
    return { access, order, resource, resourceId: resource.resourceId };
  }

  /** Waits no longer than it has to where no answer comes. */
  function providerFor(outcome: Outcome): ServiceProvider {
    return outcome.startsWith("timeout") ? subject.open(subject.vendor.url, HASTY_MS) : provider;
  }

  describe("an account", () => {
    it("is named by its token", async () => {
      const token = subject.tokenOf("ada");

      const account = await provider.identify(token);

      expect(account.label).toMatch(/./);
      expect(account).toEqual(await provider.identify(token));
      expect(account).not.toEqual(await provider.identify(subject.tokenOf("grace")));
    });

    it("is unauthorized where the token opens nothing", async () => {
      for (const token of subject.refusedTokens) {
        await expect(provider.identify(token)).rejects.toMatchObject({ failure: "unauthorized" });
      }
    });
  });

  describe("a resource", () => {
    it("is not found before it is made", async () => {
      expect(await provider.find(await newAccess(), newOrder().resourceName)).toBeUndefined();
    });

    it("is found by its name once it is made, and comes up", async () => {
      const { access, order, resource, resourceId } = await arrangeResource();
      expect(await provider.find(access, order.resourceName)).toEqual(resource);

      subject.comeUp();

      const ready = { status: "ready", resourceId };
      expect(await provider.inspect(access, resourceId)).toEqual(ready);
      expect(await provider.find(access, order.resourceName)).toEqual(ready);
    });

    it("is not found by a part of its name, nor by a longer one", async () => {
      const { access, order } = await arrangeResource();

      expect(await provider.find(access, order.resourceName.slice(0, -1))).toBeUndefined();
      expect(await provider.find(access, `${order.resourceName}-more`)).toBeUndefined();
    });

    it("is absent for another account, which cannot destroy it", async () => {
      const { access, order, resourceId } = await arrangeResource();
      const other = await newAccess();

      expect(await provider.find(other, order.resourceName)).toBeUndefined();
      await expect(provider.inspect(other, resourceId)).rejects.toMatchObject({
        failure: "not_found",
      });
      await provider.deprovision(other, resourceId);
      expect(await provider.inspect(access, resourceId)).toMatchObject({ resourceId });
    });

    it("has an env of exactly the catalog's names", async () => {
      const { access, order, resourceId } = await arrangeResource();
      const { config, password } = order;
      subject.comeUp();

      const env = await provider.readEnv(access, { resourceId, config, password });

      expect(Object.keys(env).sort()).toEqual(envNamesOf(service).sort());
      for (const value of Object.values(env)) expect(value).toMatch(/./);
    });

    it("is gone after deprovision, which can be asked for again", async () => {
      const { access, order, resourceId } = await arrangeResource();
      const { config, password } = order;
      subject.comeUp();

      await provider.deprovision(access, resourceId);
      await provider.deprovision(access, resourceId);

      const notFound = { failure: "not_found" };
      expect(await provider.find(access, order.resourceName)).toBeUndefined();
      await expect(provider.inspect(access, resourceId)).rejects.toMatchObject(notFound);
      await expect(
        provider.readEnv(access, { resourceId, config, password }),
      ).rejects.toMatchObject(notFound);
    });
  });

  describe("a creation", () => {
    it.each<[Outcome, string, "made" | "not made"]>([
      ["refused", "refused", "not made"],
      ["timeout_applied", "unknown", "made"],
      ["timeout_lost", "unknown", "not made"],
      ["error_applied", "unknown", "made"],
      ["rate_limited", "rate_limited", "not made"],
    ])("that ends as %s is %s, and find tells that it was %s", async (outcome, failure, then) => {
      const access = await newAccess();
      const order = newOrder();
      subject.vendor.outcomes.force({ operation: create, outcome });

      await expect(providerFor(outcome).provision(access, order)).rejects.toMatchObject({
        failure,
        vendor: provider.provider,
        operation: create,
      });

      // The vendor may still be at work on what is no longer waited for.
      const look = () => provider.find(access, order.resourceName);
      await expect
        .poll(async () => ((await look()) === undefined ? "not made" : "made"), BOUND)
        .toBe(then);
      const found = await look();
      if (found !== undefined) made.push({ access, resourceId: found.resourceId });
    });

    it("that ends as duplicate is refused, and find gives the resource that is there", async () => {
      const access = await newAccess();
      const order = newOrder();
      subject.vendor.outcomes.force({ operation: create, outcome: "duplicate" });

      const { failure } = await provider.provision(access, order).catch((error) => error);
      expect(failure).toBe("refused");

      const found = await provider.find(access, order.resourceName);
      expect(found).toMatchObject({ resourceId: expect.any(String) });
      if (found !== undefined) made.push({ access, resourceId: found.resourceId });
    });

    it("that is slow is waited for", async () => {
      const access = await newAccess();
      subject.vendor.outcomes.force({ operation: create, outcome: "slow", delayMs: 50 });

      const { resourceId, status } = await provider.provision(access, newOrder());
      made.push({ access, resourceId });

      expect(status).not.toBe("failed");
    });

    it("that comes too soon after others tells when to come back", async () => {
      const access = await newAccess();
      subject.vendor.outcomes.force({ operation: create, outcome: "rate_limited" });

      await expect(provider.provision(access, newOrder())).rejects.toMatchObject({
        retryAfterSeconds: 1,
      });
    });
  });

  describe("a deletion", () => {
    it.each<[Outcome, string, "gone" | "there"]>([
      ["refused", "refused", "there"],
      ["timeout_applied", "unknown", "gone"],
      ["timeout_lost", "unknown", "there"],
      ["error_applied", "unknown", "gone"],
      ["rate_limited", "rate_limited", "there"],
      ["duplicate", "done", "gone"],
      ["slow", "done", "gone"],
    ])(
      "that ends as %s is %s, and leaves it %s until it is asked for again",
      async (outcome, failure, then) => {
        const { access, resourceId } = await arrangeResource();
        subject.vendor.outcomes.force({ operation: remove, outcome, delayMs: 50 });

        const told = await providerFor(outcome)
          .deprovision(access, resourceId)
          .then(
            () => "done",
            (error: unknown) => (error instanceof VendorError ? error.failure : error),
          );

        expect(told).toBe(failure);
        const standing = async () => {
          const left = await subject.vendor.context.objects.listAll();
          return left.some(({ id }) => id === resourceId) ? "there" : "gone";
        };
        await expect.poll(standing, BOUND).toBe(then);
        await provider.deprovision(access, resourceId);
        expect(await standing()).toBe("gone");
      },
    );
  });

  describe("a vendor that misbehaves", () => {
    const ACCESS = { accessToken: "token-of-the-test", accountId: "org-of-the-test" };
    const RESOURCE = { resourceId: "abcdefghijklmnopqrst", config: {}, password: PASSWORD };

    /** What the call throws, which is never anything else than a VendorError. */
    async function failureOf(call: CallName, url: string, timeoutMs = PATIENT_MS) {
      const asked = subject.open(url, timeoutMs);
      const calls: Readonly<Record<CallName, () => Promise<unknown>>> = {
        identify: () => asked.identify(ACCESS.accessToken),
        find: () => asked.find(ACCESS, "svc-1"),
        inspect: () => asked.inspect(ACCESS, RESOURCE.resourceId),
        readEnv: () => asked.readEnv(ACCESS, RESOURCE),
        provision: () => asked.provision(ACCESS, newOrder()),
        deprovision: () => asked.deprovision(ACCESS, RESOURCE.resourceId),
      };
      const thrown: unknown = await calls[call]().then(
        () => "nothing",
        (error: unknown) => error,
      );
      expect(thrown).toBeInstanceOf(VendorError);
      expect(thrown).toMatchObject({ vendor: provider.provider });
      return thrown as VendorError;
    }

    describe.each(CALLS)("when $call is called", ({ call, silence, attempts }) => {
      it.each<[string, Parameters<typeof startMisbehavingVendor>[0]]>([
        ["never answers", () => {}],
        ["breaks the connection", (response) => response.destroy()],
        ["breaks its answer off", (response) => response.writeHead(200).write('{"id":')],
        ["answers 500", (response) => response.writeHead(500).end("{}")],
        ["answers with HTML", (response) => response.end("<html>All good</html>")],
        ["answers with another shape", (response) => response.end('{"id":7}')],
        [
          "answers with more than a mebibyte",
          (response) => response.end(`["${"x".repeat(2 ** 20)}"]`),
        ],
        [
          "redirects to another host",
          (response) => response.writeHead(307, { location: "/elsewhere" }).end(),
        ],
      ])(`is ${silence} where the vendor %s`, async (_what, answer) => {
        const { failure } = await failureOf(call, await startMisbehavingVendor(answer), 100);

        expect(failure).toBe(silence);
      });

      it("is unavailable where nobody listens", async () => {
        expect((await failureOf(call, await deadUrl())).failure).toBe("unavailable");
      });

      it(`is sent ${attempts} times at most`, async () => {
        let sent = 0;
        const url = await startMisbehavingVendor((response) => {
          sent += 1;
          response.writeHead(503).end("{}");
        });

        await failureOf(call, url);

        expect(sent).toBe(attempts);
      });

      it("tells no secret that the vendor repeats", async () => {
        const isPasswordSent = call === "provision" && provider.wantsPassword;
        const secrets = [ACCESS.accessToken, ...(isPasswordSent ? [PASSWORD] : [])];
        const url = await startMisbehavingVendor((response) => {
          response.writeHead(403, { "content-type": "application/json" });
          response.end(JSON.stringify({ message: secrets.join(" "), code: ACCESS.accessToken }));
        });

        const error = await failureOf(call, url);

        expect(error.failure).toBe("unauthorized");
        const told = inspect(error, { depth: 10 });
        for (const secret of secrets) expect(told).not.toContain(secret);
      });
    });
  });
});

/** The names under which the catalog promises the values of a service. */
function envNamesOf(service: string): string[] {
  const offered = catalog.providers.flatMap(({ services }) => services);
  const { env_vars } = offered.find((offer) => offer.service === service) ?? { env_vars: [] };
  return env_vars.map(({ name }) => name);
}
