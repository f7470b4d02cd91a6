import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { accountsOf } from "../../../../../test/accounts.ts";
import { PREFIX, useHarness } from "../../../../../test/harness.ts";
import { seedSession } from "../../../../../test/seeds.ts";
import { newKeyPair } from "../../../../crypto/api-keys.ts";
import { withTransaction } from "../../../../db/transaction.ts";
import { purgeExpiredRows } from "../../../../due-work/retention/purge-expired-rows.ts";
import { writeAuthFailures } from "../../../../modules/developers/auth-failures/write-auth-failures.ts";
import { apiKeyRows } from "../../../../modules/developers/keys/queries.ts";

const FAILURES = "/developers/me/auth-failures";
const ME = "/developers/me";

describe("GET /developers/me/auth-failures", () => {
  const harness = useHarness();
  const { query } = accountsOf(harness);
  const stamp = (aheadSeconds: number) => String(Math.floor(harness.clock.now().getTime() / 1000) + aheadSeconds);
  const WRONG = { signature: "0".repeat(64) };

  type Client = Awaited<ReturnType<typeof harness.seedKey>>;

  /** Creates a developer with two keys: one to list failures, and one for requests that are rejected. */
  async function arrange(seed = {}) {
    const tenant = await harness.seedTenant();
    return { tenant, key: await harness.seedKey(tenant.tenantId, seed) };
  }

  const failuresOf = async (client: Pick<Client, "get">, search = "") => {
    const { status, body } = await client.get(FAILURES + search);
    expect(status).toBe(200);
    return body.data;
  };

  /**
   * Sends a request with a wrong signature from the given IP address. The harness's signing clients cannot choose an IP
   * address.
   */
  const refusedFrom = (remoteAddress: string, apiKey: string) =>
    harness.send({
      method: "GET",
      url: PREFIX + ME,
      remoteAddress,
      headers: {
        authorization: apiKey,
        "x-nonce": randomUUID(),
        "x-timestamp": stamp(0),
        "x-request-signature": WRONG.signature,
      },
    });

  it("200: a rejected request with its time, step, skew, network and request id", async () => {
    const { tenant, key } = await arrange();
    const refused = await key.get(ME, { timestamp: stamp(-45) });

    expect(refused.status).toBe(401);
    const { body } = await tenant.get(FAILURES);

    expect(body).toEqual({
      object: "list",
      data: [
        {
          object: "auth_failure",
          key_id: key.keyId,
          mode: "live",
          step: 2,
          reason: "timestamp_skewed",
          skew_seconds: -45,
          network: "127.0.0.1",
          count: 1,
          first_at: harness.clock.now().toISOString(),
          occurred_at: harness.clock.now().toISOString(),
          request_id: refused.body.request_id,
        },
      ],
      has_more: false,
      next_cursor: null,
    });
  });

  it.each(["x-timestamp", "x-nonce", "x-request-signature"])(
    "200: a request without %s is not a wrong clock or signature, but a missing header",
    async (missing) => {
      const { tenant, key } = await arrange();
      const headers: Record<string, string> = {
        authorization: key.apiKey,
        "x-nonce": randomUUID(),
        "x-timestamp": stamp(0),
        "x-request-signature": WRONG.signature,
      };
      delete headers[missing];

      expect((await harness.send({ method: "GET", url: PREFIX + ME, headers })).status).toBe(401);

      expect(await failuresOf(tenant)).toMatchObject([
        { key_id: key.keyId, reason: "header_missing", step: 1, skew_seconds: null },
      ]);
    },
  );

  it.each([
    ["no mode", {}],
    ["an unknown mode", { "x-svc-mode": "prod" }],
  ])("200: a dashboard token with %s, which live keys and sessions see", async (_name, mode) => {
    const { tenant } = await arrange();
    const test = await harness.seedKey(tenant.tenantId, { mode: "test" });
    const stranger = await harness.seedTenant();
    const { accessToken } = await seedSession(harness.app, tenant.tenantId);
    const send = (headers: Record<string, string>) => harness.send({ method: "GET", url: PREFIX + ME, headers });

    const refused = await send({ authorization: `Bearer ${accessToken}`, ...mode });
    await send({ authorization: `Bearer ${accessToken}`, ...mode });
    await send({ authorization: "Bearer a.b.c", ...mode });
    await send(mode);

    expect(refused).toMatchObject({ status: 401, body: { code: "authentication_failed" } });
    expect(await failuresOf(tenant)).toMatchObject([
      { key_id: null, mode: "live", reason: "mode_missing", step: 1, skew_seconds: null, count: 2 },
    ]);
    expect(await failuresOf(test)).toEqual([]);
    expect(await failuresOf(stranger)).toEqual([]);
  });

  it.each<[string, number, object, (key: Client, tenant: Client) => Promise<unknown>]>([
    ["timestamp_skewed", 2, {}, (key) => key.get(ME, { timestamp: "now" })],
    ["timestamp_skewed", 2, {}, (key) => key.get(ME, { timestamp: stamp(31) })],
    ["nonce_malformed", 3, {}, (key) => key.get(ME, { nonce: "short" })],
    [
      "nonce_replayed",
      3,
      {},
      async (key) => {
        await key.get(ME, { nonce: "the-very-same-nonce" });
        await key.get(ME, { nonce: "the-very-same-nonce" });
      },
    ],
    ["signature_mismatch", 5, {}, (key) => key.get(ME, WRONG)],
    ["network_not_allowed", 4, { ipAllowlist: ["203.0.113.0/24"] }, (key) => key.get(ME)],
    ["key_expired", 4, { expiresAt: new Date("2026-11-21T10:00:00Z") }, (key) => key.get(ME)],
    ["key_expired", 4, { expiresAt: new Date("2026-11-21T10:00:00Z") }, (key) => key.get(ME, WRONG)],
    [
      "key_revoked",
      4,
      {},
      async (key, tenant) => {
        await key.get(ME);
        await tenant.delete(`/developers/me/keys/${key.keyId}`);
        await key.get(ME);
      },
    ],
    [
      "key_revoked",
      4,
      {},
      async (key, tenant) => {
        await tenant.delete(`/developers/me/keys/${key.keyId}`);
        await key.get(ME);
      },
    ],
  ])("200: %s is step %i", async (reason, step, seed, refuse) => {
    const { tenant, key } = await arrange(seed);

    await refuse(key, tenant);

    expect(await failuresOf(tenant)).toMatchObject([{ key_id: key.keyId, reason, step, count: 1 }]);
  });

  it("200: merges requests with the same reason within a minute, even if they are written separately", async () => {
    const { tenant, key } = await arrange();
    const first = harness.clock.now().toISOString();
    await key.get(ME, WRONG);
    await writeAuthFailures(harness.app);
    harness.clock.advanceSeconds(59);
    await key.get(ME, WRONG);
    await key.get(ME, { nonce: "short" });
    const last = await key.get(ME, WRONG);
    harness.clock.advanceSeconds(1);
    const next = harness.clock.now().toISOString();
    await key.get(ME, WRONG);

    expect(await failuresOf(tenant)).toMatchObject([
      { reason: "signature_mismatch", count: 1, first_at: next, occurred_at: next },
      expect.anything(),
      expect.anything(),
    ]);
    expect(await failuresOf(tenant)).toContainEqual(
      expect.objectContaining({
        reason: "signature_mismatch",
        count: 3,
        first_at: first,
        request_id: last.body.request_id,
      }),
    );
  });

  it("200: pages, newest first", async () => {
    const { tenant, key } = await arrange();
    for (let made = 0; made < 5; made += 1) {
      await key.get(ME, WRONG);
      await key.get(ME, { nonce: "short" });
      harness.clock.advanceSeconds(60);
    }
    const whole = await failuresOf(tenant);

    const pages = [];
    let cursor = "";
    do {
      const { body } = await tenant.get(`${FAILURES}?limit=3${cursor}`);
      pages.push(body.data);
      cursor = body.has_more ? `&cursor=${body.next_cursor}` : "";
    } while (cursor !== "");

    expect(pages.map(({ length }) => length)).toEqual([3, 3, 3, 1]);
    expect(pages.flat()).toEqual(whole);
    const times = whole.map(({ occurred_at }: { occurred_at: string }) => occurred_at);
    expect(times).toEqual([...times].sort().reverse());
  });

  it("200: only the tenant's own failures of the caller's modes, and none of unknown keys", async () => {
    const { tenant, key } = await arrange();
    const test = await harness.seedKey(tenant.tenantId, { mode: "test" });
    const otherTenant = await harness.seedTenant();
    const unknownKey = newKeyPair("live");
    await key.get(ME, WRONG);
    await test.get(ME, WRONG);
    await harness.clientOf(unknownKey.apiKey, unknownKey.apiSecret).get(ME);
    await harness.clientOf("svc_sk_live_short", unknownKey.apiSecret).get(ME);

    expect(await failuresOf(otherTenant)).toEqual([]);
    expect(await failuresOf(test)).toMatchObject([{ key_id: test.keyId, mode: "test" }]);
    const own = await failuresOf(tenant);
    expect(own.map(({ key_id }: { key_id: string }) => key_id).sort()).toEqual([key.keyId, test.keyId].sort());
    expect(harness.app.authFailures.size).toBe(0);
  });

  it("200: networks after the first 50 of a minute are counted as `other`", async () => {
    const { tenant, key } = await arrange();
    for (let host = 1; host <= 60; host += 1) await refusedFrom(`198.51.100.${host}`, key.apiKey);
    await writeAuthFailures(harness.app);
    await refusedFrom("198.51.100.1", key.apiKey);
    await refusedFrom("203.0.113.1", key.apiKey);

    const own = await failuresOf(tenant, "?limit=100");

    expect(own).toHaveLength(51);
    expect(own).toContainEqual(expect.objectContaining({ network: "other", count: 11 }));
    expect(own).toContainEqual(expect.objectContaining({ network: "198.51.100.1", count: 2 }));
  });

  it("sends at most one event per hour when 50 requests with a key are rejected within a minute", async () => {
    const { tenant, key } = await arrange();
    const refuse = async (times: number) => {
      for (let made = 0; made < times; made += 1) await key.get(ME, WRONG);
      await writeAuthFailures(harness.app);
    };
    const spikeEvents = () =>
      query(
        "select subject_id, data, actor->>'type' as actor from events where tenant_id = $1 and type = 'api_key.auth_failures_spike'",
        [tenant.tenantId],
      );

    await refuse(49);
    expect(await spikeEvents()).toEqual([]);
    await refuse(1);
    const first = await spikeEvents();
    expect(first).toEqual([
      {
        subject_id: key.keyId,
        data: { key_id: key.keyId, name: "test", mode: "live", count: 50 },
        actor: "system",
      },
    ]);
    harness.clock.advanceSeconds(60);
    await refuse(50);
    expect(await spikeEvents()).toEqual(first);
    harness.clock.advanceSeconds(3_600);
    await refuse(50);
    expect(await spikeEvents()).toHaveLength(2);
  });

  it("writes failures once, after an outage of the database", async () => {
    const { tenant, key } = await arrange();
    await key.get(ME, WRONG);
    await query("alter table auth_failures rename to auth_failures_away");
    await writeAuthFailures(harness.app);
    await key.get(ME, WRONG);
    await query("alter table auth_failures_away rename to auth_failures");

    expect(await failuresOf(tenant)).toMatchObject([{ reason: "signature_mismatch", count: 2 }]);
  });

  it("deletes failures after 30 days", async () => {
    const { tenant, key } = await arrange();
    await key.get(ME, WRONG);
    expect(await failuresOf(tenant)).toHaveLength(1);

    harness.clock.advanceSeconds(30 * 86_400);
    await purgeExpiredRows(harness.app);
    expect(await failuresOf(tenant)).toHaveLength(1);
    harness.clock.advanceSeconds(1);
    await purgeExpiredRows(harness.app);
    expect(await failuresOf(tenant)).toEqual([]);
  });

  it("401: the response is the same for every reason, except for its request id", async () => {
    const { key } = await arrange();
    const answers = [
      await key.get(ME, { timestamp: stamp(-45) }),
      await key.get(ME, { nonce: "short" }),
      await key.get(ME, WRONG),
    ].map(({ status, body: { request_id, ...body }, headers }) => {
      const { "x-request-id": id, date, ...rest } = headers;
      return { status, body, headers: rest };
    });

    expect(answers[0]).toMatchObject({ status: 401 });
    expect(answers).toEqual([answers[0], answers[0], answers[0]]);
  });

  it.each(["?cursor=abc", "?limit=0", "?limit=101", "?key_id=key_1"])("422: %s", async (search) => {
    const { tenant } = await arrange();

    expect((await tenant.get(FAILURES + search)).status).toBe(422);
  });
});

describe("GET /developers/me/auth-failures under the strict replay guard", () => {
  const harness = useHarness({ settings: { replayGuard: "strict" } });

  const key = "0b1f6a3e-6f0e-4a53-9d5b-0a6f1f6f2a11";

  it.each([
    ["without an Idempotency-Key", {}, {}],
    ["without the first Idempotency-Key", { "idempotency-key": key }, {}],
    ["whose response is no longer stored", { "idempotency-key": key }, { "idempotency-key": key }],
  ])("200: a replayed signature %s", async (_case, first, second) => {
    const tenant = await harness.seedTenant();
    const timestamp = String(Math.floor(harness.clock.now().getTime() / 1000));
    await tenant.post("/projects", { name: "Once" }, { headers: first, timestamp });
    await withTransaction(harness.app.db, tenant.tenantId, (tx) => tx.deleteFrom("idempotencyRecords").execute());
    const replay = await tenant.post("/projects", { name: "Once" }, { headers: second, timestamp });

    expect(replay.status).toBe(409);
    const { body } = await tenant.get(FAILURES);

    expect(body.data).toMatchObject([
      { key_id: tenant.keyId, reason: "signature_replayed", step: 5, skew_seconds: null },
    ]);
  });

  it("200: a key that was revoked during its request has not replayed a signature", async () => {
    const tenant = await harness.seedTenant();
    const caller = await harness.seedKey(tenant.tenantId);
    await caller.get(ME);
    // Simulates a revocation that this process has not seen yet: the row changes, but the key remains cached.
    const name = { tenantId: tenant.tenantId, keyId: caller.keyId as `key_${string}` };
    const revoked = { revokedAt: harness.clock.now() };
    await withTransaction(harness.app.db, tenant.tenantId, (tx) => apiKeyRows.update(tx, name, revoked));

    expect((await caller.post("/developers/me/keys", { name: "late" })).status).toBe(401);
    expect((await tenant.get(FAILURES)).body.data).toEqual([]);
  });
});
