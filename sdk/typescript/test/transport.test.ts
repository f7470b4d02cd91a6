import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import {
  APIConnectionError,
  APIError,
  APITimeoutError,
  AuthenticationError,
  BadGatewayError,
  BadRequestError,
  ConflictError,
  NotFoundError,
  PaymentRequiredError,
  PermissionDeniedError,
  PurserError,
  RateLimitError,
  ServerError,
  ServiceUnavailableError,
  ValidationError,
} from "../src/index.ts";
import { type ReceivedRequest, UNAUTHORIZED, useTestServer } from "./test-server.ts";

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

const AGENT = "6f1c1c2e-8a57-4c7e-9a57-0f5a3c0e7d11";

describe("a call", () => {
  const test = useTestServer();

  /** Returns the values of a header in all received requests. */
  const seen = (header: string) => test.server.received.map(({ headers }) => headers[header]);

  it("is signed over its path with the query and over the bytes of its body", async () => {
    const purser = test.signedClient();

    await purser.projects.create({ name: "Größe ✓" });
    await purser.projects.catalog({ q: "a b&c/ü", category: "database" });

    expect(test.server.received).toMatchObject([
      { method: "POST", body: '{"name":"Größe ✓"}', isSigned: true },
      { path: "/api/v1/svc/projects/catalog?q=a+b%26c%2F%C3%BC&category=database", isSigned: true },
    ]);
    expect(seen("content-type")).toEqual(["application/json", undefined]);
  });

  it("has a unique Idempotency-Key if it is a POST or PATCH, otherwise none", async () => {
    const purser = test.signedClient();

    await purser.projects.create({ name: "a" });
    await purser.projects.update("proj_1", { name: "b" });
    await purser.projects.get("proj_1");
    await purser.projects.variables.set("proj_1", "NAME", { value: "1" });
    await purser.projects.delete("proj_1");

    const keys = seen("idempotency-key");
    expect(keys[0]).toMatch(UUID_V4);
    expect(keys[1]).toMatch(UUID_V4);
    expect(keys[1]).not.toBe(keys[0]);
    expect(keys.slice(2)).toEqual([undefined, undefined, undefined]);
  });

  it("is retried after a 503 and a closed connection, with new signatures and the same Idempotency-Key", async () => {
    test.server.script({ status: 503 }, "drop", { status: 201, body: { project_id: "proj_1" } });

    const project = await test.signedClient().projects.create({ name: "a" });

    expect(project.project_id).toBe("proj_1");
    expect(test.server.received.map(({ isSigned }) => isSigned)).toEqual([true, true, true]);
    expect(new Set(seen("idempotency-key")).size).toBe(1);
    expect(new Set(seen("x-nonce")).size).toBe(3);
    const [first, , third] = seen("x-timestamp").map(Number);
    expect((third ?? 0) - (first ?? 0)).toBe(1);
    expect(test.slept).toEqual([500, 1000]);
  });

  it("sends the caller's Idempotency-Key and returns it with the response", async () => {
    const idempotencyKey = "3f0c7a52-9d3b-4d66-8a3e-1d2f4b5c6d7e";
    test.server.script({ status: 503 }, { headers: { "idempotent-replayed": "true" } });

    const response = await test.signedClient().projects.create({ name: "a" }, { idempotencyKey }).withResponse();

    expect(seen("idempotency-key")).toEqual([idempotencyKey, idempotencyKey]);
    expect(response).toMatchObject({
      idempotencyKey,
      isReplay: true,
      requestId: "req_2",
      status: 200,
    });
  });

  it("waits for Retry-After before a retry", async () => {
    test.server.script({ status: 429, headers: { "retry-after": "17" } });

    await test.signedClient().developers.me();

    expect(test.slept).toEqual([17_000]);
  });

  it("is not retried if Retry-After is more than a minute", async () => {
    test.server.script({ status: 429, headers: { "retry-after": "3600" } });

    const call = test.signedClient().developers.me();

    await expect(call).rejects.toMatchObject({ status: 429, retryAfterSeconds: 3600 });
    expect(test.server.received).toHaveLength(1);
    expect(test.slept).toEqual([]);
  });

  it.each([{ idempotency_key: "k" }, { timeout: 5 }])("throws for %o, which is no option", async (options) => {
    const created = test.signedClient().projects.create({ name: "a" }, options as object);

    await expect(created).rejects.toThrow(/There is no option `\w+`. There are: idempotencyKey, agentId/);
    expect(test.server.received).toEqual([]);
  });

  it("throws the last error after two retries, or after maxRetries", async () => {
    const failing = Array.from({ length: 3 }, () => ({ status: 503 }));

    test.server.script(...failing);
    await expect(test.signedClient().developers.me()).rejects.toThrow(ServerError);
    expect(test.server.received).toHaveLength(3);

    test.server.script({ status: 503 });
    await expect(test.signedClient().developers.me({ maxRetries: 0 })).rejects.toThrow(ServerError);
    expect(test.server.received).toHaveLength(4);
  });

  it("is not retried after an error whose retryable is false", async () => {
    test.server.script({ status: 409, body: { code: "already_exists", retryable: false } });

    await expect(test.signedClient().projects.create({ name: "a" })).rejects.toThrow(ConflictError);

    expect(test.server.received).toHaveLength(1);
  });

  it("throws for an id that would change the path, and encodes other ids", async () => {
    const purser = test.signedClient();

    for (const id of ["", ".", ".."]) {
      expect(() => purser.projects.delete(id)).toThrow(PurserError);
    }
    await purser.projects.get("../agents/x?y#z");

    expect(test.server.received.map(({ path }) => path)).toEqual(["/api/v1/svc/projects/..%2Fagents%2Fx%3Fy%23z"]);
  });

  it("does not follow a redirect", async () => {
    test.server.script({ status: 307, headers: { location: "/elsewhere" } });

    await expect(test.signedClient().developers.me()).rejects.toMatchObject({ status: 307 });

    expect(test.server.received).toHaveLength(1);
  });

  it("is sent once even if its promise is read several times", async () => {
    const call = test.signedClient().developers.me();

    await Promise.all([call, call, call.withResponse(), call.finally(() => undefined)]);

    expect(test.server.received).toHaveLength(1);
  });

  it("returns fields that are unknown to this version", async () => {
    test.server.script({ body: { project_id: "proj_1", brand_new: { a: 1 } } });

    expect(await test.signedClient().projects.get("proj_1")).toEqual({
      project_id: "proj_1",
      brand_new: { a: 1 },
    });
  });

  it("throws if a successful response is not JSON", async () => {
    test.server.script({ bytes: Buffer.from("<html>") });

    await expect(test.signedClient({ maxRetries: 0 }).developers.me()).rejects.toThrow("not JSON (request req_1)");
  });

  it("can be made to routes without a method, with or without the path prefix", async () => {
    const purser = test.signedClient();

    await purser.get("/limits", { query: { a: 1 } });
    await purser.post("/api/v1/svc/agents", { body: { name: "buyer" } });

    expect(test.server.received).toMatchObject([
      { method: "GET", path: "/api/v1/svc/limits?a=1", isSigned: true },
      { method: "POST", path: "/api/v1/svc/agents", body: '{"name":"buyer"}', isSigned: true },
    ]);
  });

  it("sends the caller's headers, but its own headers take precedence", async () => {
    const headers = { "X-Trace": "t1", AUTHORIZATION: "Bearer x", Accept: "text/html" };

    await test.signedClient().developers.me({ headers });

    const [received] = test.server.received;
    expect(received).toMatchObject({
      isSigned: true,
      headers: { "x-trace": "t1", accept: "application/json" },
    });
  });
});

describe("a wrong clock", () => {
  const test = useTestServer();

  it.each([
    ["behind", -120_000],
    ["ahead", 3_600_000],
  ])("is corrected once by the server's Date header if it is %s", async (_direction, skewMs) => {
    test.clock.nowMs += skewMs;
    const purser = test.signedClient();

    await purser.projects.create({ name: "a" });
    await purser.projects.create({ name: "b" });

    expect(test.server.received.map(({ isSigned }) => isSigned)).toEqual([false, true, true]);
    const [first, second] = test.server.received;
    expect(second?.headers["idempotency-key"]).toBe(first?.headers["idempotency-key"]);
    expect(test.slept).toEqual([]);
  });

  it("is corrected for concurrent calls and for other agents' clients", async () => {
    test.clock.nowMs -= 120_000;
    const purser = test.signedClient();

    await Promise.all([
      purser.developers.me(),
      purser.projects.get("proj_1"),
      purser.withAgent(AGENT).projects.get("proj_2"),
    ]);

    expect(test.server.received.filter(({ isSigned }) => isSigned)).toHaveLength(3);
  });

  it("is not corrected if it is less than 25 s wrong: the call is repeated with other nonces, then the 401 is thrown", async () => {
    test.clock.nowMs -= 20_000;
    test.server.script(UNAUTHORIZED, UNAUTHORIZED, UNAUTHORIZED);

    await expect(test.signedClient().developers.me()).rejects.toThrow(AuthenticationError);

    const nonces = test.server.received.map(({ headers }) => headers["x-nonce"]);
    expect(new Set(nonces).size).toBe(3);
  });

  it("a rejected nonce does not fail the call", async () => {
    test.server.script(UNAUTHORIZED);

    await test.signedClient().projects.create({ name: "a" });

    const [first, second] = test.server.received;
    expect(second?.headers["idempotency-key"]).toBe(first?.headers["idempotency-key"]);
    expect(second?.headers["x-nonce"]).not.toBe(first?.headers["x-nonce"]);
  });

  it("is corrected once per call: after two retries, the 401 is thrown", async () => {
    test.server.nowMs += 60_000;

    const call = test.signedClient({ apiSecret: `svc_ss_test_${"x".repeat(64)}` }).developers.me();

    await expect(call).rejects.toThrow(AuthenticationError);
    expect(test.server.received).toHaveLength(4);
  });

  it("does not cause endless retries if the server's Date changes with every response", async () => {
    let nowMs = test.server.nowMs;
    Object.defineProperty(test.server, "nowMs", { get: () => (nowMs += 100_000), set: () => undefined });

    await expect(test.signedClient().developers.me()).rejects.toThrow(AuthenticationError);

    expect(test.server.received).toHaveLength(4);
  });

  it("is not corrected after a 401 to an access token", async () => {
    test.clock.nowMs -= 120_000;
    test.server.script(UNAUTHORIZED);

    const call = test.client({ session: "a.b.c", mode: "test" }).developers.me();

    await expect(call).rejects.toThrow(AuthenticationError);
    expect(test.server.received).toHaveLength(1);
  });
});

const REPLAYED = {
  status: 409,
  headers: { "retry-after": "1" },
  body: { code: "signature_replayed", retryable: true },
};
const RANDOM = { uuid: () => crypto.randomUUID(), fraction: Math.random };

describe("identical requests in one second", () => {
  const test = useTestServer();

  const signatures = () => test.server.received.map(({ headers }) => headers["x-request-signature"]);
  const secondsAhead = () =>
    test.server.received.map(({ headers }) => Number(headers["x-timestamp"]) - Math.floor(test.server.nowMs / 1000));

  it("are signed for different seconds, so that none is rejected as a replay", async () => {
    const purser = test.signedClient();

    for (let count = 0; count < 3; count += 1) await purser.projects.create({ name: "a" });
    await purser.projects.create({ name: "b" });

    expect(new Set(signatures()).size).toBe(4);
    expect(secondsAhead()).toEqual([0, 1, 2, 0]);
    expect(test.server.received.every(({ isSigned }) => isSigned)).toBe(true);
  });

  it("have different signatures if they come from different agents' clients", async () => {
    const purser = test.signedClient();

    await purser.projects.create({ name: "a" });
    await purser.withAgent(AGENT).projects.create({ name: "a" });

    expect(new Set(signatures()).size).toBe(2);
  });

  it("are signed for at most ten seconds ahead, then wait for the next second", async () => {
    const purser = test.signedClient();

    for (let count = 0; count < 12; count += 1) await purser.projects.create({ name: "a" });

    expect(new Set(signatures()).size).toBe(12);
    expect(test.slept).toEqual([1000]);
    expect(test.server.received.every(({ isSigned }) => isSigned)).toBe(true);
  });

  it("have the same signature if they have the same Idempotency-Key", async () => {
    const purser = test.signedClient();
    const options = { idempotencyKey: "3f0c7a52-9d3b-4d66-8a3e-1d2f4b5c6d7e" };

    await purser.projects.create({ name: "a" }, options);
    await purser.projects.create({ name: "a" }, options);

    expect(new Set(signatures()).size).toBe(1);
  });

  it("are signed anew with the same Idempotency-Key after a 409 signature_replayed", async () => {
    const purser = test.signedClient();
    await purser.projects.create({ name: "a" });
    test.server.script(REPLAYED, REPLAYED);

    await purser.projects.create({ name: "a" });

    expect(test.slept).toEqual([]);
    expect(new Set(signatures()).size).toBe(4);
    const keys = test.server.received.slice(1).map((sent) => sent.headers["idempotency-key"]);
    expect(new Set(keys).size).toBe(1);
  });

  it("all succeed if eight clients of one key send them at the same time", async () => {
    const signed = new Map<string, string>();
    test.server.script(
      ...Array.from({ length: 100 }, () => ({ headers }: ReceivedRequest) => {
        const [signature = "", key = ""] = [headers["x-request-signature"], headers["idempotency-key"]];
        if (!signed.has(signature)) signed.set(signature, key);
        return signed.get(signature) === key ? {} : REPLAYED;
      }),
    );
    const clients = Array.from({ length: 8 }, () => test.signedClient({ maxRetries: 0, random: RANDOM }));

    await Promise.all(clients.map((purser) => purser.projects.create({ name: "a" })));

    expect(signed.size).toBe(8);
    expect(test.slept).toEqual([]);
    expect(test.server.received.every(({ isSigned }) => isSigned)).toBe(true);
  });

  it("are retries like any other after ten replays", async () => {
    test.server.script(...Array.from({ length: 12 }, () => REPLAYED));

    const failure = await test.signedClient({ maxRetries: 1 }).projects.create({ name: "a" }).catch(String);

    expect(failure).toContain("409 signature_replayed");
    expect(test.slept[0]).toBe(1000);
    expect(test.server.received).toHaveLength(12);
  });

  it("have different signatures if they are DELETEs or env pulls, which have no Idempotency-Key", async () => {
    const purser = test.signedClient();
    const pull = () => purser.projects.env.pull("proj_1").catch(() => undefined);

    await purser.projects.delete("proj_1");
    await purser.projects.delete("proj_1");
    await pull();
    await pull();

    expect(new Set(signatures()).size).toBe(4);
  });

  it("have the same signature if they are other GETs", async () => {
    const purser = test.signedClient();

    await purser.projects.get("proj_1");
    await purser.projects.get("proj_1");

    expect(new Set(signatures()).size).toBe(1);
  });

  it("are compared with the last 65 seconds only", async () => {
    const purser = test.signedClient();
    const before = test.clock.nowMs;

    await purser.projects.create({ name: "a" });
    test.clock.nowMs += 66_000;
    test.server.nowMs += 66_000;
    await purser.projects.create({ name: "b" });
    test.clock.nowMs = before;
    test.server.nowMs = before;
    await purser.projects.create({ name: "a" });

    expect(new Set(signatures()).size).toBe(2);
  });
});

describe("errors", () => {
  const test = useTestServer();

  it.each([
    [400, BadRequestError],
    [401, AuthenticationError],
    [403, PermissionDeniedError],
    [404, NotFoundError],
    [409, ConflictError],
    [422, ValidationError],
    [429, RateLimitError],
    [500, ServerError],
    [502, BadGatewayError],
    [503, ServiceUnavailableError],
    [402, PaymentRequiredError],
    [418, APIError],
  ])("status %i throws its error class", async (status, ErrorOfStatus) => {
    test.server.script({ status, body: { code: "some_code", retryable: false } });

    const failure = await test
      .signedClient({ maxRetries: 0 })
      .developers.me()
      .catch((error: unknown) => error);

    expect(failure).toBeInstanceOf(ErrorOfStatus);
    expect(failure).toMatchObject({ name: ErrorOfStatus.name, status, code: "some_code" });
  });

  it("contain the whole problem", async () => {
    const problem = {
      type: "/errors/policy_denied",
      status: 403,
      code: "policy_denied",
      detail: "Daily limit 100.00 USDC would be exceeded by 12.50.",
      request_id: "req_01J",
      retryable: false,
      errors: [{ pointer: "/body/amount", code: "limit_exceeded", detail: "At most 37.50." }],
      next_action: { type: "request_approval", actor: "human" },
      decision: { rule_id: "daily_cap" },
    };
    test.server.script({ status: 403, body: problem });

    await expect(test.signedClient().projects.create({ name: "a" })).rejects.toMatchObject({
      message: `403 policy_denied: ${problem.detail} /body/amount: At most 37.50. (request req_01J)`,
      requestId: "req_01J",
      detail: problem.detail,
      errors: problem.errors,
      retryable: false,
      nextAction: problem.next_action,
      decision: problem.decision,
      problem,
    });
  });

  it("contain the status and the request ID even if the body is not a problem", async () => {
    test.server.script({
      status: 418,
      headers: { "content-type": "text/html" },
      bytes: Buffer.from("<h1>no</h1>"),
    });

    await expect(test.signedClient().developers.me()).rejects.toMatchObject({
      status: 418,
      code: undefined,
      requestId: "req_1",
      errors: [],
      message: expect.stringContaining("req_1"),
    });
  });

  it("APIConnectionError: the connection is refused", async () => {
    const closed = await closedPort();

    const call = test.signedClient({ baseUrl: `http://127.0.0.1:${closed}` }).developers.me();

    await expect(call).rejects.toThrow(APIConnectionError);
    await expect(call).rejects.toThrow(`The connection to http://127.0.0.1:${closed} failed (ECONNREFUSED).`);
    await expect(call).rejects.not.toThrow(APITimeoutError);
    expect(test.slept).toEqual([500, 1000]);
  });

  it("APITimeoutError: no response in time, after a retry", async () => {
    test.server.script("stall", "stall");

    const { signal } = new AbortController();
    const options = { timeoutMs: 300, maxRetries: 1, signal };
    const call = test.signedClient().projects.get("proj_1", options);

    await expect(call).rejects.toThrow(APITimeoutError);
    expect(test.server.received).toHaveLength(2);
  });

  it("the signal's reason: aborted while waiting for a response or before a retry", async () => {
    test.server.script("stall", { status: 503 });
    const reason = new Error("aborted by the caller");
    const duringRequest = new AbortController();
    const duringDelay = new AbortController();

    const stalled = test.signedClient({ maxRetries: 0 }).projects.get("proj_1", { signal: duringRequest.signal });
    await expect.poll(() => test.server.received.length).toBe(1);
    duringRequest.abort(reason);
    await expect(stalled).rejects.toBe(reason);

    const sleep = async () => duringDelay.abort(reason);
    const waiting = test.signedClient({ sleep }).projects.get("proj_1", { signal: duringDelay.signal });
    await expect(waiting).rejects.toBe(reason);
    expect(test.server.received).toHaveLength(2);
  });

  it("the signal's reason: aborted during a delay of the default sleep", async () => {
    test.server.script({ status: 503, headers: { "retry-after": "60" } });
    const abort = new AbortController();
    const purser = test.signedClient({ sleep: undefined });

    const call = purser.projects.get("proj_1", { signal: abort.signal });
    call.catch(() => undefined);
    await expect.poll(() => test.server.received.length).toBe(1);
    abort.abort(new Error("enough"));

    await expect(call).rejects.toThrow("enough");
  });
});

/** Returns a local port on which no server listens. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}
