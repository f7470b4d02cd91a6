import type { IncomingMessage, ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import serviceManifest from "../../../package.json" with { type: "json" };
import { startServer, unreachableUrl } from "../../../test/vendors/misbehaving-vendor.ts";
import { NO_RETRY, RETRY_WITHIN_REQUEST } from "../../foundation/retry.ts";
import { VendorError } from "../../ports/vendor-error.ts";
import { createVendorClient, pathOf, USER_AGENT, type VendorCall, type VendorClientOptions } from "./vendor-client.ts";

const Thing = Type.Object({ id: Type.String() });
const TOKEN = "tok_of-the-test";
const CREATE = {
  operation: "createThing",
  method: "POST",
  path: "/things",
  schema: Thing,
} as const;
const READ = { operation: "getThing", method: "GET", path: "/things/1", schema: Thing } as const;

/** Would be valid if it were shorter. */
const LONG = JSON.stringify({ id: "a", more: "x".repeat(1_048_576) });

interface Received {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

type Act = (response: ServerResponse, count: number) => void;

/** Starts a fake vendor with the given behavior, and creates a client for it. */
async function arrange(act: Act, options: Partial<VendorClientOptions> = {}) {
  const received: Received[] = [];
  const url = await startServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      const { method, url, headers } = request;
      received.push({ method, url, headers, body });
      act(response, received.length);
    });
  });
  const baseUrl = `${url}/v2`;
  const client = createVendorClient({
    vendor: "acme",
    baseUrl,
    timeoutMs: 1_000,
    readRetry: RETRY_WITHIN_REQUEST,
    ...options,
  });
  const fail = async (call: VendorCall<typeof Thing>): Promise<VendorError> => {
    const thrown: unknown = await client.call(call).catch((error: unknown) => error);
    if (thrown instanceof VendorError) return thrown;
    throw new Error("The error is not a VendorError.", { cause: thrown });
  };
  return { received, client, fail };
}

function respondWith(status: number, body: unknown, headers: Record<string, string> = {}): Act {
  return (response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : JSON.stringify(body));
  };
}

describe("call", () => {
  it("sends the request, and returns the validated response", async () => {
    const { client, received } = await arrange(respondWith(201, { id: "a", more: true }));

    const thing = await client.call({
      ...CREATE,
      query: { search: "a&b", cursor: undefined },
      headers: { authorization: `Bearer ${TOKEN}` },
      body: { name: "Grüße" },
    });

    expect(thing).toMatchObject({ id: "a" });
    expect(received).toHaveLength(1);
    expect(received[0]).toMatchObject({
      method: "POST",
      url: "/v2/things?search=a%26b",
      body: '{"name":"Grüße"}',
      headers: {
        authorization: `Bearer ${TOKEN}`,
        "content-type": "application/json",
        "user-agent": `purser/${serviceManifest.version} (+https://purser.dev)`,
      },
    });
    expect(USER_AGENT).toContain(serviceManifest.version);
  });

  it("sends a form", async () => {
    const { client, received } = await arrange(respondWith(200, { id: "a" }));

    await client.call({ ...CREATE, form: { code: "a b&c" } });

    expect(received[0]).toMatchObject({
      body: "code=a+b%26c",
      headers: { "content-type": "application/x-www-form-urlencoded" },
    });
  });

  it("unknown: a redirect, which is not followed", async () => {
    const { fail, received } = await arrange(respondWith(307, "", { location: "/v2/elsewhere" }));

    expect(await fail({ ...CREATE, body: {} })).toMatchObject({ failure: "unknown" });
    expect(received).toHaveLength(1);
  });
});

describe("failures", () => {
  it.each([
    [400, "refused", "refused"],
    [401, "unauthorized", "unauthorized"],
    [403, "unauthorized", "unauthorized"],
    [404, "not_found", "not_found"],
    [408, "unknown", "unavailable"],
    [409, "refused", "refused"],
    [422, "refused", "refused"],
    [423, "rate_limited", "rate_limited"],
    [429, "rate_limited", "rate_limited"],
    [500, "unknown", "unavailable"],
    [503, "unknown", "unavailable"],
  ])("%i: %s for a write, %s for a read", async (status, writeFailure, readFailure) => {
    const { fail } = await arrange(respondWith(status, {}), { timeoutMs: 2_000 });

    expect(await fail(CREATE)).toMatchObject({
      vendor: "acme",
      operation: "createThing",
      failure: writeFailure,
    });
    expect(await fail(READ)).toMatchObject({ operation: "getThing", failure: readFailure });
  });

  it.each([
    ["no response", () => {}],
    ["half a response", (response: ServerResponse) => response.writeHead(200).write('{"id":')],
    ["a closed connection", (response: ServerResponse) => response.destroy()],
    ["a response that is not JSON", respondWith(200, "<html>")],
    ["a response with an unexpected shape", respondWith(200, { id: 1 })],
    ["more than 1 MiB", respondWith(200, LONG, { "content-length": String(LONG.length) })],
    ["more than 1 MiB in chunks", respondWith(200, LONG)],
    [
      "more than 1 MiB that is compressed",
      (response: ServerResponse) => {
        const body = gzipSync(LONG);
        response.writeHead(200, { "content-encoding": "gzip", "content-length": body.length }).end(body);
      },
    ],
  ] as const)("%s: unknown for a write, unavailable for a read", async (_what, act) => {
    const { fail } = await arrange(act);

    expect(await fail(CREATE)).toMatchObject({ failure: "unknown" });
    expect(await fail(READ)).toMatchObject({ failure: "unavailable" });
  });

  it("unavailable: the connection fails, so nothing was sent", async () => {
    const { port } = new URL(await unreachableUrl());
    // `localhost` can have two addresses. If neither accepts the connection, Node combines the two errors in one.
    for (const host of ["127.0.0.1", "localhost"]) {
      const { fail } = await arrange(respondWith(200, {}), { baseUrl: `http://${host}:${port}` });
      expect(await fail(CREATE)).toMatchObject({ failure: "unavailable" });
    }

    const nowhere = await arrange(respondWith(200, {}), { baseUrl: "http://nowhere.invalid" });
    expect(await nowhere.fail(CREATE)).toMatchObject({ failure: "unavailable" });
  });

  it("contains the vendor's code and its truncated message", async () => {
    const { fail } = await arrange(respondWith(422, { code: "LIMIT_EXCEEDED", message: `no ${"x".repeat(500)}` }));

    const error = await fail(CREATE);

    expect(error.vendorCode).toBe("LIMIT_EXCEEDED");
    expect(error.vendorMessage).toMatch(/^422 no x{197}$/);
  });

  it.each([
    ["a truncated character", `${"x".repeat(199)}😀`, `${"x".repeat(199)}�`],
    ["a lone surrogate", "no \ud800 way", "no � way"],
    ["NUL and line breaks", "no\0\n\u2028INFO all is well", "no���INFO all is well"],
    ["a right-to-left mark", "no\u202e", "no�"],
  ])("%s: converted to text that the database can store", async (_what, message, expected) => {
    const { fail } = await arrange(respondWith(422, { message }));

    expect((await fail(CREATE)).vendorMessage).toBe(`422 ${expected}`);
  });

  it("contains the code and message of an OAuth error", async () => {
    const { fail } = await arrange(respondWith(400, { error: "invalid_grant", error_description: "expired" }));

    const error = await fail(CREATE);
    expect(error).toMatchObject({ vendorCode: "invalid_grant", vendorMessage: "400 expired" });
  });

  it("does not contain credentials that the vendor echoes", async () => {
    const message = `no ${TOKEN}, hunter2 or postgres://me:secret@db/x`;
    const { fail } = await arrange(respondWith(400, { code: `code-${TOKEN}`, message }));

    const error = await fail({
      ...CREATE,
      headers: { Authorization: `Bearer ${TOKEN}` },
      secrets: ["hunter2", ""],
    });

    expect(error.vendorMessage).toBe("400 no [redacted], [redacted] or postgres://me:[redacted]@db/x");
    expect(error.vendorCode).toBeUndefined();
  });

  it("unauthorized: the token is not a valid header value; the error does not contain it", async () => {
    const { fail, received } = await arrange(respondWith(200, { id: "a" }));

    const error = await fail({ ...READ, headers: { authorization: `Bearer ${TOKEN}\nx` } });

    expect(error).toMatchObject({ failure: "unauthorized", cause: undefined });
    expect(String(error)).not.toContain(TOKEN);
    expect(received).toHaveLength(0);
  });
});

describe("Retry-After", () => {
  it.each([
    ["17", 17],
    ["Wed, 21 Oct 2026 07:28:30 GMT", 30],
    ["Wed, 21 Oct 2026 07:27:00 GMT", 0],
    ["999999999", 86_400],
    ["soon", undefined],
  ])("%s: %s seconds according to the vendor's clock", async (value, seconds) => {
    const date = "Wed, 21 Oct 2026 07:28:00 GMT";
    const { fail } = await arrange(respondWith(429, {}, { "retry-after": value, date }));

    expect((await fail(CREATE)).retryAfterSeconds).toBe(seconds);
  });
});

describe("reads", () => {
  it("are retried at most twice", async () => {
    const { client, received } = await arrange(
      (response, count) => respondWith(count < 3 ? 503 : 200, { id: "a" })(response, count),
      { timeoutMs: 5_000 },
    );
    await expect(client.call(READ)).resolves.toEqual({ id: "a" });
    expect(received).toHaveLength(3);

    const broken = await arrange(respondWith(503, {}), { timeoutMs: 5_000 });
    await broken.fail(READ);
    expect(broken.received).toHaveLength(3);
  });

  it("wait for Retry-After, but at most two seconds", async () => {
    const startedAt = performance.now();
    const patient = await arrange(
      (response, count) => respondWith(count < 2 ? 429 : 200, { id: "a" }, { "retry-after": "1" })(response, count),
      { timeoutMs: 5_000 },
    );
    await patient.client.call(READ);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(1_000);

    const busy = await arrange(respondWith(429, {}, { "retry-after": "3" }), { timeoutMs: 5_000 });
    expect(await busy.fail(READ)).toMatchObject({ failure: "rate_limited", retryAfterSeconds: 3 });
    expect(busy.received).toHaveLength(1);
  });

  it("are sent once if the client does not retry", async () => {
    const { fail, received } = await arrange(respondWith(503, {}), { readRetry: NO_RETRY });

    await fail(READ);

    expect(received).toHaveLength(1);
  });

  it("are not retried after a rejection or after the timeout", async () => {
    const refused = await arrange(respondWith(404, {}));
    await refused.fail(READ);
    expect(refused.received).toHaveLength(1);

    const silent = await arrange(() => {});
    await silent.fail(READ);
    expect(silent.received).toHaveLength(1);
  });
});

describe("writes", () => {
  it.each([429, 500, 503])("are sent once, even after a %i", async (status) => {
    const { fail, received } = await arrange(respondWith(status, {}));

    for (const method of ["POST", "PUT", "PATCH", "DELETE"] as const) {
      await fail({ ...CREATE, method });
    }

    expect(received.map(({ method }) => method)).toEqual(["POST", "PUT", "PATCH", "DELETE"]);
  });
});

describe("pathOf", () => {
  it("encodes an id as one segment", () => {
    expect(pathOf`/things/${"a/../b?c#d"}/parts/${"é"}`).toBe("/things/a%2F..%2Fb%3Fc%23d/parts/%C3%A9");
  });

  it.each(["", ".", ".."])("throws: the id is %j", (id) => {
    expect(() => pathOf`/things/${id}`).toThrow("Invariant broken");
  });
});
