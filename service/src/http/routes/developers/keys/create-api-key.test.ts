import { generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { describe, expect, it } from "vitest";
import { accountsOf } from "../../../../../test/accounts.ts";
import { PREFIX, useHarness } from "../../../../../test/harness.ts";
import { withTransaction } from "../../../../db/transaction.ts";
import { newId } from "../../../../foundation/ids.ts";
import { SCOPES } from "../../../../foundation/vocabulary.ts";
import { apiKeyRows } from "../../../../modules/developers/keys/queries.ts";

const KEYS = "/developers/me/keys";
const AGENT = "6F1C2F9E-4d0b-4b57-9d5e-0d7f3f1e2a11";

describe("POST /developers/me/keys", () => {
  const harness = useHarness();
  const accounts = accountsOf(harness);

  const clientOf = ({ body }: { body: { api_key: string; api_secret: string } }) =>
    harness.clientOf(body.api_key, body.api_secret);

  /** Returns a function that posts to tenant routes with a dashboard session in the given mode. */
  async function seedSession(mode: "live" | "test") {
    const { accessToken, developerId } = await accounts.seedAccount();
    const post = (path: string, payload: object) =>
      harness.send({
        method: "POST",
        url: PREFIX + path,
        headers: { authorization: `Bearer ${accessToken}`, "x-svc-mode": mode },
        payload,
      });
    return { developerId, post };
  }

  it("200: by default a key with the caller's scopes except approvals:write", async () => {
    const tenant = await harness.seedTenant({ scopes: SCOPES });

    const issued = await tenant.post(KEYS, { name: "ci" });

    expect(issued.status).toBe(200);
    expect(issued.body).toEqual({
      object: "api_key",
      key_id: expect.stringMatching(/^key_/),
      name: "ci",
      mode: "live",
      key_prefix: "svc_sk_live_",
      key_hint: `…${issued.body.api_key.slice(-4)}`,
      signature_alg: "hmac-sha256",
      status: "active",
      scopes: SCOPES.filter((scope) => scope !== "approvals:write"),
      agent_ids: [],
      project_ids: [],
      ip_allowlist: [],
      rate_limit_per_minute: null,
      metadata: {},
      created_at: harness.clock.now().toISOString(),
      updated_at: harness.clock.now().toISOString(),
      created_by: tenant.tenantId,
      expires_at: null,
      last_used_at: null,
      last_used_ip: null,
      rotated_from: null,
      replaced_by: null,
      grace_expires_at: null,
      revoked_at: null,
      revoke_reason: null,
      api_key: expect.stringMatching(/^svc_sk_live_[\w-]{43}$/),
      api_secret: expect.stringMatching(/^svc_ss_live_[\w-]{64}$/),
    });
    expect((await clientOf(issued).get("/developers/me")).status).toBe(200);
  });

  it("200: the requested values are normalized", async () => {
    const tenant = await harness.seedTenant({ scopes: SCOPES });
    const project = await tenant.post("/projects", { name: "Bound" });

    const { status, body } = await tenant.post(KEYS, {
      name: "narrow",
      scopes: ["audit:read", "env:read", "projects:read"],
      agent_ids: [AGENT],
      project_ids: [project.body.project_id],
      ip_allowlist: ["2001:0DB8::/32", "203.0.113.7", "203.0.113.7/32"],
      expires_at: "2026-12-24T18:00:00+01:00",
      rate_limit_per_minute: 90,
      metadata: { team: "billing" },
    });

    expect(status).toBe(200);
    expect(body).toMatchObject({
      scopes: ["projects:read", "env:read", "audit:read"],
      agent_ids: [AGENT.toLowerCase()],
      project_ids: [project.body.project_id],
      ip_allowlist: ["2001:db8::/32", "203.0.113.7/32"],
      expires_at: "2026-12-24T17:00:00.000Z",
      rate_limit_per_minute: 90,
      metadata: { team: "billing" },
    });
  });

  it("200: absent fields default to those of the calling key", async () => {
    const tenant = await harness.seedTenant();
    const expiresAt = new Date("2027-01-01T00:00:00.000Z");
    const caller = await harness.seedKey(tenant.tenantId, {
      scopes: ["keys:write", "keys:read"],
      ipAllowlist: ["127.0.0.0/8"],
      rateLimitPerMinute: 60,
      expiresAt,
    });

    const { status, body } = await caller.post(KEYS, { name: "child" });

    expect(status).toBe(200);
    expect(body).toMatchObject({
      scopes: ["keys:read", "keys:write"],
      ip_allowlist: ["127.0.0.0/8"],
      rate_limit_per_minute: 60,
      expires_at: expiresAt.toISOString(),
    });
  });

  it("200: an Ed25519 key with a valid proof has no secret", async () => {
    const tenant = await harness.seedTenant();
    const { publicKey, privateKey } = generateKeyPairSync("ed25519");
    const x = publicKey.export({ format: "jwk" }).x ?? "";
    const text = `svc-ed25519-pop-v1\n${tenant.tenantId}\n${x}`;
    const proof = sign(null, Buffer.from(text), privateKey).toString("base64url");

    const { status, body } = await tenant.post(KEYS, {
      name: "signer",
      signature_alg: "ed25519",
      public_key: x,
      proof,
    });

    expect(status).toBe(200);
    expect(body).toMatchObject({ signature_alg: "ed25519", api_secret: null });
  });

  it("200: a session creates keys of both modes with any scope; the default is its own mode", async () => {
    const session = await seedSession("test");

    const own = await session.post(KEYS, { name: "own" });
    const other = await session.post(KEYS, {
      name: "other",
      mode: "live",
      scopes: ["approvals:write"],
    });

    expect(own.body).toMatchObject({
      mode: "test",
      scopes: SCOPES.filter((scope) => scope !== "approvals:write" && scope !== "audit:read"),
    });
    expect(other.body).toMatchObject({ mode: "live", scopes: ["approvals:write"] });
  });

  it("403: a test key reads the audit trail only if audit:read was requested", async () => {
    const session = await seedSession("test");
    const registered = await session.post("/developers/register", { mode: "test" });
    const created = await session.post(KEYS, { name: "auditor", scopes: ["audit:read"] });

    expect(await clientOf(registered).get("/audit/entries")).toMatchObject({
      status: 403,
      body: { code: "insufficient_scope" },
    });
    expect((await clientOf(created).get("/audit/entries")).status).toBe(200);
  });

  it("200: the audit entry and the event have the key's mode; rows and logs contain no key or secret", async () => {
    const tenant = await harness.seedTenant();

    const { body } = await tenant.post(
      KEYS,
      { name: "observed", mode: "test", scopes: ["projects:read"] },
      { headers: { "idempotency-key": randomUUID() } },
    );

    expect(
      await accounts.query("select action, mode, facts from audit_entries where tenant_id = $1", [tenant.tenantId]),
    ).toEqual([
      {
        action: "api_key.created",
        mode: "test",
        facts: {
          name: "observed",
          mode: "test",
          scopes: ["projects:read"],
          agent_ids: [],
          project_ids: [],
          ip_allowlist: [],
          expires_at: null,
        },
      },
    ]);
    expect(
      await accounts.query("select type, mode, subject_id, data->>'key_id' as id from events where tenant_id = $1", [
        tenant.tenantId,
      ]),
    ).toEqual([{ type: "api_key.created", mode: "test", subject_id: body.key_id, id: body.key_id }]);
    const stored = (await accounts.everyRow()) + harness.logLines.join("");
    expect(stored).toContain(body.key_id);
    expect(stored).not.toContain(body.api_key);
    expect(stored).not.toContain(body.api_secret);
  });

  it("409: a repeated Idempotency-Key does not show the secret and creates no second key", async () => {
    const tenant = await harness.seedTenant();
    const headers = { "idempotency-key": randomUUID() };
    const first = await tenant.post(KEYS, { name: "once" }, { headers });

    const second = await tenant.post(KEYS, { name: "once" }, { headers });

    expect(first.status).toBe(200);
    expect(second).toMatchObject({ status: 409, body: { code: "secret_already_issued" } });
    expect((await tenant.get(KEYS)).body.data).toHaveLength(2);
  });

  it("409: the account has 100 keys; expired ones do not count", async () => {
    const tenant = await harness.seedTenant();
    const inAnHour = new Date(harness.clock.now().getTime() + 3_600_000).toISOString();
    for (let made = 1; made < 100; made += 1) {
      await tenant.post(KEYS, { name: `key ${made}`, expires_at: inAnHour });
    }

    expect(await tenant.post(KEYS, { name: "too many" })).toMatchObject({
      status: 409,
      body: { code: "conflict" },
    });
    harness.clock.advanceSeconds(3_600);
    expect((await tenant.post(KEYS, { name: "one more" })).status).toBe(200);
  });

  it("403: a test key creates a live key", async () => {
    const tenant = await harness.seedTenant();
    const test = await harness.seedKey(tenant.tenantId, { mode: "test" });

    expect(await test.post(KEYS, { name: "up", mode: "live" })).toMatchObject({
      status: 403,
      body: { code: "insufficient_scope" },
    });
    const { body: project } = await tenant.post("/projects", { name: "Live" });
    const bound = { name: "up", mode: "live", project_ids: [project.project_id] };
    const unbound = { ...bound, project_ids: [newId("proj")] };
    expect((await test.post(KEYS, bound)).status).toBe(403);
    expect((await test.post(KEYS, unbound)).status).toBe(403);
    expect((await test.post(KEYS, { name: "level" })).body).toMatchObject({ mode: "test" });
    expect((await tenant.post(KEYS, { name: "down", mode: "test" })).status).toBe(200);
  });

  it.each([
    ["a scope that the caller does not have", { scopes: ["keys:write", "env:read"] }],
    ["no network, but the caller is bound to one", { ip_allowlist: [] }],
    ["a wider network", { ip_allowlist: ["126.0.0.0/7"] }],
    ["an additional network", { ip_allowlist: ["127.0.0.1", "203.0.113.0/24"] }],
    ["no expiry, but the caller has one", { expires_at: null }],
    ["a later expiry", { expires_at: "2027-01-01T00:00:00.001Z" }],
    ["no rate limit, but the caller has one", { rate_limit_per_minute: null }],
    ["a higher rate limit", { rate_limit_per_minute: 61 }],
  ])("403: %s", async (_what, more) => {
    const tenant = await harness.seedTenant();
    const caller = await harness.seedKey(tenant.tenantId, {
      scopes: ["keys:write"],
      ipAllowlist: ["127.0.0.0/8"],
      rateLimitPerMinute: 60,
      expiresAt: new Date("2027-01-01T00:00:00.000Z"),
    });

    expect(await caller.post(KEYS, { name: "stronger", ...more })).toMatchObject({
      status: 403,
      body: { code: "insufficient_scope" },
    });
    expect((await tenant.get(KEYS)).body.data).toHaveLength(2);
  });

  it("403: the caller is in its grace period, lacks keys:write, or is bound to an agent or a project", async () => {
    const tenant = await harness.seedTenant();
    const graceExpiresAt = new Date(harness.clock.now().getTime() + 60_000);
    const seeds = [
      { graceExpiresAt, replacedBy: "key_successor" },
      { scopes: ["keys:read"] as const },
      { agentIds: [AGENT.toLowerCase()] },
      { projectIds: ["proj_00000000000000000000000000"] },
    ];

    for (const seed of seeds) {
      const caller = await harness.seedKey(tenant.tenantId, seed);
      expect(await caller.post(KEYS, { name: "none" }), JSON.stringify(seed)).toMatchObject({
        status: 403,
        body: { code: "insufficient_scope" },
      });
    }
  });

  it("401: the calling key is revoked during its request", async () => {
    const tenant = await harness.seedTenant();
    const caller = await harness.seedKey(tenant.tenantId);
    await caller.get("/developers/me");
    // Simulates a revocation that this process has not seen yet: the row changes, but the key remains cached.
    const revoked = { revokedAt: harness.clock.now() };
    await withTransaction(harness.app.db, tenant.tenantId, (tx) =>
      apiKeyRows.update(tx, { tenantId: tenant.tenantId, keyId: caller.keyId as `key_${string}` }, revoked),
    );

    expect((await caller.post(KEYS, { name: "late" })).status).toBe(401);
  });

  it.each([
    ["/body/name", {}],
    ["/body/name", { name: "" }],
    ["/body/name", { name: "n".repeat(101) }],
    ["/body/name", { name: "two\nlines" }],
    ["/body/mode", { name: "a", mode: "LIVE" }],
    ["/body/scopes/0", { name: "a", scopes: ["projects:admin"] }],
    ["/body/scopes", { name: "a", scopes: ["env:read", "env:read"] }],
    ["/body/scopes", { name: "a", scopes: [] }],
    ["/body/agent_ids/0", { name: "a", agent_ids: ["agent"] }],
    ["/body/agent_ids", { name: "a", agent_ids: [AGENT, AGENT.toLowerCase()] }],
    ["/body/agent_ids", { name: "a", agent_ids: Array.from({ length: 51 }, () => randomUUID()) }],
    ["/body/project_ids/0", { name: "a", project_ids: ["proj_00000000000000000000000000"] }],
    ["/body/project_ids/0", { name: "a", project_ids: ["proj_\u0000"] }],
    ["/body/ip_allowlist/1", { name: "a", ip_allowlist: ["10.0.0.0/8", "10.0.0.1/8"] }],
    ["/body/ip_allowlist/0", { name: "a", ip_allowlist: ["::ffff:10.0.0.1"] }],
    ["/body/expires_at", { name: "a", expires_at: "2026-11-21T10:00:00Z" }],
    ["/body/expires_at", { name: "a", expires_at: "tomorrow" }],
    ["/body/expires_at", { name: "a", expires_at: "9999-12-31T23:59:59-00:01" }],
    ["/body/expires_at", { name: "a", expires_at: "2030-06-30T23:59:60Z" }],
    ["/body/rate_limit_per_minute", { name: "a", rate_limit_per_minute: 0 }],
    ["/body/rate_limit_per_minute", { name: "a", rate_limit_per_minute: 60_001 }],
    ["/body/rate_limit_per_minute", { name: "a", rate_limit_per_minute: 1.5 }],
    ["/body/metadata/k", { name: "a", metadata: { k: 1 } }],
    ["/body/public_key", { name: "a", signature_alg: "ed25519" }],
    ["/body/proof", { name: "a", proof: "p" }],
    ["/body/tenant_id", { name: "a", tenant_id: "dev_other" }],
    ["/body/key_id", { name: "a", key_id: "key_mine" }],
  ])("422: error at %s for %j", async (pointer, body) => {
    const tenant = await harness.seedTenant();

    const answer = await tenant.post(KEYS, body);

    expect(answer).toMatchObject({ status: 422, body: { code: "validation_error" } });
    expect(answer.body.errors).toContainEqual(expect.objectContaining({ pointer }));
  });

  it("422: a project of another tenant or mode, or a deleted one", async () => {
    const tenant = await harness.seedTenant();
    const otherTenant = await harness.seedTenant();
    const test = await harness.seedKey(tenant.tenantId, { mode: "test" });
    const own = await tenant.post("/projects", { name: "Own" });
    const deleted = await tenant.post("/projects", { name: "Deleted" });
    await tenant.delete(`/projects/${deleted.body.project_id}`);
    const foreign = await otherTenant.post("/projects", { name: "Foreign" });
    const inTest = await test.post("/projects", { name: "Test" });
    const ids = [own, deleted, foreign, inTest].map(({ body }) => body.project_id);

    const { status, body } = await tenant.post(KEYS, { name: "bound", project_ids: ids });

    expect(status).toBe(422);
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      "/body/project_ids/1",
      "/body/project_ids/2",
      "/body/project_ids/3",
    ]);
    const inItsMode = { name: "bound", mode: "test", project_ids: [inTest.body.project_id] };
    expect((await tenant.post(KEYS, inItsMode)).status).toBe(200);
  });
});
