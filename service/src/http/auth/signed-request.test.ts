import { randomUUID } from "node:crypto";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { run } from "../../../test/database.ts";
import { type ApiResponse, PREFIX, type SignOptions, useHarness } from "../../../test/harness.ts";
import { requestSignature, sha256Hex } from "../../crypto/signing.ts";
import type { AdmissionRequest } from "../../ports/fast-state.ts";

const ME = "/developers/me";

function seconds(clock: { now(): Date }): number {
  return Math.floor(clock.now().getTime() / 1000);
}

/** Removes the date and request id, which differ in every response. */
function withoutRequestId({ status, text, headers }: ApiResponse) {
  const { date: _date, "x-request-id": requestId, ...rest } = headers;
  return { status, text: text.replace(String(requestId), "req"), headers: rest };
}

describe("a signed request", () => {
  const harness = useHarness();

  it("401: the response is the same for each of nine reasons", async () => {
    const tenant = await harness.seedTenant();
    const otherTenant = await harness.seedTenant();
    const nonce = "a-nonce-that-was-used-before";
    await tenant.get(ME, { nonce });
    const without = (name: string): SignOptions => ({ headers: { [name]: "" } });

    const reasons: Record<string, Promise<ApiResponse>> = {
      "no Authorization": tenant.get(ME, without("authorization")),
      "no X-Request-Signature": tenant.get(ME, without("x-request-signature")),
      "no X-Timestamp": tenant.get(ME, without("x-timestamp")),
      "no X-Nonce": tenant.get(ME, without("x-nonce")),
      "a wrong prefix": tenant.get(ME, { headers: { authorization: "sk_live_0" } }),
      "a stale timestamp": tenant.get(ME, { timestamp: String(seconds(harness.clock) - 31) }),
      "a used nonce": tenant.get(ME, { nonce }),
      "an unknown key": harness.clientOf(`svc_sk_live_${"A".repeat(43)}`, tenant.apiSecret).get(ME),
      "a wrong signature": harness.clientOf(tenant.apiKey, otherTenant.apiSecret).get(ME),
    };

    const responses = await Promise.all(Object.values(reasons));
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 9 }, () => 401));
    const [first, ...others] = responses.map(withoutRequestId);
    for (const other of others) expect(other).toEqual(first);
    expect(responses[0]?.body).toEqual({
      type: "/errors/authentication_failed",
      title: "Unauthorized",
      status: 401,
      detail: "Authentication failed.",
      code: "authentication_failed",
      request_id: responses[0]?.headers["x-request-id"],
      retryable: false,
      errors: [],
    });
  });

  it.each([
    ["Bearer before the key", (key: string) => `Bearer ${key}`],
    ["a key with one character too many", (key: string) => `${key}A`],
    ["a key with one character too few", (key: string) => key.slice(0, -1)],
    ["a key with the prefix of the other mode", (key: string) => key.replace("_live_", "_test_")],
    ["a secret instead of a key", (key: string) => key.replace("_sk_", "_ss_")],
    ["a key in capitals", (key: string) => key.toUpperCase()],
    ["a key with characters around it", (key: string) => `\t${key}x`],
  ])("401: %s", async (_case, change) => {
    const tenant = await harness.seedTenant();

    const response = await tenant.get(ME, { headers: { authorization: change(tenant.apiKey) } });

    expect(response.status).toBe(401);
  });

  it.each([
    [-31, 401],
    [-30, 200],
    [0, 200],
    [30, 200],
    [31, 401],
  ])("a timestamp %i s from the server's clock is %i", async (offset, status) => {
    const tenant = await harness.seedTenant();

    const timestamp = String(seconds(harness.clock) + offset);

    expect((await tenant.get(ME, { timestamp })).status).toBe(status);
  });

  it.each(["1e10", " 1795255200", "1795255200.0", "-1795255200", "0x6B02", "17952552000", "now"])(
    "401: the timestamp is %j",
    async (timestamp) => {
      const tenant = await harness.seedTenant();

      expect((await tenant.get(ME, { timestamp })).status).toBe(401);
    },
  );

  it.each([
    [401, "15 characters", "n".repeat(15)],
    [200, "16 characters", "n".repeat(16)],
    [200, "128 characters", "n".repeat(128)],
    [401, "129 characters", "n".repeat(129)],
    [401, "a space in it", "nonce with spaces in it"],
  ])("%i: the nonce has %s", async (status, _case, nonce) => {
    const tenant = await harness.seedTenant();

    expect((await tenant.get(ME, { nonce })).status).toBe(status);
  });

  it("401: a nonce is used again while the timestamp is valid", async () => {
    const tenant = await harness.seedTenant();
    for (const offset of [-30, -15, -1, 0, 1, 15, 29, 30]) {
      const nonce = randomUUID();
      const timestamp = String(seconds(harness.clock) + offset);
      const statuses = [];
      for (let second = 0; second <= 65; second += 1) {
        statuses.push((await tenant.get(ME, { timestamp, nonce })).status);
        harness.clock.advanceSeconds(1);
      }
      expect(statuses, `timestamp ${offset} s ahead`).toEqual([200, ...Array.from({ length: 65 }, () => 401)]);
    }
  });

  it("401: the nonce of a request with a wrong signature is used again", async () => {
    const tenant = await harness.seedTenant();
    const nonce = randomUUID();

    expect((await tenant.get(ME, { nonce, signature: "0".repeat(64) })).status).toBe(401);
    expect((await tenant.get(ME, { nonce })).status).toBe(401);
  });

  it("200: two developers use the same nonce", async () => {
    const [one, other] = [await harness.seedTenant(), await harness.seedTenant()];
    const nonce = randomUUID();

    expect((await one.get(ME, { nonce })).status).toBe(200);
    expect((await other.get(ME, { nonce })).status).toBe(200);
  });

  it("401: 19 of 20 concurrent requests with one nonce", async () => {
    const tenant = await harness.seedTenant();
    const nonce = randomUUID();

    const responses = await Promise.all(Array.from({ length: 20 }, () => tenant.get(ME, { nonce })));

    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(19);
  });

  it("200: the path is signed with or without its query; 401: any other path", async () => {
    const tenant = await harness.seedTenant();
    const path = "/audit/verify?chain=tenant";

    expect((await tenant.get(path)).status).toBe(200);
    expect((await tenant.get(path, { signedPath: `${PREFIX}/audit/verify` })).status).toBe(200);
    expect((await tenant.get(path, { signedPath: `${PREFIX}/audit/verify?chain=x` })).status).toBe(401);
    expect((await tenant.get(path, { signedPath: "/audit/verify" })).status).toBe(401);
  });

  it("401: one byte of the body is changed", async () => {
    const tenant = await harness.seedTenant();
    const signed = { timestamp: String(seconds(harness.clock)), method: "DELETE", path: "" };
    const path = "/developers/me/keys/key_none";
    const parts = { ...signed, path: PREFIX + path, bodyHash: sha256Hex("{}") };
    const signature = requestSignature(sha256Hex(tenant.apiSecret), parts).toString("hex");

    expect((await tenant.sendRaw("DELETE", path, "{ }", { signature })).status).toBe(401);
    expect((await tenant.sendRaw("DELETE", path, "{}", { signature })).status).toBe(404);
  });

  it("401: the signature is in capitals, too short, too long or not hexadecimal", async () => {
    const tenant = await harness.seedTenant();
    const timestamp = String(seconds(harness.clock));
    const parts = { timestamp, method: "GET", path: PREFIX + ME, bodyHash: sha256Hex("") };
    const good = requestSignature(sha256Hex(tenant.apiSecret), parts).toString("hex");
    const bad = [good.toUpperCase(), good.slice(1), `${good}0`, "z".repeat(64), "é".repeat(64), "{}"];

    for (const signature of bad) {
      expect((await tenant.get(ME, { timestamp, signature })).status, signature).toBe(401);
    }
    expect((await tenant.get(ME, { timestamp, signature: good })).status).toBe(200);
  });

  it("401: signing headers with an invalid dashboard token", async () => {
    const tenant = await harness.seedTenant();
    const headers = { authorization: "Bearer a.b.c", "x-svc-mode": "live" };

    expect((await tenant.get(ME, { headers })).status).toBe(401);
    const { "x-svc-mode": _mode, ...withoutMode } = headers;
    expect((await tenant.get(ME, { headers: withoutMode })).status).toBe(401);
  });

  it("429: the key's bucket is empty; 200 after Retry-After", async () => {
    const tenant = await harness.seedTenant({ rateLimitPerMinute: 5 });

    const responses = await Promise.all(Array.from({ length: 8 }, () => tenant.get(ME)));

    const limited = responses.filter(({ status }) => status === 429);
    expect(limited).toHaveLength(3);
    expect(limited[0]).toMatchObject({
      body: { code: "rate_limited", retryable: true },
      headers: { "ratelimit-limit": "5", "ratelimit-remaining": "0" },
    });
    const retryAfterSeconds = Number(limited[0]?.headers["retry-after"]);
    expect([12, 13]).toContain(retryAfterSeconds);
    harness.clock.advanceSeconds(retryAfterSeconds - 2);
    expect((await tenant.get(ME)).status).toBe(429);
    harness.clock.advanceSeconds(2);
    expect((await tenant.get(ME)).status).toBe(200);
    expect((await tenant.get(ME)).status).toBe(429);
  });

  it("200: requests with a wrong signature do not take tokens from the key's bucket", async () => {
    const tenant = await harness.seedTenant({ rateLimitPerMinute: 2 });
    const forger = harness.clientOf(tenant.apiKey, "svc_ss_live_guess");

    for (let attempt = 0; attempt < 10; attempt += 1) await forger.get(ME);

    expect((await tenant.get(ME)).headers["ratelimit-remaining"]).toBe("1");
  });

  it("401: the key was revoked before the request", async () => {
    const tenant = await harness.seedTenant();
    const revokedKey = await harness.seedKey(tenant.tenantId);
    expect((await revokedKey.get(ME)).status).toBe(200);

    const revoked = await tenant.delete(`/developers/me/keys/${revokedKey.keyId}`);

    expect(revoked).toMatchObject({ status: 200, body: { status: "revoked" } });
    expect((await revokedKey.get(ME)).status).toBe(401);
  });

  it("401: the account was suspended a minute ago; the key's epoch is unchanged", async () => {
    const tenant = await harness.seedTenant();
    expect((await tenant.get(ME)).status).toBe(200);
    await run(
      harness.database.superuserUrl,
      `update developers set status = 'suspended' where tenant_id = '${tenant.tenantId}'`,
    );

    harness.clock.advanceSeconds(60);
    expect((await tenant.get(ME)).status).toBe(401);
  });

  it("200: a suspended account has been active again for a minute", async () => {
    const tenant = await harness.seedTenant();
    const setStatus = (status: string) =>
      run(
        harness.database.superuserUrl,
        `update developers set status = '${status}' where tenant_id = '${tenant.tenantId}'`,
      );

    await setStatus("suspended");
    expect((await tenant.get(ME)).status).toBe(401);
    await setStatus("active");
    harness.clock.advanceSeconds(60);
    expect((await tenant.get(ME)).status).toBe(200);
  });

  it("401: the key's grace period is over; before it, 200 with X-Svc-Key-Expires", async () => {
    const tenant = await harness.seedTenant();
    const graceExpiresAt = new Date(harness.clock.now().getTime() + 10_000);
    const old = await harness.seedKey(tenant.tenantId, { graceExpiresAt });

    harness.clock.advanceSeconds(9);
    expect(await old.get(ME)).toMatchObject({
      status: 200,
      headers: { "x-svc-key-expires": graceExpiresAt.toISOString() },
    });
    harness.clock.advanceSeconds(1);
    expect((await old.get(ME)).status).toBe(401);
  });

  it("401: the client is not in a network of the key's ip_allowlist", async () => {
    const tenant = await harness.seedTenant();
    const inside = await harness.seedKey(tenant.tenantId, { ipAllowlist: ["127.0.0.0/8"] });
    const outside = await harness.seedKey(tenant.tenantId, {
      ipAllowlist: ["203.0.113.0/24", "::/0"],
    });

    expect((await inside.get(ME)).status).toBe(200);
    expect((await outside.get(ME)).status).toBe(401);
  });
});

describe("a repeated signing header", () => {
  const harness = useHarness();

  it.each(["Authorization", "X-Request-Signature", "X-Timestamp", "X-Nonce"])("401: %s", async (name) => {
    const tenant = await harness.seedTenant();
    await harness.server.listen({ host: "127.0.0.1", port: 0 }).catch(() => {});
    const address = harness.server.server.address();
    if (address === null || typeof address === "string") throw new Error("no port");
    const timestamp = String(seconds(harness.clock));
    const parts = { timestamp, method: "GET", path: PREFIX + ME, bodyHash: sha256Hex("") };
    const headers: [string, string][] = [
      ["Authorization", tenant.apiKey],
      ["X-Timestamp", timestamp],
      ["X-Nonce", randomUUID()],
      ["X-Request-Signature", requestSignature(sha256Hex(tenant.apiSecret), parts).toString("hex")],
    ];
    const twice = headers.filter(([header]) => header === name);

    expect(await statusOf(address.port, headers)).toBe(200);
    const fresh = headers.map(([header, value]): [string, string] => [
      header,
      header === "X-Nonce" ? randomUUID() : value,
    ]);
    expect(await statusOf(address.port, [...fresh, ...twice])).toBe(401);
  });

  function statusOf(port: number, headers: readonly [string, string][]): Promise<number> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, "127.0.0.1", () => {
        const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
        socket.write(`GET ${PREFIX}${ME} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${lines}\r\n`);
      });
      let text = "";
      socket.on("data", (chunk) => {
        text += chunk;
      });
      socket.on("end", () => resolve(Number(text.slice(9, 12))));
      socket.on("error", reject);
    });
  }
});

describe("a signed request while the fast state does not answer", () => {
  const failing = () => Promise.reject(new Error("connection lost"));
  const harness = useHarness({
    settings: { storeTimeoutMs: 200 },
    replace: ({ fastState }) => ({
      fastState: Object.assign(Object.create(fastState), {
        close: () => fastState.close(),
        admit: (request: AdmissionRequest) => (request.nonce.startsWith("fail") ? failing() : new Promise(() => {})),
      }),
    }),
  });

  it.each(["fail", "hang"])("503: calls to the fast state %s", async (how) => {
    const tenant = await harness.seedTenant();
    const startedAt = performance.now();

    const response = await tenant.get(ME, { nonce: `${how}-${randomUUID()}` });

    expect(response.status).toBe(503);
    expect(response.body).toMatchObject({ code: "service_unavailable", retryable: true });
    expect(response.headers["retry-after"]).toBe("1");
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });
});

describe("the limit on a network's rejected requests", () => {
  const harness = useHarness({ settings: { failuresPerMinute: 10 } });

  it("429: the network exceeded the limit; 200 two minutes later", async () => {
    const tenant = await harness.seedTenant();
    const forged = () => tenant.get(ME, { signature: "0".repeat(64) });
    for (let attempt = 0; attempt < 10; attempt += 1) expect((await forged()).status).toBe(401);

    expect((await forged()).status).toBe(429);
    expect(await tenant.get(ME)).toMatchObject({ status: 429, headers: { "retry-after": "60" } });
    harness.clock.advanceSeconds(121);
    expect((await tenant.get(ME)).status).toBe(200);
  });

  it("429: too many 422s of public routes; 422s of authenticated requests do not count", async () => {
    harness.clock.advanceSeconds(180);
    const tenant = await harness.seedTenant();
    const login = () => harness.send({ method: "POST", url: `${PREFIX}/developers/login`, payload: { a: 1 } });
    for (let attempt = 0; attempt < 10; attempt += 1) {
      expect((await tenant.post("/projects", { a: 1 })).status).toBe(422);
    }
    for (let attempt = 0; attempt < 10; attempt += 1) expect((await login()).status).toBe(422);

    expect((await login()).status).toBe(429);
    expect((await tenant.get(ME)).status).toBe(429);
  });

  it("200: 405s do not count", async () => {
    harness.clock.advanceSeconds(180);
    const tenant = await harness.seedTenant();

    for (let attempt = 0; attempt < 30; attempt += 1) {
      expect((await tenant.get("/developers/me/keys/none")).status).toBe(405);
    }
    expect((await tenant.get(ME)).status).toBe(200);
  });
});
