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
    const response = await fetch(new URL(path, vendor().url), { headers: JSON_HEADERS, ...init });
    const sent = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: sent === "" ? undefined : JSON.parse(sent),
    };
  };
}

describe("startVendor", () => {
  let vendor: TestVendor;
  const call = clientOf(() => vendor);
  const post = (body: unknown) => call("/v1/pots", { method: "POST", body: JSON.stringify(body) });
  const fill = (body: string) => call("/v1/pots/p/fill", { method: "POST", headers: FORM_HEADERS, body });
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

  it("201: a valid request; the object is stored", async () => {
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
    ["a number as a string", { name: "x", liters: "2" }, "liters"],
    ["a value outside the enumeration", { name: "x", kind: "glass" }, "kind"],
    ["an unknown field", { name: "x", lid: true }, "lid"],
  ])("400 in the vendor's error format: %s", async (_what, body, path) => {
    const before = await pots();
    expect(await post(body)).toMatchObject({
      status: 400,
      body: { code: "invalid", problems: [{ path }] },
    });
    expect(await pots()).toEqual(before);
  });

  it("400: the body or its Content-Type is not JSON", async () => {
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

  it("401: no credentials, even with an invalid body", async () => {
    const response = await call("/v1/pots", { method: "POST", headers: {}, body: "{" });
    expect(response).toMatchObject({ status: 401, body: { code: "unauthorized" } });
  });

  it("404 in the vendor's error format: unknown path or method", async () => {
    expect(await call("/v2/nothing")).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect(await call("/v1/pots", { method: "PUT" })).toMatchObject({ status: 404 });
    expect(await call("/v1/pots/%zz")).toMatchObject({ status: 404, body: { code: "not_found" } });
  });

  it("200: form values are converted to numbers, booleans and lists", async () => {
    const response = await fill("liters=2&boiling=true&leaves[kinds][0]=7&leaves[kinds][1]=oolong");
    expect(response.body).toEqual({
      filled: { liters: 2, boiling: true, leaves: { kinds: ["7", "oolong"] } },
    });
  });

  it.each(["liters=1.5", "liters=", "liters=2&boiling=1", "liters=2&spoons=1", "boiling=true"])(
    "400: the form %s",
    async (form) => {
      expect(await fill(form)).toMatchObject({ status: 400, body: { code: "invalid" } });
    },
  );

  it("converts numbers in a query; 400: unknown query parameter", async () => {
    expect((await call("/v1/pots?limit=3")).body).toEqual({ query: { limit: 3 } });
    expect(await call("/v1/pots?limits=3")).toMatchObject({
      status: 400,
      body: { problems: [{ path: "query.limits" }] },
    });
  });

  it("200: a page outside the API", async () => {
    const response = await call("/consent", { method: "POST", headers: FORM_HEADERS, body: "a=b" });
    expect(response.body).toEqual({ body: "a=b", at: vendor.url });
  });

  it("599: the simulator throws", async () => {
    const response = await call("/v1/pots/p", {
      method: "DELETE",
      headers: { authorization: "Bearer teapot-key" },
    });
    expect(response).toMatchObject({
      status: 599,
      body: { simulators_fault: { thrown: "Error: broken" } },
    });
  });

  it("421: host name other than loopback", async () => {
    const status = await new Promise<number | undefined>((resolve) => {
      const headers = { ...JSON_HEADERS, host: "evil.test" };
      httpGet(`${vendor.url}/v1/pots`, { headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
    });
    expect(status).toBe(421);
  });

  it("logs the request and the status of its response", async () => {
    const before = vendor.requests.counts().total;
    await post({ name: "logged" });
    expect(vendor.requests.counts()).toEqual({ total: before + 1, invalid: 0 });
    expect(vendor.requests.list().at(-1)).toMatchObject({
      operation: "createPot",
      method: "POST",
      path: "/v1/pots",
      receivedAt: AT,
      headers: { authorization: "Bearer teapot-key" },
      body: { name: "logged" },
      valid: null,
      status: 201,
    });
  });

  it("logs the newest 500 requests and counts all", () => {
    const log = createRequestLog();
    for (let count = 0; count < 505; count += 1) {
      const request = { operation: "", method: "GET", path: `/${count}`, receivedAt: AT };
      log.add({ ...request, headers: {}, body: undefined, valid: count > 2 });
    }
    expect(log.list()).toHaveLength(500);
    expect(log.list()[0]).toMatchObject({ path: "/5" });
    expect(log.counts()).toEqual({ total: 505, invalid: 3 });
  });

  describe("forced outcome", () => {
    const force = (outcome: Outcome, more: { times?: number; delayMs?: number } = {}) =>
      vendor.outcomes.force({ operation: "createPot", outcome, ...more });
    /** Returns true if the example vendor has stored an object with this name. */
    const isCreated = async (name: string) => (await pots()).some(({ data }) => JSON.stringify(data).includes(name));

    it.each([
      ["refused", { status: 422, body: { code: "refused" } }, false],
      ["rate_limited", { status: 429, body: { code: "slow_down" } }, false],
      ["error_applied", { status: 500, body: { code: "broken" } }, true],
      ["duplicate", { status: 409, body: { code: "exists" } }, true],
      ["ok", { status: 201 }, true],
    ] as const)("%s", async (outcome, response, isApplied) => {
      force(outcome);
      const name = `${outcome}-pot`;
      const first = await post({ name });
      expect(first).toMatchObject(response);
      expect(await isCreated(name)).toBe(isApplied);
      if (outcome === "rate_limited") expect(first.headers.get("retry-after")).toBe("1");
      if (outcome === "duplicate") expect(first.headers.get("x-was")).toBe("201");
      expect(await post({ name: "next" })).toMatchObject({ status: 201 });
    });

    it.each([
      ["timeout_applied", true],
      ["timeout_lost", false],
    ] as const)("%s", async (outcome, isApplied) => {
      force(outcome);
      const name = `${outcome}-pot`;
      await expect(
        call("/v1/pots", {
          method: "POST",
          body: JSON.stringify({ name }),
          signal: AbortSignal.timeout(500),
        }),
      ).rejects.toThrow("timeout");
      expect(await isCreated(name)).toBe(isApplied);
      expect(vendor.requests.list().at(-1)).toMatchObject({ status: 0 });
    });

    it("slow", async () => {
      force("slow", { delayMs: 300 });
      const started = performance.now();
      expect(await post({ name: "slow-pot" })).toMatchObject({ status: 201 });
      expect(performance.now() - started).toBeGreaterThan(290);
    });

    it("applies queued outcomes in order, each the given number of times", async () => {
      force("refused", { times: 2 });
      force("ok");
      force("rate_limited");
      expect(vendor.outcomes.pending()).toEqual([
        { operation: "createPot", outcome: "refused", timesLeft: 2 },
        { operation: "createPot", outcome: "ok", timesLeft: 1 },
        { operation: "createPot", outcome: "rate_limited", timesLeft: 1 },
      ]);
      const statuses: number[] = [];
      for (let count = 0; count < 5; count += 1) statuses.push((await post({ name: "queued" })).status);
      expect(statuses).toEqual([422, 422, 201, 429, 201]);
      expect(vendor.outcomes.pending()).toEqual([]);
    });

    it("does not apply to other operations or to invalid requests", async () => {
      force("refused");
      expect(await call("/v1/pots")).toMatchObject({ status: 200 });
      expect(await post({})).toMatchObject({ status: 400 });
      expect(await post({ name: "valid" })).toMatchObject({ status: 422 });
    });
  });
});

describe("RunningVendor.close", () => {
  it("closes connections that wait for a response", async () => {
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

describe("a vendor with an OpenAPI description", () => {
  let vendor: TestVendor;
  const call = clientOf(() => vendor);
  const loose = (body: unknown) => call("/v1/loose", { method: "POST", body: JSON.stringify(body) });

  beforeAll(async () => {
    const contract = await compileContract(EXAMPLE_DESCRIPTION, { prefix: "/v1", bodies: "json" });
    vendor = await startTestVendor(exampleVendor(), { contract });
  });
  afterAll(() => vendor.close());

  it("400: the route accepts the request, but the description does not", async () => {
    expect(await loose({ name: "x", count: "1" })).toMatchObject({
      status: 400,
      body: { code: "invalid", problems: [{ path: "count", message: "must be integer" }] },
    });
    expect(vendor.requests.list().at(-1)).toMatchObject({ valid: false, status: 400 });
  });

  it("200: the description allows the request", async () => {
    expect(await loose({ name: "x" })).toMatchObject({ status: 200, body: { name: "x" } });
    expect(vendor.requests.list().at(-1)).toMatchObject({ valid: true, status: 200 });
  });

  it("599: the description does not allow the response", async () => {
    expect(await loose({ name: 7 })).toMatchObject({
      status: 599,
      body: { simulators_fault: { problems: [{ path: "name", message: "must be string" }] } },
    });
    expect(vendor.requests.list().at(-1)).toMatchObject({ valid: true, status: 599 });
  });

  it("599: the description does not contain the operation", async () => {
    const response = await call("/v1/pots/p/fill", {
      method: "POST",
      headers: FORM_HEADERS,
      body: "liters=1",
    });
    expect(response).toMatchObject({ status: 599 });
  });

  it("404: a path outside the description counts as invalid", async () => {
    const { invalid } = vendor.requests.counts();
    expect(await call("/v1/cups")).toMatchObject({ status: 404 });
    expect(vendor.requests.counts().invalid).toBe(invalid + 1);
  });

  it("401: credentials are checked before the description", async () => {
    const response = await call("/v1/loose", { method: "POST", headers: {}, body: "{}" });
    expect(response).toMatchObject({ status: 401 });
  });
});

describe("a vendor with form bodies and an OpenAPI description", () => {
  it("checks the converted values, and logs the original strings", async () => {
    const body = { type: "object", properties: { count: { type: "integer" } } };
    const description = {
      paths: {
        "/loose": {
          post: {
            operationId: "loosePot",
            requestBody: { content: { "application/x-www-form-urlencoded": { schema: body } } },
            responses: { 200: { description: "OK" } },
          },
        },
      },
    };
    const contract = await compileContract(description, { prefix: "/v1", bodies: "form" });
    const vendor = await startTestVendor(exampleVendor({ bodies: "form" }), { contract });
    onTestFinished(() => vendor.close());
    const send = (form: string) =>
      fetch(`${vendor.url}/v1/loose`, { method: "POST", headers: FORM_HEADERS, body: form });
    const response = await send("count=1");
    expect(await response.json()).toEqual({ count: "1" });
    expect(vendor.requests.list().at(-1)).toMatchObject({ body: { count: "1" }, valid: true });
    expect((await send("count=one")).status).toBe(400);
  });
});
