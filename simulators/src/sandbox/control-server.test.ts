import { request as httpRequest } from "node:http";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { exampleVendor } from "../../test/example-vendor.ts";
import { startTestVendor } from "../../test/start-test-vendor.ts";
import type { VendorSimulator } from "../kit/vendor-simulator.ts";
import { buildControlServer } from "./control-server.ts";

const AT = new Date("2026-01-01T12:00:00.000Z");
const KEY = { authorization: "Bearer teapot-key" };
const JSON_TYPE = { "content-type": "application/json" };
const FORM_TYPE = { "content-type": "application/x-www-form-urlencoded" };

type TestVendor = Awaited<ReturnType<typeof startTestVendor>>;

describe("buildControlServer", () => {
  const fired: unknown[] = [];
  const webhooks: VendorSimulator["webhooks"] = {
    types: ["pot.broken"],
    fire: async (event) => {
      fired.push(event);
      return "evt_1";
    },
  };
  let teapot: TestVendor;
  let kettle: TestVendor;
  let server: ReturnType<typeof buildControlServer>;
  let url: string;

  beforeAll(async () => {
    const now = () => AT;
    teapot = await startTestVendor(exampleVendor(), { contract: null, now });
    const simulator = exampleVendor({ vendor: "kettle", displayName: "Kettle", webhooks });
    kettle = await startTestVendor(simulator, { contract: null, now });
    server = buildControlServer([teapot, kettle]);
    url = await server.listen({ host: "127.0.0.1", port: 0 });
  });
  afterAll(async () => {
    await server.close();
    await teapot.close();
    await kettle.close();
  });

  async function get(path: string, init: RequestInit = {}) {
    const response = await fetch(new URL(path, url), { redirect: "manual", ...init });
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json");
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson ? JSON.parse(text) : undefined,
    };
  }

  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    get(path, {
      method: "POST",
      headers: { ...JSON_TYPE, ...headers },
      body: JSON.stringify(body),
    });

  /** Sends a request with `node:http`, because `fetch` does not allow setting the Host header. */
  function send(
    path: string,
    options: { method?: string; headers: Record<string, string>; body?: string },
  ): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      const request = httpRequest(new URL(path, url), options, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      request.on("error", reject).end(options.body);
    });
  }

  const makePot = (vendor: TestVendor, name: string) =>
    fetch(`${vendor.url}/v1/pots`, {
      method: "POST",
      headers: { ...KEY, ...JSON_TYPE },
      body: JSON.stringify({ name }),
    });

  it("200: a vendor's objects and request count, without the objects' data", async () => {
    const made = await makePot(kettle, "Listed");
    const { id } = JSON.parse(await made.text());
    const before = await get("/api/vendors/kettle");
    expect(before.status).toBe(200);
    expect(before.body).toEqual({
      vendor: "kettle",
      requests: 1,
      invalid_requests: 0,
      objects: [{ type: "pot", id, state: "empty", created_at: AT.toISOString() }],
    });
  });

  it("200: the vendors with operations, outcomes and magic values", async () => {
    const { body } = await get("/api/vendors");
    expect(body.data.map(({ vendor }: { vendor: string }) => vendor)).toEqual(["teapot", "kettle"]);
    expect(body.data[0]).toMatchObject({
      display_name: "Teapot",
      url: teapot.url,
      operations: ["createPot", "getPot", "listPots", "fillPot", "breakPot", "loosePot"],
      magic_values: [{ value: "name <earl-grey>", effect: "is rejected" }],
      event_types: [],
      forced_outcomes: [],
    });
  });

  it("404: unknown vendor", async () => {
    const { status, body } = await get("/api/vendors/samovar");
    expect(status).toBe(404);
    expect(body.detail).toBe('Unknown vendor "samovar". Known vendors: teapot, kettle.');
  });

  it("201: the outcome applies to the next calls", async () => {
    const forced = { vendor: "teapot", operation: "createPot", outcome: "refused", times: 2 };
    const response = await post("/api/outcomes", forced);
    expect(response).toMatchObject({ status: 201, body: forced });
    expect((await get("/api/vendors")).body.data[0].forced_outcomes).toEqual([
      { operation: "createPot", outcome: "refused", times_left: 2 },
    ]);
    const statuses: number[] = [];
    for (const name of ["one", "two", "three"]) statuses.push((await makePot(teapot, name)).status);
    expect(statuses).toEqual([422, 422, 201]);
  });

  it("201: an outcome applies once by default, with the given delay", async () => {
    const slow = { vendor: "teapot", operation: "createPot", outcome: "slow", delay_ms: 200 };
    expect(await post("/api/outcomes", slow)).toMatchObject({ status: 201, body: { times: 1 } });
    const started = performance.now();
    expect((await makePot(teapot, "slow")).status).toBe(201);
    const elapsed = performance.now() - started;
    expect(elapsed).toBeGreaterThan(190);
    expect(elapsed).toBeLessThan(2_500);
  });

  it.each([
    ["vendor", { vendor: "samovar" }, 'Unknown vendor "samovar". Known vendors: teapot, kettle.'],
    [
      "operation",
      { operation: "brew" },
      'Teapot has no operation "brew". Known operations: createPot, getPot, listPots, fillPot, breakPot, loosePot.',
    ],
    [
      "outcome",
      { outcome: "explode" },
      "Allowed values: ok, refused, timeout_applied, timeout_lost, error_applied, duplicate, slow, rate_limited.",
    ],
  ])("422: unknown %s; the detail lists the valid ones", async (_what, change, detail) => {
    const good = { vendor: "teapot", operation: "createPot", outcome: "refused" };
    const response = await post("/api/outcomes", { ...good, ...change });
    expect(response.status).toBe(422);
    expect(response.headers.get("content-type")).toContain("application/problem+json");
    expect(response.body).toMatchObject({ status: 422, title: "Unprocessable Entity" });
    expect(response.body.detail).toContain(detail);
    expect(teapot.outcomes.pending()).toEqual([]);
  });

  it.each([
    ["no operation", { vendor: "teapot", outcome: "ok" }],
    ["an unknown field", { vendor: "teapot", operation: "createPot", outcome: "ok", time: 1 }],
    ["a count as a string", { vendor: "teapot", operation: "createPot", outcome: "ok", times: "1" }],
    ["a count of 0", { vendor: "teapot", operation: "createPot", outcome: "ok", times: 0 }],
    ["a body that is not an object", []],
  ])("422: an outcome with %s", async (_what, body) => {
    expect(await post("/api/outcomes", body)).toMatchObject({ status: 422 });
    expect(teapot.outcomes.pending()).toEqual([]);
  });

  it("415: the API accepts JSON only", async () => {
    const body = "vendor=teapot&operation=createPot&outcome=refused";
    const response = await get("/api/outcomes", { method: "POST", headers: FORM_TYPE, body });
    expect(response.status).toBe(415);
    expect(teapot.outcomes.pending()).toEqual([]);
  });

  it("202: the event is sent; 422: unknown event type, or a vendor without events", async () => {
    const event = { vendor: "kettle", type: "pot.broken", object_id: "p1" };
    expect(await post("/api/events", event)).toMatchObject({
      status: 202,
      body: { vendor: "kettle", type: "pot.broken", event_id: "evt_1" },
    });
    expect(fired).toEqual([{ vendor: "kettle", type: "pot.broken", objectId: "p1" }]);
    const unknown = await post("/api/events", { ...event, type: "pot.full" });
    expect(unknown).toMatchObject({
      status: 422,
      body: { detail: 'Kettle has no event type "pot.full". Known types: pot.broken.' },
    });
    const none = await post("/api/events", { vendor: "teapot", type: "pot.broken" });
    expect(none).toMatchObject({
      status: 422,
      body: { detail: "The Teapot simulator sends no events." },
    });
    expect(fired).toHaveLength(1);
  });

  it("421: host name other than 127.0.0.1 or localhost", async () => {
    for (const path of ["/", "/api/vendors", "/nothing"])
      expect(await send(path, { headers: { host: "evil.test" } })).toBe(421);
    const port = new URL(url).port;
    expect(await send("/", { headers: { host: `localhost:${port}` } })).toBe(200);
  });

  it.each([
    ["another site's origin", { origin: "http://evil.test" }],
    ["another port's origin", { origin: "http://127.0.0.1:1" }],
    ["an opaque origin", { origin: "null" }],
    ["Sec-Fetch-Site: cross-site", { "sec-fetch-site": "cross-site" }],
    ["Sec-Fetch-Site: same-site", { "sec-fetch-site": "same-site" }],
  ])("403: a write with %s", async (_what, headers) => {
    const body = JSON.stringify({ vendor: "teapot", operation: "createPot", outcome: "refused" });
    const form = "vendor=teapot&operation=createPot&outcome=refused&times=1";
    const asJson = { method: "POST", headers: { ...JSON_TYPE, ...headers }, body };
    const asForm = { method: "POST", headers: { ...FORM_TYPE, ...headers }, body: form };
    expect(await send("/api/outcomes", asJson)).toBe(403);
    expect(await send("/outcomes", asForm)).toBe(403);
    expect(teapot.outcomes.pending()).toEqual([]);
  });

  it("404: unknown path; the response has no-store and security headers", async () => {
    const response = await get("/nothing");
    expect(response).toMatchObject({ status: 404, body: { status: 404, title: "Not Found" } });
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
  });

  it("200: the page shows each vendor's objects, requests and forms, without secrets", async () => {
    await makePot(kettle, "<b>bold</b>");
    const { headers, text } = await get("/");
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(text).toContain('<h2>Teapot</h2></summary>\n    <div id="teapot">');
    expect(text).toContain('<h2>Kettle</h2></summary>\n    <div id="kettle">');
    expect(text).toContain("<code>name &lt;earl-grey&gt;</code>");
    expect(text).toContain("<option>timeout_applied</option>");
    expect(text).toContain("<code>POST /v1/pots</code>");
    expect(text).toContain("&lt;b&gt;bold&lt;/b&gt;");
    expect(text).not.toContain("<b>bold");
    expect(text).not.toContain("shut-it");
    expect(text).not.toContain("teapot-key");
    for (const asset of ["/sandbox/page.css", "/sandbox/inter.woff2", "/refresh.js"])
      expect(await get(asset)).toMatchObject({ status: 200 });
  });

  it("200: the page lists each operation with its method and path", async () => {
    const { text } = await get("/");
    for (const { operation, method, url: path } of teapot.simulator.routes) {
      const row = `<td>${operation}</td><td><code>${method} ${path}</code></td>`;
      expect(text.split(row)).toHaveLength(3);
    }
  });

  it("303: the page's form forces an outcome, which the page shows", async () => {
    const own = { origin: url, "sec-fetch-site": "same-origin" };
    const body = "vendor=teapot&operation=getPot&outcome=rate_limited&times=2";
    const response = await get("/outcomes", {
      method: "POST",
      headers: { ...FORM_TYPE, ...own },
      body,
    });
    expect(response.status).toBe(303);
    expect(response.headers.get("location")).toBe("/#teapot");
    expect((await get("/")).text).toContain("<td>getPot</td><td>rate_limited</td><td>2</td>");
    expect((await fetch(`${teapot.url}/v1/pots/p`, { headers: KEY })).status).toBe(429);
    expect((await fetch(`${teapot.url}/v1/pots/p`, { headers: KEY })).status).toBe(429);
    expect(teapot.outcomes.pending()).toEqual([]);
    for (const wrong of ["&times=0", "&times=1&more=1", "&times=two"]) {
      const form = `vendor=teapot&operation=getPot&outcome=ok${wrong}`;
      expect(await get("/outcomes", { method: "POST", headers: FORM_TYPE, body: form })).toMatchObject({
        status: 422,
      });
    }
  });
});

describe("buildControlServer without a database", () => {
  it("500: the detail mentions the database", async () => {
    const vendor = await startTestVendor(exampleVendor(), { contract: null });
    const server = buildControlServer([vendor]);
    const url = await server.listen({ host: "127.0.0.1", port: 0 });
    onTestFinished(() => server.close());
    await vendor.close();
    const response = await fetch(`${url}/api/vendors/teapot`);
    expect(response.status).toBe(500);
    expect(await response.text()).toContain("The simulators' database may be down.");
  });
});
