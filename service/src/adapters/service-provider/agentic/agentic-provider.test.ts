import { createHash } from "node:crypto";
import { AGENTIC_CLIENT_ID } from "@purser/simulators/agentic/agentic-options.ts";
import { agenticSimulator } from "@purser/simulators/agentic/agentic-simulator.ts";
import { ACME_ANALYTICS, ACME_QUEUE } from "@purser/simulators/agentic/shapes.ts";
import { issueTokens } from "@purser/simulators/oauth/tokens.ts";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { startTestVendor } from "../../../../../simulators/test/start-test-vendor.ts";
import { TestClock } from "../../../../test/clock.ts";
import { startMisbehavingVendor } from "../../../../test/vendors/misbehaving-vendor.ts";
import type { AgenticProviderOptions } from "./agentic-account.ts";
import { catalogEntryOf } from "./agentic-catalog.ts";
import { createAgenticProvider } from "./agentic-provider.ts";
import type { AgenticService } from "./agentic-wire.ts";

const ACCESS = { accessToken: "sandbox-ada", accountId: null };
const ORDER = {
  service: "acme-analytics/product-analytics",
  plan: "free",
  region: "global",
  config: {},
  password: "",
};

function open(base_url: string, change: Partial<AgenticProviderOptions> = {}) {
  return createAgenticProvider({
    ...{ provider: "acme-analytics", display_name: "Acme", base_url, clock: new TestClock() },
    ...{ client_id: AGENTIC_CLIENT_ID, billed_by: "vendor", timeoutMs: 3_000 },
    ...change,
  });
}

describe("a provider with plans beside its services", () => {
  const shape = { ...ACME_ANALYTICS, readyAfterMs: 0 };
  let vendor: Awaited<ReturnType<typeof startTestVendor>>;
  beforeAll(async () => {
    vendor = await startTestVendor(agenticSimulator({ shape, redirectUris: [] }));
  });
  afterAll(() => vendor.close());

  const resources = async () => (await vendor.context.objects.listAll()).filter(({ type }) => type === "resource");

  it("creates the plan first, changes it, and removes both", async () => {
    const provider = open(vendor.url);
    const made = await provider.provision(ACCESS, { ...ORDER, resourceName: "svc-1" });
    const { resourceId } = made;

    expect(made).toMatchObject({
      status: "ready",
      env: { ACME_ANALYTICS_API_KEY: expect.stringMatching(/^aa_/) },
    });
    const found = await provider.find(ACCESS, "svc-1");
    expect(found).toEqual({ status: "ready", resourceId });
    const changed = await provider.changePlan?.(ACCESS, { resourceId, plan: "growth", config: {} });
    expect(changed).toEqual({ status: "ready", resourceId });
    expect((await resources()).map(({ data }) => data["serviceId"]).sort()).toEqual(["growth", "product_analytics"]);

    await provider.deprovision(ACCESS, resourceId);
    await provider.deprovision(ACCESS, resourceId);
    expect(await resources()).toEqual([]);
  });

  it("replaces credentials that were shown in an answer that was lost", async () => {
    const provider = open(vendor.url);
    const made = await provider.provision(ACCESS, { ...ORDER, resourceName: "svc-2" });
    const shown = made.status === "ready" ? made.env : undefined;
    const resource = { resourceId: made.resourceId, config: {}, password: "" };

    const env = await provider.readEnv(ACCESS, resource);

    expect(Object.keys(env).sort()).toEqual(Object.keys(shown ?? {}).sort());
    expect(env["ACME_ANALYTICS_API_KEY"]).not.toBe(shown?.["ACME_ANALYTICS_API_KEY"]);
    await provider.deprovision(ACCESS, made.resourceId);
  });

  it("refused: the service cannot be created; its plan is removed", async () => {
    vendor.outcomes.force({ operation: "createResource", outcome: "ok" });
    vendor.outcomes.force({ operation: "createResource", outcome: "refused" });

    const order = { ...ORDER, resourceName: "svc-3" };
    await expect(open(vendor.url).provision(ACCESS, order)).rejects.toMatchObject({
      failure: "refused",
      vendorCode: "refused",
    });

    expect(await resources()).toEqual([]);
  });

  it("unknown: the service cannot be created, and its plan cannot be removed", async () => {
    vendor.outcomes.force({ operation: "createResource", outcome: "ok" });
    vendor.outcomes.force({ operation: "createResource", outcome: "rate_limited" });
    vendor.outcomes.force({ operation: "removeResource", outcome: "rate_limited" });
    const provider = open(vendor.url);

    const order = { ...ORDER, resourceName: "svc-4" };
    await expect(provider.provision(ACCESS, order)).rejects.toMatchObject({ failure: "unknown" });

    const left = await provider.find(ACCESS, "svc-4");
    expect(left).toMatchObject({ status: "failed", resourceId: (await resources())[0]?.id });
    await provider.deprovision(ACCESS, left?.resourceId ?? "");
  });

  it("a change of the plan that took effect does not depend on a later call", async () => {
    const provider = open(vendor.url);
    const { resourceId } = await provider.provision(ACCESS, { ...ORDER, resourceName: "svc-5" });
    vendor.outcomes.force({ operation: "getResource", outcome: "ok" });
    vendor.outcomes.force({ operation: "getResource", outcome: "error_applied" });

    const changed = await provider.changePlan?.(ACCESS, { resourceId, plan: "growth", config: {} });

    expect(changed).toEqual({ status: "ready", resourceId });
    await expect(provider.inspect(ACCESS, resourceId)).rejects.toMatchObject({
      failure: "unavailable",
    });
    await provider.deprovision(ACCESS, resourceId);
  });

  it("refused: the account is billed differently from the configuration", async () => {
    const provider = open(vendor.url, { billed_by: "purser", payment_token: "spt_test" });
    const codeVerifier = "v".repeat(43);
    const requested = await provider.requestAccount?.({
      requestId: "lnk_1",
      email: "ada@example.com",
      scopes: [],
      state: "s".repeat(43),
      codeChallenge: createHash("sha256").update(codeVerifier).digest("base64url"),
      expiresAt: new Date(Date.now() + 60_000),
    });
    expect(requested).toMatchObject({ type: "code" });
    const code = requested?.type === "code" ? requested.code : "";

    const exchanged = provider.oauth?.exchangeCode({ code, codeVerifier, redirectUri: "" });

    await expect(exchanged).rejects.toMatchObject({
      failure: "refused",
      vendorMessage: "The account is billed differently from the configuration.",
    });
  });
});

describe("a resource that is not ours", () => {
  const services = [{ id: "store", kind: "deployable", pricing: { type: "free" } }];
  const startProvider = (resource: object) =>
    startMisbehavingVendor((response) => {
      const { method, url = "" } = response.req;
      const listed = { data: url.endsWith("/services") ? services : [resource] };
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(method === "POST" ? resource : listed));
    });
  const resource = { status: "complete", id: "res_1", service_id: "store", project_id: "svc-4" };

  it("find returns only a resource of the project and of an offered service", async () => {
    const find = async (change: object) => open(await startProvider({ ...resource, ...change })).find(ACCESS, "svc-4");

    expect(await find({})).toEqual({ status: "ready", resourceId: "res_1" });
    expect(await find({ project_id: undefined })).toBeUndefined();
    expect(await find({ project_id: "svc-5" })).toBeUndefined();
    expect(await find({ service_id: "other" })).toBeUndefined();
  });

  it("unknown: the created resource is of another service", async () => {
    const provider = open(await startProvider({ ...resource, service_id: "other" }));
    const service = { service: "acme-analytics/store", plan: "store" };

    const provisioned = provider.provision(ACCESS, { ...ORDER, ...service, resourceName: "svc-4" });

    await expect(provisioned).rejects.toMatchObject({ failure: "unknown" });
  });
});

describe("a resource with an id or an error that cannot be stored", () => {
  const services = [{ id: "store", kind: "deployable", pricing: { type: "free" } }];
  const provision = async (resource: object) => {
    const base = await startMisbehavingVendor((response) => {
      const isList = response.req.url?.endsWith("/services");
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(isList ? { data: services } : resource));
    });
    const service = { service: "acme-analytics/store", plan: "store" };
    return open(base).provision(ACCESS, { ...ORDER, ...service, resourceName: "svc-6" });
  };

  it.each([".", ".."])("unknown: the created resource has the id %s", async (id) => {
    await expect(provision({ status: "pending", id })).rejects.toMatchObject({
      failure: "unknown",
    });
  });

  it.each([
    ["quota_exceeded", "quota_exceeded"],
    ["sandbox-ada", "unknown error"],
    ["apikey4f9b8c7d6e5f", "unknown error"],
    ["x".repeat(900_000), "unknown error"],
    ["two words\u0001", "unknown error"],
  ])("failed: the reason is the error's code only if it has the form of one", async (code, reason) => {
    expect(await provision({ status: "error", id: "res_1", error: { code } })).toEqual({
      ...{ status: "failed", resourceId: "res_1", reason },
    });
  });

  it("unknown: the answer contains NUL, which cannot be stored", async () => {
    const made = provision({ status: "complete", id: "res_1", service_id: "store\0" });

    await expect(made).rejects.toMatchObject({ failure: "unknown" });
  });
});

describe("revoking tokens", () => {
  it("a provider that does not revoke tokens has no such call", () => {
    expect(open("http://127.0.0.1:9").oauth).not.toHaveProperty("revoke");
  });

  it("the access token and the refresh token are no longer valid; a repeated call succeeds", async () => {
    const redirectUris = ["https://purser.test/callback"];
    const vendor = await startTestVendor(agenticSimulator({ shape: ACME_QUEUE, redirectUris }));
    onTestFinished(() => vendor.close());
    const { oauth, find } = open(vendor.url, { billed_by: "purser", revokes_tokens: true });
    const issued = await issueTokens(vendor.context, { account: "acct_1", clientId: AGENTIC_CLIENT_ID }, "agentic_");
    const { access_token: accessToken, refresh_token: refreshToken } = Object(issued);
    await expect(find({ accessToken, accountId: null }, "svc-1")).resolves.toBeUndefined();

    await oauth?.revoke?.(refreshToken);
    await oauth?.revoke?.(refreshToken);

    await expect(find({ accessToken, accountId: null }, "svc-1")).rejects.toMatchObject({
      failure: "unauthorized",
    });
    await expect(oauth?.refresh(refreshToken)).rejects.toHaveProperty("vendorCode", "invalid_grant");
    expect(vendor.requests.counts().invalid).toBe(0);
  });

  it("unauthorized: the provider does not know the client", async () => {
    const vendor = await startTestVendor(agenticSimulator({ shape: ACME_QUEUE, redirectUris: [] }));
    onTestFinished(() => vendor.close());
    const other = { client_id: "https://other.example/client.json", revokes_tokens: true };

    await expect(open(vendor.url, other).oauth?.revoke?.("token-1")).rejects.toMatchObject({
      failure: "unauthorized",
      vendorCode: "invalid_client",
    });
  });
});

describe("credentials whose names become the same variable", () => {
  const access_configuration = { "api-key": "A", api_key: "B" };

  it("are refused, also if they are the result of a rotation", async () => {
    const base = await startMisbehavingVendor((response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ status: "complete", id: "res_1", complete: { access_configuration } }));
    });
    const resource = { resourceId: "res_1", config: {}, password: "" };
    const rotation = { ...resource, rotationId: "rot_1", env: {} };
    const vendorMessage = "Two credentials become the same variable.";

    await expect(open(base).readEnv(ACCESS, resource)).rejects.toMatchObject({
      ...{ failure: "refused", vendorMessage },
    });
    // The former credentials have ended.
    await expect(open(base).rotate?.(ACCESS, rotation)).rejects.toMatchObject({
      ...{ failure: "unknown", vendorMessage },
    });
  });
});

describe("a resource without the id of its plan", () => {
  const service = { id: "small", kind: "deployable", pricing: { type: "free" } };
  const change = { resourceId: "res_1", plan: "small", config: {} };

  it("unknown: its change is undone; the change itself succeeds", async () => {
    const sent: string[] = [];
    const base = await startMisbehavingVendor((response, request) => {
      sent.push(request);
      const resource = { status: "complete", id: "res_1" };
      const body = request.endsWith("/services") ? { data: [service] } : resource;
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
    });
    const provider = open(base);
    const update = "POST /provisioning/resources/res_1/update_service";

    const undone = provider.changePlan?.(ACCESS, { ...change, from: "large" });

    await expect(undone).rejects.toMatchObject({ failure: "unknown" });
    expect(sent).not.toContain(update);
    const changed = await provider.changePlan?.(ACCESS, change);
    expect(changed).toEqual({ status: "ready", resourceId: "res_1" });
    expect(sent).toContain(update);
  });
});

describe("a provider's list of services", () => {
  const startList = (pageOf: (cursor: string | null) => object) =>
    startMisbehavingVendor((response) => {
      const url = new URL(response.req.url ?? "", "http://localhost");
      const isHealth = url.pathname.endsWith("/health");
      const page = isHealth ? { status: "ok", supported_versions: ["0.1d"] } : pageOf(url.searchParams.get("cursor"));
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(page));
    });
  const servicesOf = (count: number, prefix = "s") =>
    Array.from({ length: count }, (_, index) => {
      return { id: `${prefix}${index}`, kind: "deployable", pricing: { type: "free" } };
    });
  const pages: Readonly<Record<string, object>> = {
    none: { data: servicesOf(100, "a"), next_cursor: "2nd" },
    "2nd": { data: servicesOf(100, "b"), next_cursor: null },
  };

  it("is read page by page", async () => {
    const base = await startList((cursor) => pages[cursor ?? "none"] ?? {});

    const entry = await open(base).readCatalog?.();

    expect(Object(entry).services).toHaveLength(200);
  });

  it.each([
    [
      "more than 200 services",
      (cursor: string | null) => ({
        ...{
          data: servicesOf(101, cursor === null ? "a" : "b"),
          next_cursor: cursor === null ? "2nd" : null,
        },
      }),
    ],
    [
      "more than 1 MiB",
      (cursor: string | null) => ({
        data: servicesOf(90, cursor === null ? "a" : "b").map((service) => ({
          ...service,
          ...{ configuration_schema: { type: "object", title: "x".repeat(7_000) } },
        })),
        next_cursor: cursor === null ? "2nd" : null,
      }),
    ],
    ["a next page on each page", () => ({ data: servicesOf(1), next_cursor: "2nd" })],
  ])("refused: it has %s", async (_what, pageOf) => {
    const read = open(await startList(pageOf)).readCatalog?.();

    await expect(read).rejects.toMatchObject({
      ...{ failure: "refused", operation: "listServices" },
      vendorMessage: "The list of services is above a limit: 200 services, 20 pages and 1 MiB.",
    });
  });
});

describe("a provider's URLs", () => {
  it.each(["https://evil.example/login", "http://evil.example/login", "javascript:alert(1)", "not a URL"])(
    "refused: its dashboard is %s",
    async (url) => {
      const base = await startMisbehavingVendor((response) => {
        response.writeHead(200, { "content-type": "application/json" });
        response.end(JSON.stringify({ url, expires_at: "2027-01-01T00:00:00Z" }));
      });

      const opened = open(base, { deep_links: true }).openDashboard?.(ACCESS, "res_1");

      await expect(opened).rejects.toMatchObject({ failure: "refused" });
    },
  );

  it("refused: the state of its consent page can be guessed", async () => {
    const base = await startMisbehavingVendor((response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const redirect = { url: `http://${response.req.headers.host}/authorize?state=1` };
      response.end(JSON.stringify({ type: "requires_auth", requires_auth: { redirect } }));
    });

    const requested = open(base).requestAccount?.({
      ...{ requestId: "lnk_1", email: "ada@example.com", scopes: [], state: "s".repeat(43) },
      ...{ codeChallenge: "c".repeat(43), expiresAt: new Date() },
    });

    await expect(requested).rejects.toMatchObject({ failure: "refused" });
  });
});

describe("a provider's services in the catalog", () => {
  const facts = { provider: "acme", display_name: "Acme", billed_by: "vendor" as const };
  const paid = (freeform: string, change: object = {}): AgenticService => ({
    id: "basic",
    kind: "deployable",
    pricing: { type: "paid", paid: { freeform } },
    ...change,
  });
  const servicesOf = (service: AgenticService, prices = {}) =>
    (catalogEntryOf({ ...facts, prices }, { data: [service] }, "ok") as { services: object[] }).services;

  it.each([
    ["$20/month", "20.00"],
    ["$ 9.50 per mo", "9.50"],
  ])("the price %s is %s", (freeform, amount) => {
    const plans = [{ plan: "basic", pricing: { type: "paid", amount } }];
    expect(servicesOf(paid(freeform))).toMatchObject([{ service: "acme/basic", plans }]);
  });

  it.each(["from $20/month", "€20/month", "$0/mo base + use", "$20/year", ""])(
    "a service whose price is %j is left out, unless the configuration has its price",
    (freeform) => {
      expect(servicesOf(paid(freeform))).toEqual([]);
      expect(servicesOf(paid(freeform), { basic: "30.00" })).toMatchObject([
        { plans: [{ preauthorization_amount: "30.00" }] },
      ]);
    },
  );

  const freePlan: AgenticService = { id: "plan", kind: "plan", pricing: { type: "free" } };
  it.each<[string, object, AgenticService]>([
    ["a paid service has no price beside a free plan", { type: "paid" }, freePlan],
    ["the plan is priced by another service", {}, { ...freePlan, pricing: { type: "component" } }],
  ])("a plan is left out: %s", (_what, option, plan) => {
    const component = { options: [{ parent_service_ids: ["plan"], ...option }] };
    const store = paid("", { id: "store", pricing: { type: "component", component } });
    const entryOf = (beside: AgenticService) => catalogEntryOf(facts, { data: [beside, store] }, "ok");

    expect(entryOf(plan)).toMatchObject({ services: [] });
    const priced = { type: "paid" as const, paid: { freeform: "$5/month" } };
    expect(entryOf({ ...plan, pricing: priced })).toMatchObject({
      services: [{ plans: [{ preauthorization_amount: "5.00" }] }],
    });
  });

  it("a service whose id is that of a member of every object has the provider's price", () => {
    expect(servicesOf(paid("$5/month", { id: "constructor" }))).toMatchObject([
      { plans: [{ preauthorization_amount: "5.00" }] },
    ]);
  });

  it("a service whose configuration contains patterns or references is left out", () => {
    const pattern = { properties: { name: { type: "string", pattern: "(a+)+$" } } };
    for (const schema of [pattern, { $ref: "https://acme.example/schema" }]) {
      const configuration_schema = { type: "object", ...schema };
      expect(servicesOf(paid("$5/month", { configuration_schema }))).toEqual([]);
    }
  });
});
