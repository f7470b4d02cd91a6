import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { Type } from "typebox";
import { beforeAll, describe, expect, it } from "vitest";
import { PREFIX, useHarness } from "../../test/harness.ts";
import { requestSignature, sha256Hex } from "../crypto/signing.ts";
import { AppError } from "../foundation/errors.ts";
import type { Server } from "./route.ts";
import { buildServer } from "./server.ts";

describe("routing", () => {
  const harness = useHarness();

  it.each([
    "/nothing/here",
    "/developers/me/",
    "/developers//me",
    "/developers/./me",
    "/developers/x/../me",
    "/developers/m%65",
    "/developers/me;v=1",
    "/developers/me%00",
    "/developers/%2e%2e/time",
    "/Developers/me",
  ])("404: unknown or non-canonical path %s", async (path) => {
    // Uses a raw socket, because an HTTP client would normalize some of these paths.
    const port = await portOf(harness.server);
    const response = await raw(port, `GET ${PREFIX}${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);

    expect(response).toContain("HTTP/1.1 404 ");
    expect(response).toContain('"code":"not_found"');
  });

  it("404: the request target is an absolute URL", async () => {
    const target = `GET http://a${PREFIX}/time HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;

    expect(await raw(await portOf(harness.server), target)).toContain("HTTP/1.1 404 ");
  });

  it.each([
    ["OPTIONS", "/developers/me", "GET"],
    ["HEAD", "/developers/me", "GET"],
    ["POST", "/time", "GET"],
    ["PUT", "/developers/me/keys/key_1", "DELETE"],
  ] as const)("405 with Allow: %s %s", async (method, path, allow) => {
    const response = await harness.send({ method, url: PREFIX + path });

    expect(response.status).toBe(405);
    expect(String(response.headers.allow).split(", ")).toContain(allow);
  });

  it("404 and 405 are checked before the body's size, which is checked before the credential", async () => {
    const payload = "x".repeat(300 * 1024);

    const absent = await harness.send({ method: "POST", url: `${PREFIX}/nothing`, payload });
    const wrong = await harness.send({ method: "POST", url: `${PREFIX}/time`, payload });
    const large = await harness.send({
      method: "DELETE",
      url: `${PREFIX}/developers/me/keys/key_1`,
      payload,
    });

    expect([absent.status, wrong.status, large.status]).toEqual([404, 405, 413]);
  });

  it("200: HEAD of pages and probes", async () => {
    for (const url of ["/healthz", "/readyz", "/docs/", "/openapi.json", "/.well-known/jwks.json"]) {
      expect((await harness.send({ method: "GET", url })).status, url).toBe(200);
      expect((await harness.send({ method: "HEAD", url })).status, url).toBe(200);
    }
  });

  it("200: GET /time returns Unix seconds and RFC 3339", async () => {
    expect((await harness.send({ method: "GET", url: `${PREFIX}/time` })).body).toEqual({
      unix: Math.floor(harness.clock.now().getTime() / 1000),
      iso: harness.clock.now().toISOString(),
    });
  });

  it("422: unknown query parameter", async () => {
    const response = await harness.send({ method: "GET", url: `${PREFIX}/time?now=1` });

    expect(response).toMatchObject({ status: 422, body: { errors: [{ pointer: "/query/now" }] } });
  });
});

describe("a body with many errors", () => {
  const harness = useHarness();

  it("422: at most fifty errors are returned", async () => {
    const tenant = await harness.seedTenant();
    const fields = Array.from({ length: 1_000 }, (_, index) => [`field_${index}`, index]);

    const response = await tenant.post("/projects", Object.fromEntries(fields));

    expect(response.status).toBe(422);
    expect(response.body.errors).toHaveLength(50);
  });
});

describe("a body that is checked before its schema", () => {
  const harness = useHarness();

  it("422: an array of 17,000 objects is rejected before uniqueItems compares them", async () => {
    const tenant = await harness.seedTenant();
    const scopes = Array.from({ length: 17_000 }, (_, index) => ({ a: index }));
    const startMs = performance.now();

    const response = await tenant.post("/developers/me/keys", { scopes });

    expect(response).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: "/body", code: "too_many_entries" }] },
    });
    expect(performance.now() - startMs).toBeLessThan(5_000);
  });

  it("422: invalid JSON, with line and column of the error", async () => {
    const tenant = await harness.seedTenant();

    expect(await tenant.sendRaw("POST", "/projects", '{\n  "name": Ada\n}')).toMatchObject({
      status: 422,
      body: {
        errors: [{ pointer: "/body", code: "not_json", detail: "is not JSON: line 2, column 11" }],
      },
    });
  });
});

describe("a body larger than the route's limit", () => {
  const harness = useHarness();
  const LOGIN = `${PREFIX}/developers/login`;
  const json = { "content-type": "application/json" };

  it("413: more than 16 KiB on a public route", async () => {
    const bodyOf = (bytes: number) => `{"email":"${"a".repeat(bytes - 12)}"}`;
    const login = (payload: string) => harness.send({ method: "POST", url: LOGIN, headers: json, payload });

    expect((await login(bodyOf(16 * 1024))).status).toBe(422);
    expect((await login(bodyOf(16 * 1024 + 1))).status).toBe(413);
    const tenant = await harness.seedTenant();
    expect((await tenant.post("/projects", { name: "a".repeat(20_000) })).status).toBe(422);
  });

  it.each([
    ["Content-Length", "POST", "Content-Length: 16385\r\n\r\n"],
    ["Content-Length", "GET", "Content-Length: 16385\r\n\r\n"],
    ["chunks", "POST", `Transfer-Encoding: chunked\r\n\r\n4001\r\n${"a".repeat(0x4001)}\r\n`],
    ["chunks", "GET", `Transfer-Encoding: chunked\r\n\r\n4001\r\n${"a".repeat(0x4001)}\r\n`],
  ])("413: an incomplete body, one byte too large by its %s: %s", async (_case, method, rest) => {
    const path = method === "GET" ? `${PREFIX}/time` : LOGIN;
    const port = await portOf(harness.server);
    const head = `${method} ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n`;

    expect(await raw(port, head + rest)).toContain("HTTP/1.1 413 ");
  });
});

describe("a body for a route without a body", () => {
  const harness = useHarness();
  const KEY = "/developers/me/keys/key_none";

  it.each([
    [404, "no body", undefined, {}],
    [404, "an empty object", "{}", {}],
    [404, "an empty object without a type", "{}", { "content-type": "" }],
    [422, "a field", '{"a":1}', {}],
    [422, "an array", "[]", {}],
    [422, "text", '"a"', {}],
    [422, "null", "null", {}],
    [422, "incomplete JSON", '{"a":', {}],
    [422, "a duplicate field", '{"a":1,"a":1}', {}],
    [422, "a field named __proto__", '{"__proto__":{}}', {}],
    [422, "bytes that are not UTF-8", Buffer.from([0x7b, 0xff, 0x7d]), {}],
    [422, "a byte order mark", "\ufeff{}", {}],
    [422, "nesting deeper than 32", `{"a":${"[".repeat(40)}${"]".repeat(40)}}`, {}],
    [422, "an array of 1,001 values", `{"a":[${"1,".repeat(1_000)}1]}`, {}],
    [415, "the type text/plain", "{}", { "content-type": "text/plain" }],
    [415, "a form", "a=1", { "content-type": "application/x-www-form-urlencoded" }],
    [415, "a field without a type", '{"a":1}', { "content-type": "" }],
    [415, "a malformed type", "{}", { "content-type": "nonsense" }],
    [415, "the type application/json-patch+json", "{}", { "content-type": "application/json-patch+json" }],
    [415, "JSON in Latin-1", "{}", { "content-type": "application/json; charset=latin1" }],
    [404, "JSON in UTF-8", "{}", { "content-type": "application/json; charset=utf-8" }],
    [415, "a compressed body", "{}", { "content-encoding": "gzip" }],
  ] as const)("%s: %s", async (status, _case, payload, headers) => {
    const tenant = await harness.seedTenant();

    const response = await tenant.sendRaw("DELETE", KEY, payload as string, { headers });

    expect(response.status).toBe(status);
    expect(response.headers["content-type"]).toBe("application/problem+json; charset=utf-8");
  });

  it("401: a wrong signature with an invalid body", async () => {
    const tenant = await harness.seedTenant();
    const signature = "0".repeat(64);

    for (const payload of ["{", '{"a":1,"a":2}', "x".repeat(1000)]) {
      const headers = { "content-type": "text/plain" };
      const response = await tenant.sendRaw("DELETE", KEY, payload, { signature, headers });
      expect(response.status).toBe(401);
    }
  });

  it("200: a signed GET with an empty object; 422 or 413: other bodies", async () => {
    const tenant = await harness.seedTenant();

    expect((await tenant.sendRaw("GET", "/developers/me", "{}")).status).toBe(200);
    expect((await tenant.sendRaw("GET", "/developers/me", '{"a":1}')).status).toBe(422);
    expect((await tenant.sendRaw("GET", "/developers/me", "x".repeat(300 * 1024))).status).toBe(413);
  });
});

describe("invalid headers", () => {
  const harness = useHarness();

  it.each(["utf8", "UTF8", "UTF-8", '"utf-8"', "'utf-8'", '"UTF8"', " utf-8 ;"])(
    "401: the body's charset can be written as %s",
    async (charset) => {
      const response = await harness.send({
        method: "POST",
        url: `${PREFIX}/developers/login`,
        headers: { "content-type": `application/json; charset=${charset}` },
        payload: JSON.stringify({ email: `${randomUUID()}@example.com`, password: "wrong" }),
      });

      expect(response.status).toBe(401);
    },
  );

  it.each(["application/json", "application/json;charset=utf-8", "application/json;"])(
    "415: %s with 60,000 spaces, in linear time",
    async (type) => {
      const response = harness.send({
        method: "POST",
        url: `${PREFIX}/developers/login`,
        headers: { "content-type": `${type}${" ".repeat(60_000)}x` },
        payload: "{}",
      });
      const startMs = performance.now();

      expect((await response).status).toBe(415);
      expect(performance.now() - startMs).toBeLessThan(3_000);
    },
  );

  it("422: X-Agent-ID is not a UUID, on a route that ignores it", async () => {
    const tenant = await harness.seedTenant();

    expect(await tenant.get("/developers/me", { headers: { "x-agent-id": "buyer-1" } })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: "/headers/x-agent-id" }] },
    });
    const agent = "3b241101-e2bb-4255-8caf-4136c566a962";
    expect((await tenant.get("/developers/me", { headers: { "x-agent-id": agent } })).status).toBe(200);
  });

  it("431: the headers are too large", async () => {
    const response = await raw(
      await portOf(harness.server),
      `GET /healthz HTTP/1.1\r\nHost: a\r\nX-Long: ${"a".repeat(20_000)}\r\n\r\n`,
    );

    expect(response).toContain("HTTP/1.1 431 ");
    expect(response).toContain('"code":"headers_too_large"');
  });

  it.each([
    ["is not HTTP", "what is this\r\n\r\n"],
    [
      "has two Content-Length headers",
      "POST /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
    ],
    [
      "has Content-Length and Transfer-Encoding",
      "POST /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    ],
    ["has no Host", "GET /healthz HTTP/1.1\r\n\r\n"],
    ["has two Host headers", "GET /healthz HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n"],
    ["has a Host with a space", "GET /healthz HTTP/1.1\r\nHost: a b\r\n\r\n"],
    ["has a Host with a path", "GET /healthz HTTP/1.1\r\nHost: a/b\r\n\r\n"],
    ["has a Host with a user", "GET /healthz HTTP/1.1\r\nHost: a@b\r\n\r\n"],
    [
      "has a transfer coding before chunked",
      "POST /healthz HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
    ],
    ["has an unsupported transfer coding", "POST /healthz HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n"],
  ])("400: a request that %s", async (_case, text) => {
    const response = await rawOnce(await portOf(harness.server), text);

    expect(response).toContain("HTTP/1.1 400 ");
    expect(response).toContain("application/problem+json");
    expect(response.split("HTTP/1.1 ")).toHaveLength(2);
  });

  it.each([
    ["HTTP/1.0 without Host", "GET /healthz HTTP/1.0\r\n\r\n"],
    ["an IPv6 Host with a port", "GET /healthz HTTP/1.1\r\nHost: [::1]:80\r\n\r\n"],
    [
      "an upgrade, which is ignored",
      "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
    ],
  ])("200: %s", async (_case, text) => {
    expect(await rawOnce(await portOf(harness.server), text)).toContain("HTTP/1.1 200 ");
  });

  it("405: CONNECT", async () => {
    const response = await raw(
      await portOf(harness.server),
      "CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n",
    );

    expect(response).toContain("HTTP/1.1 405 ");
    expect(response).toContain('"code":"method_not_allowed"');
  });

  it("the server keeps running: CONNECT, then a connection reset", async () => {
    const socket = connect(await portOf(harness.server), "127.0.0.1");
    socket.write("CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n");
    await new Promise((resolve) => socket.once("data", resolve));

    socket.resetAndDestroy();

    // If the server did not handle the socket's error, the error would fail the test run.
    const text = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n";
    expect(await rawOnce(await portOf(harness.server), text)).toContain("HTTP/1.1 200 ");
  });

  describe("Expect", () => {
    const login = (headers: string) => `POST ${PREFIX}/developers/login HTTP/1.1\r\nHost: a\r\n${headers}\r\n`;

    it("417: anything but 100-continue", async () => {
      const response = await raw(await portOf(harness.server), login("Expect: 200-ok\r\n"));

      expect(response).toContain("HTTP/1.1 417 ");
      expect(response).toContain('"code":"expectation_failed"');
    });

    it("413: the announced body is too large; the connection is closed", async () => {
      const announced = login("Expect: 100-continue\r\nContent-Length: 300000\r\n");

      const response = await raw(await portOf(harness.server), announced);

      expect(response).not.toContain("100 Continue");
      expect(response).toContain("HTTP/1.1 413 ");
    });

    it("404 without 100 Continue: unknown path", async () => {
      const text = "POST /nothing HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n";

      expect(await raw(await portOf(harness.server), text)).toMatch(/^HTTP\/1.1 404 /);
    });

    it("100, then the response: the body is within the limit", async () => {
      const socket = connect(await portOf(harness.server), "127.0.0.1");
      let response = "";
      socket.on("data", (chunk) => {
        response += chunk;
      });
      socket.write(login("Expect: 100-continue\r\nContent-Length: 2\r\n"));
      await expect.poll(() => response).toBe("HTTP/1.1 100 Continue\r\n\r\n");

      socket.write("{}");

      await expect.poll(() => response).toContain("HTTP/1.1 422 ");
      socket.destroy();
    });
  });
});

describe("a body that does not arrive in time", () => {
  const harness = useHarness();

  it("408: the request timeout expired; the connection is closed", async () => {
    const server = await buildServer(harness.app, { requestTimeoutMs: 300 });
    const socket = connect({
      port: await portOf(server),
      host: "127.0.0.1",
      // Lets the client continue sending after the server has closed its half of the connection.
      allowHalfOpen: true,
    });
    const startedAt = performance.now();
    let response = "";
    socket.on("data", (chunk) => {
      response += chunk;
    });
    socket.on("error", () => {});
    socket.write(`POST ${PREFIX}/developers/login HTTP/1.1\r\nHost: a\r\nContent-Length: 9999\r\n\r\n`);
    const dripping = setInterval(() => socket.write(" "), 20);

    await new Promise((resolve) => socket.once("close", resolve));

    clearInterval(dripping);
    expect(response).toContain("HTTP/1.1 408 ");
    expect(response).toContain('"code":"request_timeout"');
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    await server.close();
  });
});

describe("a client that does not read a large response", () => {
  const harness = useHarness();
  const large = (server: Server) =>
    server.route({
      method: "GET",
      url: "/large",
      config: { auth: "public", page: true },
      // The response is larger than the sockets' buffers, so the server cannot send all of it unless the client reads.
      handler: () => Buffer.alloc(24 * 1024 * 1024),
    });

  it("429: a second large response while the first is unread, until the stalled connection is closed", async () => {
    const server = await buildServer(harness.app, { routes: [large], stallTimeoutMs: 3_000 });
    const port = await portOf(server);
    const get = () => raw(port, "GET /large HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    const reader = connect(port, "127.0.0.1");
    reader.on("error", () => {});
    reader.write("GET /large HTTP/1.1\r\nHost: a\r\n\r\n");
    await new Promise((resolve) => reader.once("readable", resolve));

    expect(await get()).toContain("HTTP/1.1 429 ");
    const connections = () => new Promise((resolve) => server.server.getConnections((_error, count) => resolve(count)));
    await expect.poll(connections, { timeout: 10_000 }).toBe(0);

    expect(await get()).toContain("HTTP/1.1 200 ");
    reader.destroy();
    await server.close();
  });
});

describe("a client that disconnects before the request is complete", () => {
  const harness = useHarness();

  it.each([
    ["POST", "/developers/login", "destroy"],
    ["GET", "/developers/me", "destroy"],
    ["POST", "/developers/login", "resetAndDestroy"],
    ["GET", "/developers/me", "resetAndDestroy"],
  ] as const)("logs bad_request, not an internal error: %s %s, %s", async (method, path, end) => {
    const logged = harness.logLines.length;
    const port = await portOf(harness.server);
    const socket = connect(port, "127.0.0.1", () => {
      socket.write(`${method} ${PREFIX}${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{`);
      setTimeout(() => socket[end](), 50);
    });

    const refusals = () => harness.logLines.slice(logged).filter((line) => line.includes("request failed"));
    await expect.poll(refusals).toHaveLength(1);
    expect(refusals()[0]).toContain('"code":"bad_request"');
  });
});

describe("a client that resets the connection", () => {
  const harness = useHarness();

  it.each(["GET /api/v1/svc/developers/me", "GET /docs", "POST /api/v1/svc/developers/signup"])(
    "logs bad_request, not an internal error: %s",
    async (line) => {
      const logged = harness.logLines.length;
      const port = await portOf(harness.server);
      const reset = () =>
        new Promise<void>((resolve) => {
          const socket = connect(port, "127.0.0.1", () => {
            // The reset arrives before the server handles the request.
            socket.write(`${line} HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n`);
            setImmediate(() => socket.resetAndDestroy());
          });
          socket.on("error", () => {});
          socket.once("close", () => resolve());
        });
      for (let count = 0; count < 10; count += 1) await reset();
      const lines = () => harness.logLines.slice(logged);
      await expect.poll(() => lines().join()).toContain("the client closed the connection");

      expect(lines().filter((text) => text.includes('"level":50'))).toEqual([]);
    },
  );
});

describe("a route with an unlimited request", () => {
  const harness = useHarness();
  const strict = { additionalProperties: false };

  it.each([
    ["a string", Type.Object({ a: Type.String() }), "/a: a string without a bound"],
    ["a string or null", Type.Union([Type.String(), Type.Null()]), "a string"],
    ["oneOf", Type.Unsafe({ oneOf: [Type.String(), { type: "null" }] }), "a string"],
    ["an intersection", Type.Intersect([Type.Object({ a: Type.String() })]), "/a: a string"],
    ["a pattern that is not anchored", Type.String({ pattern: "^[a-z]{1,9}" }), "a string"],
    ["a pattern with an unlimited repetition", Type.String({ pattern: "^[a-z]{1,}$" }), "a string"],
    ["a pattern with a star", Type.String({ pattern: "^a*$" }), "a string"],
    ["a pattern with alternatives", Type.String({ pattern: "^a|b$" }), "a string"],
    ["a format", Type.String({ format: "uri" }), "a string"],
    ["an array", Type.Array(Type.Integer()), "an array without maxItems"],
    ["the values of a record", Type.Record(Type.String(), Type.String()), "a string without a bound"],
    ["additional properties", Type.Object({}, { additionalProperties: Type.String() }), "a string"],
    [
      "uniqueItems",
      Type.Array(Type.Unknown(), { maxItems: 9, uniqueItems: true }),
      "uniqueItems over items that may be objects",
    ],
  ])("the server does not start: %s", async (_case, inner, message) => {
    for (const part of ["body", "querystring"]) {
      const addRoute = (server: Server) =>
        server.route({
          method: "POST",
          url: "/test",
          config: { auth: "public" },
          schema: { [part]: Type.Object({ inner: Type.Optional(inner) }, strict) },
          handler: async () => "",
        });
      await expect(buildServer(harness.app, { routes: [addRoute] })).rejects.toThrow(message);
    }
  });
});

describe("buildServer", () => {
  const harness = useHarness();

  it.each([
    ["no credential class", {}, "has no credential class"],
    ["an unknown credential class", { auth: "anybody" }, "has no credential class"],
    ["no scope", { auth: "tenant" }, "has no scope"],
  ])("throws: a route has %s", async (_case, config, message) => {
    const addRoute = (server: Server) =>
      server.route({
        method: "GET",
        url: "/test",
        config: config as never,
        handler: async () => "",
      });

    await expect(buildServer(harness.app, { routes: [addRoute] })).rejects.toThrow(message);
  });

  it.each([
    ["a POST for signed requests and sessions", "POST", "tenant", "does not declare its replay guard"],
    ["a DELETE for signed requests and sessions", "DELETE", "tenant", "does not declare its replay guard"],
    ["a PUT for signed requests", "PUT", "signed", "does not declare its replay guard"],
  ])("throws: %s does not say whether its signature is accepted once", async (_case, method, auth, message) => {
    const addRoute = (server: Server) =>
      server.route({
        method,
        url: "/test",
        config: { auth, scope: null } as never,
        handler: async () => "",
      });

    await expect(buildServer(harness.app, { routes: [addRoute] })).rejects.toThrow(message);
  });

  const signedPost =
    (url: string, config = {}) =>
    (server: Server) =>
      server.route({
        method: "POST",
        url: PREFIX + url,
        config: { auth: "signed", scope: null, replayGuard: "strict", ...config },
        handler: async ({ query }) => {
          if (Object.keys(query as object).length > 0) throw new AppError("conflict");
          return { moved: true };
        },
        schema: { querystring: Type.Object({ refuse: Type.Optional(Type.Literal("1")) }) },
      });

  it("throws: a signed POST does not declare that it moves money; not if it is a simulation", async () => {
    const message = "POST /api/v1/svc/test/pay does not declare that it moves money.";

    await expect(buildServer(harness.app, { routes: [signedPost("/test/pay")] })).rejects.toThrow(message);
    await buildServer(harness.app, { routes: [signedPost("/test/simulate")] });
  });

  it("500, and logs the cause: a route that moves money does not reply with replyToMoneyRequest; 409: it fails", async () => {
    const tenant = await harness.seedTenant();
    const server = await buildServer(harness.app, {
      routes: [signedPost("/test/pay", { movesMoney: true })],
    });
    const send = async (url: string) => {
      const timestamp = String(Math.floor(harness.clock.now().getTime() / 1000));
      const parts = { timestamp, method: "POST", path: url, bodyHash: sha256Hex("") };
      const { statusCode } = await server.inject({
        method: "POST",
        url,
        headers: {
          authorization: tenant.apiKey,
          "x-timestamp": timestamp,
          "x-nonce": randomUUID(),
          "x-request-signature": requestSignature(sha256Hex(tenant.apiSecret), parts).toString("hex"),
        },
      });
      return statusCode;
    };

    expect(await send(`${PREFIX}/test/pay`)).toBe(500);
    expect(harness.logLines.join()).toContain("replied without replyToMoneyRequest");
    expect(await send(`${PREFIX}/test/pay?refuse=1`)).toBe(409);
  });

  describe("with an https public address and loopbackHostsOnly", () => {
    let server: Server;
    beforeAll(async () => {
      const { app } = harness;
      const publicUrl = "https://purser.test";
      const settings = { ...app.settings, publicUrl, loopbackHostsOnly: true };
      server = await buildServer({ ...app, settings });
    });

    it("every response has Strict-Transport-Security; none has it with an http address", async () => {
      for (const url of ["/login", `${PREFIX}/time`, `${PREFIX}/developers/me`, "/nothing"]) {
        const { headers } = await server.inject({ method: "GET", url });
        expect(headers["strict-transport-security"]).toBe("max-age=31536000");
        const plain = await harness.send({ method: "GET", url });
        expect(plain.headers).not.toHaveProperty("strict-transport-security");
      }
    });

    it.each([
      ["127.0.0.1:8080", 200],
      ["localhost", 200],
      ["[::1]:8080", 200],
      ["purser.test", 200],
      ["evil.test", 421],
      ["evil.test:8080", 421],
      ["127.0.0.1.evil.test", 421],
      ["localhost.", 421],
    ])("Host %s is %s; 200 without loopbackHostsOnly", async (host, status) => {
      for (const url of ["/healthz", `${PREFIX}/time`, "/login"]) {
        const request = { method: "GET", url, headers: { host } } as const;
        const response = await server.inject(request);
        expect(response.statusCode).toBe(status);
        if (status === 421) expect(response.json()).toMatchObject({ code: "misdirected_request" });
        expect((await harness.send(request)).status).toBe(200);
      }
    });
  });
});

async function portOf(server: Server): Promise<number> {
  await server.listen({ host: "127.0.0.1", port: 0 }).catch(() => {});
  const address = server.server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

function raw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    let response = "";
    socket.on("data", (chunk) => {
      response += chunk;
    });
    socket.on("close", () => resolve(response));
    socket.on("error", reject);
  });
}

/** Works like `raw`, but adds `Connection: close`. */
async function rawOnce(port: number, text: string): Promise<string> {
  const [head = "", rest = ""] = text.split(/(?<=^[^\r]*\r\n)/);
  return raw(port, `${head}Connection: close\r\n${rest}`);
}
