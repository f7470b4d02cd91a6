import { get as httpGet, request as httpRequest } from "node:http";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { EXAMPLE_DESCRIPTION, exampleVendor } from "../../test/example-vendor.ts";
import { startTestVendor } from "../../test/start-test-vendor.ts";
import { compileContract } from "../contracts/compile-contract.ts";
import type { Outcome } from "./outcome.ts";
import { createRequestLog } from "./request-log.ts";

const JSON_HEADERS = { "content-type": "application/json", authorization: "Bearer teapot-key" };
const FORM_HEADERS = { ...JSON_HEADERS, "content-type": "application/x-www-form-urlencoded" };
const AT = new Date("2026-01-01T12:00:00.000Z");

type TestVendor = Awaited<ReturnType<typeof startTestVendor>>;

function clientOf(vendor: () => TestVendor) {
  return async (path: string, init: RequestInit = {}) => {
    const answer = await fetch(new URL(path, vendor().url), { headers: JSON_HEADERS, ...init });
    const sent = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers,
      body: sent === "" ? undefined : JSON.parse(sent),
    };
  };
}

describe("a vendor that is played", () => {
  let vendor: TestVendor;
  const call = clientOf(() => vendor);
  const post = (body: unknown) => call("/v1/pots", { method: "POST", body: JSON.stringify(body) });
  const fill = (body: string) =>
    call("/v1/pots/p/fill", { method: "POST", headers: FORM_HEADERS, body });
  const pots = () => vendor.context.objects.list("pot");

  beforeAll(async () => {
    const simulator = exampleVendor({
      pages: (server, context) => {
        server.post("/consent", async (request) => ({ body: request.body, at: context.baseUrl }));
      },
    });
    vendor = await startTestVendor(simulator, { contract: null, now: () => AT });
  });
  afterAll(() => vendor.close());

  it("answers a good request, and keeps what was made", async () => {
    const made = await post({ name: "brown betty", liters: 2 });
    expect(made).toMatchObject({ status: 201, body: { id: expect.any(String) } });
    expect(made.headers.get("x-pot")).toBe("new");
    const read = await call(`/v1/pots/${made.body.id}`);
    expect(read.body).toMatchObject({
      asked: { name: "brown betty", liters: 2 },
      caller: { account: "tea" },
    });
  });

  it.each([
    ["a missing field", {}, "name"],
    ["a wrong type", { name: 1 }, "name"],
    ["a number written as a text", { name: "x", liters: "2" }, "liters"],
    ["a word of no enumeration", { name: "x", kind: "glass" }, "kind"],
    ["an unknown field", { name: "x", lid: true }, "lid"],
  ])("refuses %s in the vendor's words", async (_what, body, path) => {
    const before = await pots();
    expect(await post(body)).toMatchObject({
      status: 400,
      body: { code: "invalid", problems: [{ path }] },
    });
    expect(await pots()).toEqual(before);
  });

  it("refuses a body that is not JSON, or does not say that it is", async () => {
    const broken = await call("/v1/pots", { method: "POST", body: "{" });
    expect(broken).toMatchObject({
      status: 400,
      body: { problems: [{ message: "must be JSON" }] },
    });
    const text = await call("/v1/pots", {
      method: "POST",
      headers: { ...JSON_HEADERS, "content-type": "text/plain" },
      body: JSON.stringify({ name: "x" }),
    });
    expect(text).toMatchObject({
      status: 400,
      body: { problems: [{ message: "must be application/json" }] },
    });
  });

  it("refuses a caller without credentials before it looks at what he says", async () => {
    const answer = await call("/v1/pots", { method: "POST", headers: {}, body: "{" });
    expect(answer).toMatchObject({ status: 401, body: { code: "unauthorized" } });
  });

  it("answers unknown paths and methods as the vendor does", async () => {
    expect(await call("/v2/nothing")).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect(await call("/v1/pots", { method: "PUT" })).toMatchObject({ status: 404 });
    expect(await call("/v1/pots/%zz")).toMatchObject({ status: 404, body: { code: "not_found" } });
  });

  it("reads a form's texts as the schema's numbers, booleans and lists", async () => {
    const answer = await fill("liters=2&boiling=true&leaves[kinds][0]=7&leaves[kinds][1]=oolong");
    expect(answer.body).toEqual({
      filled: { liters: 2, boiling: true, leaves: { kinds: ["7", "oolong"] } },
    });
  });

  it.each(["liters=1.5", "liters=", "liters=2&boiling=1", "liters=2&spoons=1", "boiling=true"])(
    "refuses the form %s",
    async (form) => {
      expect(await fill(form)).toMatchObject({ status: 400, body: { code: "invalid" } });
    },
  );

  it("reads numbers in a query, and refuses names that it does not know", async () => {
    expect((await call("/v1/pots?limit=3")).body).toEqual({ query: { limit: 3 } });
    expect(await call("/v1/pots?limits=3")).toMatchObject({
      status: 400,
      body: { problems: [{ path: "query.limits" }] },
    });
  });

  it("serves pages beside the API", async () => {
    const answer = await call("/consent", { method: "POST", headers: FORM_HEADERS, body: "a=b" });
    expect(answer.body).toEqual({ body: "a=b", at: vendor.url });
  });

  it("answers 599 when the simulator itself fails, which no adapter takes for the vendor's", async () => {
    const answer = await call("/v1/pots/p", {
      method: "DELETE",
      headers: { authorization: "Bearer teapot-key" },
    });
    expect(answer).toMatchObject({
      status: 599,
      body: { simulators_fault: { thrown: "Error: it slipped" } },
    });
  });

  it("refuses a name that somebody else pointed at this machine", async () => {
    const answer = await new Promise<number | undefined>((resolve) => {
      const headers = { ...JSON_HEADERS, host: "evil.test" };
      httpGet(`${vendor.url}/v1/pots`, { headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
    });
    expect(answer).toBe(421);
  });

  it("remembers what it was asked, and how it answered", async () => {
    const before = vendor.requests.counts().total;
    await post({ name: "remember me" });
    expect(vendor.requests.counts()).toEqual({ total: before + 1, invalid: 0 });
    expect(vendor.requests.list().at(-1)).toMatchObject({
      operation: "createPot",
      method: "POST",
      path: "/v1/pots",
      receivedAt: AT,
      headers: { authorization: "Bearer teapot-key" },
      body: { name: "remember me" },
      valid: null,
      status: 201,
    });
  });

  it("remembers the newest 500 requests, and counts them all", () => {
    const log = createRequestLog();
    for (let count = 0; count < 505; count += 1) {
      const request = { operation: "", method: "GET", path: `/${count}`, receivedAt: AT };
      log.add({ ...request, headers: {}, body: undefined, valid: count > 2 });
    }
    expect(log.list()).toHaveLength(500);
    expect(log.list()[0]).toMatchObject({ path: "/5" });
    expect(log.counts()).toEqual({ total: 505, invalid: 3 });
  });

  describe("made to", () => {
    const make = (outcome: Outcome, more: { times?: number; delayMs?: number } = {}) =>
      vendor.outcomes.force({ operation: "createPot", outcome, ...more });
    /** Whether a request under this name left a pot, told after the answer. */
    const isMade = async (name: string) =>
      (await pots()).some(({ data }) => JSON.stringify(data).includes(name));

    it.each([
      ["refused", { status: 422, body: { code: "refused" } }, false],
      ["rate_limited", { status: 429, body: { code: "slow_down" } }, false],
      ["error_applied", { status: 500, body: { code: "broken" } }, true],
      ["duplicate", { status: 409, body: { code: "exists" } }, true],
      ["ok", { status: 201 }, true],
    ] as const)("%s", async (outcome, answer, isApplied) => {
      make(outcome);
      const name = `${outcome}-pot`;
      const first = await post({ name });
      expect(first).toMatchObject(answer);
      expect(await isMade(name)).toBe(isApplied);
      if (outcome === "rate_limited") expect(first.headers.get("retry-after")).toBe("1");
      if (outcome === "duplicate") expect(first.headers.get("x-was")).toBe("201");
      expect(await post({ name: "next" })).toMatchObject({ status: 201 });
    });

    it.each([
      ["timeout_applied", true],
      ["timeout_lost", false],
    ] as const)("%s", async (outcome, isApplied) => {
      make(outcome);
      const name = `${outcome}-pot`;
      await expect(
        call("/v1/pots", {
          method: "POST",
          body: JSON.stringify({ name }),
          signal: AbortSignal.timeout(500),
        }),
      ).rejects.toThrow("timeout");
      expect(await isMade(name)).toBe(isApplied);
      expect(vendor.requests.list().at(-1)).toMatchObject({ status: 0 });
    });

    it("slow", async () => {
      make("slow", { delayMs: 300 });
      const started = performance.now();
      expect(await post({ name: "slow-pot" })).toMatchObject({ status: 201 });
      expect(performance.now() - started).toBeGreaterThan(290);
    });

    it("do one thing after the other, each as often as it was told to", async () => {
      make("refused", { times: 2 });
      make("ok");
      make("rate_limited");
      expect(vendor.outcomes.pending()).toEqual([
        { operation: "createPot", outcome: "refused", timesLeft: 2 },
        { operation: "createPot", outcome: "ok", timesLeft: 1 },
        { operation: "createPot", outcome: "rate_limited", timesLeft: 1 },
      ]);
      const statuses: number[] = [];
      for (let count = 0; count < 5; count += 1)
        statuses.push((await post({ name: "in turn" })).status);
      expect(statuses).toEqual([422, 422, 201, 429, 201]);
      expect(vendor.outcomes.pending()).toEqual([]);
    });

    it("spare other operations, and requests that never reach it", async () => {
      make("refused");
      expect(await call("/v1/pots")).toMatchObject({ status: 200 });
      expect(await post({})).toMatchObject({ status: 400 });
      expect(await post({ name: "now" })).toMatchObject({ status: 422 });
    });
  });
});

describe("a vendor that was closed", () => {
  it("cuts off whoever still waits for an answer", async () => {
    const vendor = await startTestVendor(exampleVendor(), { contract: null });
    vendor.outcomes.force({ operation: "createPot", outcome: "timeout_lost" });
    const waiting = new Promise((resolve) => {
      const request = httpRequest(`${vendor.url}/v1/pots`, {
        method: "POST",
        headers: JSON_HEADERS,
      });
      request.on("error", resolve).end(JSON.stringify({ name: "x" }));
    });
    await expect.poll(() => vendor.requests.counts().total).toBe(1);
    await vendor.close();
    expect(await waiting).toMatchObject({ code: "ECONNRESET" });
  });
});

describe("a vendor that is held to its own description", () => {
  let vendor: TestVendor;
  const call = clientOf(() => vendor);
  const loose = (body: unknown) =>
    call("/v1/loose", { method: "POST", body: JSON.stringify(body) });

  beforeAll(async () => {
    const contract = await compileContract(EXAMPLE_DESCRIPTION, { prefix: "/v1", bodies: "json" });
    vendor = await startTestVendor(exampleVendor(), { contract });
  });
  afterAll(() => vendor.close());

  it("refuses what the description refuses, though the route would take it", async () => {
    expect(await loose({ name: "x", count: "1" })).toMatchObject({
      status: 400,
      body: { code: "invalid", problems: [{ path: "count", message: "must be integer" }] },
    });
    expect(vendor.requests.list().at(-1)).toMatchObject({ valid: false, status: 400 });
  });

  it("lets through what it allows", async () => {
    expect(await loose({ name: "x" })).toMatchObject({ status: 200, body: { name: "x" } });
    expect(vendor.requests.list().at(-1)).toMatchObject({ valid: true, status: 200 });
  });

  it("answers 599 in place of an answer that the description does not allow", async () => {
    expect(await loose({ name: 7 })).toMatchObject({
      status: 599,
      body: { simulators_fault: { problems: [{ path: "name", message: "must be string" }] } },
    });
    expect(vendor.requests.list().at(-1)).toMatchObject({ valid: true, status: 599 });
  });

  it("answers 599 to an operation that the description does not have", async () => {
    const answer = await call("/v1/pots/p/fill", {
      method: "POST",
      headers: FORM_HEADERS,
      body: "liters=1",
    });
    expect(answer).toMatchObject({ status: 599 });
  });

  it("counts a request to a path that the description does not have", async () => {
    const { invalid } = vendor.requests.counts();
    expect(await call("/v1/cups")).toMatchObject({ status: 404 });
    expect(vendor.requests.counts().invalid).toBe(invalid + 1);
  });

  it("still asks for credentials first", async () => {
    const answer = await call("/v1/loose", { method: "POST", headers: {}, body: "{}" });
    expect(answer).toMatchObject({ status: 401 });
  });
});

describe("a vendor of forms that is held to its own description", () => {
  it("is checked on the values that are meant, and remembers the texts that came", async () => {
    const body = { type: "object", properties: { count: { type: "integer" } } };
    const description = {
      paths: {
        "/loose": {
          post: {
            operationId: "loosePot",
            requestBody: { content: { "application/x-www-form-urlencoded": { schema: body } } },
            responses: { 200: { description: "Whatever" } },
          },
        },
      },
    };
    const contract = await compileContract(description, { prefix: "/v1", bodies: "form" });
    const vendor = await startTestVendor(exampleVendor({ bodies: "form" }), { contract });
    onTestFinished(() => vendor.close());
    const send = (form: string) =>
      fetch(`${vendor.url}/v1/loose`, { method: "POST", headers: FORM_HEADERS, body: form });
    const answer = await send("count=1");
    expect(await answer.json()).toEqual({ count: "1" });
    expect(vendor.requests.list().at(-1)).toMatchObject({ body: { count: "1" }, valid: true });
    expect((await send("count=one")).status).toBe(400);
  });
});
