import { generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { describe, expect, it } from "vitest";
import { accountsOf } from "../../../../../test/accounts.ts";
import { failingFastState } from "../../../../../test/fast-state/failing-fast-state.ts";
import { type ApiResponse, useHarness } from "../../../../../test/harness.ts";
import { runDueWork } from "../../../../due-work/run-due-work.ts";
import { notifyGraceEndings } from "../../../../modules/developers/keys/notify-grace-endings.ts";

const ME = "/developers/me";
const KEYS = "/developers/me/keys";
const DAY_SECONDS = 86_400;

describe("POST /developers/me/keys/{key_id}/rotate", () => {
  const store = failingFastState();
  const harness = useHarness({ replace: store.replace });
  const { query } = accountsOf(harness);

  const rotation = (keyId: string) => `${KEYS}/${keyId}/rotate`;
  const clientOf = ({ body }: ApiResponse) => harness.clientOf(body.api_key, body.api_secret);
  const after = (seconds: number) => new Date(harness.clock.now().getTime() + seconds * 1000).toISOString();

  /**
   * Creates a developer with two keys. The first key signs the requests. The second key, `old`, has been used once and
   * can be rotated.
   */
  async function arrange(seed = {}) {
    const tenant = await harness.seedTenant();
    const old = await harness.seedKey(tenant.tenantId, seed);
    await old.get(ME);
    return { tenant, old, path: rotation(old.keyId) };
  }

  const entryOf = async (tenant: { get(path: string): Promise<ApiResponse> }, keyId: string) => {
    const { body } = await tenant.get(KEYS);
    return body.data.find((entry: { key_id: string }) => entry.key_id === keyId);
  };

  it("200: a successor with the same permissions; the old key is rotating", async () => {
    const { tenant, old, path } = await arrange({
      mode: "test",
      scopes: ["projects:read", "keys:read"],
      ipAllowlist: ["127.0.0.0/8"],
      rateLimitPerMinute: 50,
    });
    const before = await entryOf(tenant, old.keyId);

    const rotated = await tenant.post(path);

    expect(rotated.status).toBe(200);
    expect(rotated.body).toEqual({
      key: {
        ...before,
        key_id: expect.stringMatching(/^key_/),
        key_hint: `…${rotated.body.api_key.slice(-4)}`,
        last_used_at: null,
        last_used_ip: null,
        rotated_from: old.keyId,
      },
      api_key: expect.stringMatching(/^svc_sk_test_[\w-]{43}$/),
      api_secret: expect.stringMatching(/^svc_ss_test_[\w-]{64}$/),
      previous_key: {
        key_id: old.keyId,
        status: "rotating",
        grace_expires_at: after(DAY_SECONDS),
      },
    });
    expect(await entryOf(tenant, old.keyId)).toMatchObject({
      status: "rotating",
      replaced_by: rotated.body.key.key_id,
      grace_expires_at: after(DAY_SECONDS),
      revoked_at: null,
    });
    expect((await clientOf(rotated).get(ME)).status).toBe(200);
  });

  it("200: responses in the grace period have X-Svc-Key-Expires; 401 after it", async () => {
    const { tenant, old, path } = await arrange();
    const grace = after(DAY_SECONDS);
    await tenant.post(path);

    expect(await old.get(ME)).toMatchObject({
      status: 200,
      headers: { "x-svc-key-expires": grace },
    });
    harness.clock.advanceSeconds(DAY_SECONDS - 1);
    expect((await old.get(ME)).status).toBe(200);
    harness.clock.advanceSeconds(2);
    expect((await old.get(ME)).status).toBe(401);
    expect(await entryOf(tenant, old.keyId)).toMatchObject({ status: "expired" });
  });

  it.each([
    [{ grace_period_seconds: 0 }, "rotated"],
    [{ reason: "compromised" }, "compromised"],
    [{ reason: "compromised", grace_period_seconds: 604_800 }, "compromised"],
    [{ reason: "personnel", grace_period_seconds: 0 }, "personnel"],
  ])("200: %j ends the old key immediately (%s)", async (body, revokeReason) => {
    const { tenant, old, path } = await arrange();

    const rotated = await tenant.post(path, body);

    expect(rotated.body.previous_key).toEqual({
      key_id: old.keyId,
      status: "revoked",
      grace_expires_at: null,
    });
    expect((await old.get(ME)).status).toBe(401);
    expect(await entryOf(tenant, old.keyId)).toMatchObject({
      status: "revoked",
      revoke_reason: revokeReason,
      replaced_by: rotated.body.key.key_id,
    });
  });

  it("200: a grace period of up to a week, which ends with the key's own expiry", async () => {
    const { tenant, path } = await arrange();
    const expiring = await harness.seedKey(tenant.tenantId, {
      expiresAt: new Date(after(3 * DAY_SECONDS)),
    });
    const week = { grace_period_seconds: 604_800 };

    const long = await tenant.post(path, week);
    const short = await tenant.post(rotation(expiring.keyId), week);

    expect(long.body.previous_key.grace_expires_at).toBe(after(7 * DAY_SECONDS));
    expect(short.body.previous_key.grace_expires_at).toBe(after(3 * DAY_SECONDS));
    expect(short.body.key.expires_at).toBe(after(3 * DAY_SECONDS));
    harness.clock.advanceSeconds(3 * DAY_SECONDS);
    expect((await clientOf(short).get(ME)).status).toBe(401);
  });

  it("200: after five rotations the last two keys work", async () => {
    const { tenant, old } = await arrange();
    const chain = [{ keyId: old.keyId, client: old as ReturnType<typeof harness.clientOf> }];
    for (let step = 0; step < 5; step += 1) {
      const rotated = await tenant.post(rotation(chain.at(-1)?.keyId ?? ""));
      chain.push({ keyId: rotated.body.key.key_id, client: clientOf(rotated) });
      await chain.at(-1)?.client.get(ME);
      harness.clock.advanceSeconds(1);
    }

    const statuses = [];
    for (const { client } of chain) statuses.push((await client.get(ME)).status);

    expect(statuses).toEqual([401, 401, 401, 401, 200, 200]);
    expect(await entryOf(tenant, chain[3]?.keyId ?? "")).toMatchObject({
      status: "revoked",
      revoke_reason: "superseded",
    });
  });

  it("200: revoking a key also revokes its predecessor, but not its successor", async () => {
    const { tenant, old, path } = await arrange();
    const rotated = await tenant.post(path);

    await tenant.delete(`${KEYS}/${rotated.body.key.key_id}`);
    expect((await old.get(ME)).status).toBe(401);

    const other = await harness.seedKey(tenant.tenantId);
    const successor = clientOf(await tenant.post(rotation(other.keyId)));
    await tenant.delete(`${KEYS}/${other.keyId}`);
    expect((await other.get(ME)).status).toBe(401);
    expect((await successor.get(ME)).status).toBe(200);
  });

  it("200: a key rotates itself; in its grace period it cannot change keys", async () => {
    const { tenant, old, path } = await arrange();

    const rotated = await old.post(path);
    const newKeyId = rotated.body.key.key_id;

    expect(rotated.status).toBe(200);
    const tries = [
      old.post(KEYS, { name: "another" }),
      old.post(rotation(newKeyId)),
      old.delete(`${KEYS}/${newKeyId}`),
      old.delete(`${KEYS}/${old.keyId}`),
    ];
    for (const answer of await Promise.all(tries)) {
      expect(answer).toMatchObject({ status: 403, body: { code: "insufficient_scope" } });
    }
    expect((await old.get(KEYS)).status).toBe(200);
    expect(await entryOf(tenant, newKeyId)).toMatchObject({ status: "active" });
  });

  it("200: an Ed25519 key keeps its public key or gets a new one with a valid proof, which `compromised` requires", async () => {
    const tenant = await harness.seedTenant();
    const first = ed25519Of(tenant.tenantId);
    const second = ed25519Of(tenant.tenantId);
    const { body } = await tenant.post(KEYS, { name: "ed", signature_alg: "ed25519", ...first });

    const unchanged = await tenant.post(rotation(body.key_id));
    const changed = await tenant.post(rotation(unchanged.body.key.key_id), second);
    const compromised = rotation(changed.body.key.key_id);
    const refused = [
      await tenant.post(compromised, { reason: "compromised" }),
      await tenant.post(compromised, { reason: "compromised", ...second }),
      await tenant.post(compromised, { ...first, proof: second.proof }),
      await tenant.post(compromised, { public_key: first.public_key }),
      await tenant.post(rotation(tenant.keyId), first),
    ];
    const renewed = await tenant.post(compromised, { reason: "compromised", ...first });

    for (const { body: entry } of [unchanged, changed, renewed]) {
      expect(entry).toMatchObject({ api_secret: null, key: { signature_alg: "ed25519" } });
    }
    expect(
      await query("select public_key from api_keys where tenant_id = $1 and public_key is not null order by key_id", [
        tenant.tenantId,
      ]),
    ).toEqual([first, first, second, first].map(({ public_key }) => ({ public_key })));
    expect(refused.map(({ status, body: { errors } }) => [status, errors[0].pointer])).toEqual([
      [422, "/body/public_key"],
      [422, "/body/public_key"],
      [422, "/body/proof"],
      [422, "/body/proof"],
      [422, "/body/public_key"],
    ]);
  });

  it("200: audit entries and events of created, rotated and revoked keys", async () => {
    const { tenant, old, path } = await arrange({ mode: "test" });

    const first = await tenant.post(path, { reason: "personnel" });
    const second = await tenant.post(rotation(first.body.key.key_id), { grace_period_seconds: 0 });

    const keyIds = [old.keyId, first.body.key.key_id, second.body.key.key_id];
    const expected = [
      ["api_key.rotated", keyIds[0]],
      ["api_key.created", keyIds[1]],
      ["api_key.revoked", keyIds[0]],
      ["api_key.rotated", keyIds[1]],
      ["api_key.revoked", keyIds[1]],
      ["api_key.created", keyIds[2]],
    ];
    const events = await query(
      "select type, mode, subject_id, data from events where tenant_id = $1 order by event_id",
      [tenant.tenantId],
    );
    expect(events.map(({ type, subject_id }) => [type, subject_id])).toEqual(expected);
    expect(events.every(({ mode }) => mode === "test")).toBe(true);
    expect(events[0]?.data).toEqual({
      key_id: old.keyId,
      name: "test",
      mode: "test",
      reason: "personnel",
      replaced_by: keyIds[1],
      grace_expires_at: after(DAY_SECONDS),
    });
    const entries = await query(
      "select action, subject->>'id' as id from audit_entries where tenant_id = $1 order by audit_id",
      [tenant.tenantId],
    );
    expect(entries.map(({ action, id }) => [action, id])).toEqual(expected);
  });

  it("sends an event once, an hour before a grace period ends; none for a revoked key or a short grace period", async () => {
    const { tenant, old, path } = await arrange();
    const ended = await harness.seedKey(tenant.tenantId);
    const brief = await harness.seedKey(tenant.tenantId);
    const { body } = await tenant.post(path);
    await tenant.post(rotation(ended.keyId));
    await tenant.post(rotation(brief.keyId), { grace_period_seconds: 3_600 });
    await tenant.delete(`${KEYS}/${ended.keyId}`);
    const grace = after(DAY_SECONDS);
    const graceEvents = async () => {
      const notify = () => runDueWork(harness.app, notifyGraceEndings);
      await Promise.all([notify(), notify()]);
      return query("select subject_id, data from events where tenant_id = $1 and type = 'api_key.grace_ending'", [
        tenant.tenantId,
      ]);
    };

    expect(await graceEvents()).toEqual([]);
    harness.clock.advanceSeconds(DAY_SECONDS - 3_601);
    expect(await graceEvents()).toEqual([]);
    harness.clock.advanceSeconds(1);
    const expected = await graceEvents();

    expect(expected).toEqual([
      {
        subject_id: old.keyId,
        data: {
          key_id: old.keyId,
          name: "test",
          mode: "live",
          replaced_by: body.key.key_id,
          grace_expires_at: grace,
        },
      },
    ]);
    harness.clock.advanceSeconds(DAY_SECONDS);
    expect(await graceEvents()).toEqual(expected);
  });

  it("404: a live key for a test caller, a key of another developer, and an unknown key", async () => {
    const { tenant, path } = await arrange();
    const test = await harness.seedKey(tenant.tenantId, { mode: "test" });
    const otherTenant = await harness.seedTenant();

    for (const caller of [test, otherTenant]) {
      expect(await caller.post(path)).toMatchObject({
        status: 404,
        body: { code: "api_key_not_found" },
      });
    }
    expect((await tenant.post(rotation("key_none"))).status).toBe(404);
    expect((await test.post(rotation(test.keyId))).status).toBe(200);
  });

  it("409: the key was replaced, revoked or has expired", async () => {
    const { tenant, path } = await arrange();
    const revoked = await harness.seedKey(tenant.tenantId);
    await tenant.delete(`${KEYS}/${revoked.keyId}`);
    const ended = await harness.seedKey(tenant.tenantId, { expiresAt: harness.clock.now() });
    const successor = await tenant.post(path);

    for (const again of [path, rotation(revoked.keyId), rotation(ended.keyId)]) {
      expect(await tenant.post(again)).toMatchObject({ status: 409, body: { code: "conflict" } });
    }
    expect((await tenant.post(path)).body.detail).toContain(successor.body.key.key_id);
  });

  it("409: all but one of 20 concurrent rotations", async () => {
    const { tenant, path } = await arrange();

    const answers = await Promise.all(Array.from({ length: 20 }, () => tenant.post(path)));

    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 19 }, () => 409)]);
    const successors = await query(
      "select count(*)::int as count from api_keys where tenant_id = $1 and rotated_from is not null",
      [tenant.tenantId],
    );
    expect(successors).toEqual([{ count: 1 }]);
  });

  it("409: a repeated Idempotency-Key does not show the secret and creates no second successor", async () => {
    const { tenant, path } = await arrange();
    const headers = { "idempotency-key": randomUUID() };
    const first = await tenant.post(path, {}, { headers });

    expect(first.status).toBe(200);
    expect(await tenant.post(path, {}, { headers })).toMatchObject({
      status: 409,
      body: { code: "secret_already_issued" },
    });
    expect((await tenant.get(KEYS)).body.data).toHaveLength(3);
    const records = await query("select to_jsonb(r)::text as row from idempotency_records r");
    expect(records.some(({ row }) => row.includes(headers["idempotency-key"]))).toBe(true);
    expect(JSON.stringify(records)).not.toMatch(/svc_s[ks]_/);
  });

  it("403: the key has more permissions than the caller", async () => {
    const { old, tenant, path } = await arrange();
    const callers = [
      await harness.seedKey(tenant.tenantId, { scopes: ["keys:write"] }),
      await harness.seedKey(tenant.tenantId, { ipAllowlist: ["127.0.0.1/32"] }),
      await harness.seedKey(tenant.tenantId, { expiresAt: new Date(after(60)) }),
      await harness.seedKey(tenant.tenantId, { scopes: ["keys:read"] }),
      await harness.seedKey(tenant.tenantId, {
        projectIds: ["proj_00000000000000000000000000"],
      }),
      await harness.seedKey(tenant.tenantId, {
        agentIds: ["6f1c2f9e-4d0b-4b57-9d5e-0d7f3f1e2a11"],
      }),
    ];

    for (const caller of callers) {
      expect(await caller.post(path)).toMatchObject({
        status: 403,
        body: { code: "insufficient_scope" },
      });
    }
    expect(await entryOf(tenant, old.keyId)).toMatchObject({ status: "active" });
  });

  it.each([
    { grace_period_seconds: -1 },
    { grace_period_seconds: 604_801 },
    { grace_period_seconds: 1.5 },
    { grace_period_seconds: null },
    { reason: "fun" },
    { name: "other" },
  ])("422: %j", async (body) => {
    const { tenant, path } = await arrange();

    expect((await tenant.post(path, body)).status).toBe(422);
  });

  it("503: the fast state fails before the change, and nothing changes", async () => {
    const { tenant, old, path } = await arrange();
    const before = await tenant.get(KEYS);

    const answer = await store.while("suspendEpoch", () => tenant.post(path));

    expect(answer).toMatchObject({ status: 503, body: { code: "service_unavailable" } });
    expect((await tenant.get(KEYS)).body).toEqual(before.body);
    expect((await old.get(ME)).headers).not.toHaveProperty("x-svc-key-expires");
  });

  it("200: the fast state fails after the change, and no cached copy of the key works", async () => {
    const { tenant, old, path } = await arrange();

    const rotated = await store.while("setEpoch", () => tenant.post(path, { grace_period_seconds: 0 }));

    expect(rotated.status).toBe(200);
    expect((await old.get(ME)).status).toBe(401);
  });
});

/** Returns a public key and its proof of possession as request fields. */
function ed25519Of(developerId: string) {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const x = publicKey.export({ format: "jwk" }).x ?? "";
  const text = `svc-ed25519-pop-v1\n${developerId}\n${x}`;
  return { public_key: x, proof: sign(null, Buffer.from(text), privateKey).toString("base64url") };
}
