import { createPublicKey, generateKeyPairSync, randomUUID } from "node:crypto";
import { type JWTPayload, SignJWT, UnsecuredJWT } from "jose";
import { describe, expect, it } from "vitest";
import { accountsOf } from "../../../../../test/accounts.ts";
import { adminsOf } from "../../../../../test/admins.ts";
import { PREFIX, useHarness } from "../../../../../test/harness.ts";
import { ADMIN_TOKENS, createAccessTokens } from "../../../../crypto/access-tokens.ts";
import { withTransaction } from "../../../../db/transaction.ts";
import { OPERATOR_TENANT } from "../../../../foundation/ids.ts";
import { expireKyb } from "../../../../modules/developers/kyb/kyb-status.ts";

const { privateKey: OUR_KEY } = generateKeyPairSync("ed25519");
const OUR_KEY_PEM = OUR_KEY.export({ type: "pkcs8", format: "pem" }).toString();
const PUBLIC_PEM = createPublicKey(OUR_KEY).export({ type: "spki", format: "pem" }).toString();
const WEEK_MS = 604_800_000;

describe("POST /developers/verify-kyb with one admin", () => {
  const harness = useHarness({
    replace: () => ({ adminTokens: createAccessTokens(OUR_KEY_PEM, ADMIN_TOKENS) }),
  });
  const admins = adminsOf(harness);
  const accounts = accountsOf(harness);
  const verify = (body: object, as: object) => admins.post("/developers/verify-kyb", body, as);
  const trailOf = (developerId: string) =>
    accounts.query(
      "select audit_id, action, actor, facts from audit_entries where tenant_id = $1 and action like 'developer.kyb%' order by audit_id",
      [developerId],
    );
  const eventsOf = (developerId: string) =>
    accounts.query(
      "select sequence, data, actor from events where tenant_id = $1 and type = 'developer.kyb_updated' order by sequence",
      [developerId],
    );

  it("200: verifies a developer, and writes an audit entry and an event", async () => {
    const { tenantId, get } = await harness.seedTenant();
    const { as, adminId } = await admins.seedSession();
    const now = harness.clock.now();
    const expiresAt = new Date(now.getTime() + WEEK_MS).toISOString();

    const answer = await verify(
      {
        developer_id: tenantId,
        status: "verified",
        legal_name: "Ada Engines Ltd",
        registration_number: "12345678",
        jurisdiction: "GB",
        reference: "case-17",
        note: "Read the register.\nSpoke to the director.",
        expires_at: expiresAt,
      },
      as,
    );

    const kyb = {
      status: "verified",
      verified_at: now.toISOString(),
      expires_at: expiresAt,
      reference: "case-17",
    };
    expect(answer).toMatchObject({
      status: 200,
      body: { object: "developer", developer_id: tenantId, kyb, requirements: {} },
    });
    expect((await get("/developers/me")).body).toMatchObject({ kyb, requirements: {} });
    const entries = await trailOf(tenantId);
    expect(entries).toEqual([
      {
        audit_id: answer.body.audit_id,
        action: "developer.kyb_updated",
        actor: { type: "admin", id: adminId, key_id: null, ip: null },
        facts: {
          status: "verified",
          reference: "case-17",
          expires_at: expiresAt,
          given: ["legal_name", "registration_number", "jurisdiction", "note"],
          session_id: expect.stringMatching(/^ses_/),
        },
      },
    ]);
    expect(await eventsOf(tenantId)).toMatchObject([
      { data: { developer_id: tenantId, kyb }, actor: { type: "admin", id: adminId } },
    ]);
  });

  it("200: rejecting and revoking clear the verification", async () => {
    const { tenantId } = await harness.seedTenant();
    const { as } = await admins.seedSession();

    for (const status of ["rejected", "verified", "revoked"]) {
      const { body } = await verify({ developer_id: tenantId, status }, as);
      expect(body.kyb).toMatchObject({ status, expires_at: null });
      expect(body.kyb.verified_at !== null).toBe(status === "verified");
    }
    expect(await eventsOf(tenantId)).toHaveLength(3);
  });

  it("200: repeating the current decision changes nothing and sends no event", async () => {
    const { tenantId } = await harness.seedTenant();
    const { as } = await admins.seedSession();
    const decision = { developer_id: tenantId, status: "verified", reference: "case-1" };
    const first = await verify(decision, as);
    harness.clock.advanceSeconds(60);

    const second = await verify({ ...decision, note: "again" }, as);

    expect(second.status).toBe(200);
    expect(second.body.kyb).toEqual(first.body.kyb);
    expect(await eventsOf(tenantId)).toHaveLength(1);
    expect((await trailOf(tenantId)).map(({ action }) => action)).toEqual([
      "developer.kyb_updated",
      "developer.kyb_confirmed",
    ]);
  });

  it("200: a verification expires at its expiry time, and one event is sent", async () => {
    const { tenantId, get } = await harness.seedTenant();
    const { as } = await admins.seedSession();
    const expires_at = new Date(harness.clock.now().getTime() + 60_000).toISOString();
    await verify({ developer_id: tenantId, status: "verified", expires_at }, as);
    const profileOf = async () => (await get("/developers/me")).body;
    // Simulates eight concurrent workers. The first call opens the database connections that the workers need. Later
    // calls reuse these connections, so the workers' queries run concurrently.
    const expireConcurrently = () => Promise.all(Array.from({ length: 8 }, () => expireKyb(harness.app)));

    harness.clock.advanceSeconds(59);
    await expireConcurrently();
    expect(await profileOf()).toMatchObject({ kyb: { status: "verified" }, requirements: {} });
    harness.clock.advanceSeconds(1);
    expect(await profileOf()).toMatchObject({
      kyb: { status: "expired", expires_at },
      requirements: { kyb_documents: { status: "due" } },
    });

    expect(await eventsOf(tenantId)).toHaveLength(1);
    await expireConcurrently();
    expect((await eventsOf(tenantId))[1]).toMatchObject({
      sequence: 2,
      data: { kyb: { status: "expired" } },
      actor: { type: "system" },
    });
    expect(await eventsOf(tenantId)).toHaveLength(2);
    expect(await profileOf()).toMatchObject({ kyb: { status: "expired" } });
  });

  it("200: a repeated Idempotency-Key returns the same response and records one decision", async () => {
    const { tenantId } = await harness.seedTenant();
    const { as } = await admins.seedSession();
    const other = await admins.seedSession();
    const key = { "idempotency-key": randomUUID() };
    const call = (headers: object) =>
      verify({ developer_id: tenantId, status: "verified" }, { headers: { ...headers, ...key } });

    const first = await call(as.headers);
    const again = await call(as.headers);

    expect(again).toMatchObject({ status: 200, headers: { "idempotent-replayed": "true" } });
    expect(again.text).toBe(first.text);
    expect(await trailOf(tenantId)).toHaveLength(1);
    expect(await call(other.as.headers)).toMatchObject({
      status: 422,
      body: { code: "idempotency_conflict" },
    });
  });

  it("403: a cookie from another site", async () => {
    const { tenantId } = await harness.seedTenant();
    const { cookie } = await admins.seedSession();
    const body = { developer_id: tenantId, status: "verified" };

    const foreign = [
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
      { origin: "https://evil.example" },
    ];
    for (const headers of foreign) {
      expect(await verify(body, { headers: { cookie, ...headers } })).toMatchObject({
        status: 403,
        body: { code: "cross_origin" },
      });
    }
    const own = { cookie, "sec-fetch-site": "same-origin" };
    expect((await verify(body, { headers: own })).status).toBe(200);
  });

  it("404: an unknown developer, or a malformed id", async () => {
    const { as } = await admins.seedSession();
    for (const developer_id of ["dev_01jz000000000000000000000x", "dev_x", "proj_1", "sys_operator"]) {
      expect(await verify({ developer_id, status: "verified" }, as)).toMatchObject({
        status: 404,
        body: { code: "developer_not_found" },
      });
    }
  });

  it("422: an invalid field", async () => {
    const { tenantId } = await harness.seedTenant();
    const { as } = await admins.seedSession();
    const now = harness.clock.now().toISOString();
    const wrong: readonly [object, string][] = [
      [{ status: "verified" }, "/body/developer_id"],
      [{ developer_id: tenantId }, "/body/status"],
      [{ developer_id: tenantId, status: "pending" }, "/body/status"],
      [{ developer_id: tenantId, status: "verified", expires_at: now }, "/body/expires_at"],
      [{ developer_id: tenantId, status: "verified", expires_at: "2040" }, "/body/expires_at"],
      [{ developer_id: tenantId, status: "verified", legal_name: " " }, "/body/legal_name"],
      [{ developer_id: tenantId, status: "verified", kyb_verified: true }, "/body/kyb_verified"],
    ];
    for (const [body, pointer] of wrong) {
      const answer = await verify(body, as);
      expect(answer.status).toBe(422);
      expect(answer.body.errors).toMatchObject([{ pointer }]);
    }
    expect(await trailOf(tenantId)).toEqual([]);
  });

  it("401: invalid admin credentials, all with the same response", async () => {
    const { tenantId, apiKey } = await harness.seedTenant();
    const admin = await admins.seedSession();
    const loggedOut = await admins.seedSession();
    await admins.post("/admin/logout", undefined, loggedOut.as);
    const developer = await accounts.seedAccount();
    const nowSeconds = Math.floor(harness.clock.now().getTime() / 1000);
    const [header64 = "", claims64 = "", signature = ""] = admin.accessToken.split(".");
    const claims: JWTPayload = JSON.parse(Buffer.from(claims64, "base64url").toString());
    const developerClaims: JWTPayload = JSON.parse(
      Buffer.from(developer.accessToken.split(".")[1] ?? "", "base64url").toString(),
    );
    const b64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const { privateKey: otherKey } = generateKeyPairSync("ed25519");
    const { privateKey: rsa } = generateKeyPairSync("rsa", { modulusLength: 2_048 });

    const forge = (changes: object = {}, header: object = {}, key: unknown = OUR_KEY) =>
      new SignJWT({ ...claims, ...changes })
        .setProtectedHeader({ alg: "EdDSA", typ: "at+jwt", ...header })
        .sign(key as typeof OUR_KEY);
    const hmac = (secret: string) => forge({}, { alg: "HS256" }, new TextEncoder().encode(secret));
    const without = (name: string) => {
      const { [name]: _removed, ...rest } = claims;
      return new SignJWT(rest).setProtectedHeader({ alg: "EdDSA", typ: "at+jwt" }).sign(OUR_KEY);
    };
    // The unchanged token is accepted, so each token below is rejected only because of its change.
    const bearing = (token: string) => ({ authorization: `Bearer ${token}` });
    const body = { developer_id: tenantId, status: "verified" };
    expect((await verify(body, { headers: bearing(await forge()) })).status).toBe(200);

    const tokens = [
      new UnsecuredJWT(claims).encode(),
      `${b64({ alg: "none", typ: "at+jwt" })}.${claims64}.`,
      `${b64({ alg: "none", typ: "at+jwt" })}.${claims64}.${signature}`,
      `${b64({ alg: "NONE", typ: "at+jwt" })}.${claims64}.${signature}`,
      await hmac(PUBLIC_PEM),
      await hmac(PUBLIC_PEM.trim()),
      await hmac(createPublicKey(OUR_KEY).export({ format: "jwk" }).x ?? ""),
      await forge({}, { alg: "RS256" }, rsa),
      await forge({}, {}, otherKey),
      await forge({}, { jwk: createPublicKey(otherKey).export({ format: "jwk" }) }, otherKey),
      await forge({}, { jku: "https://evil.example/jwks.json" }, otherKey),
      await forge({}, { x5u: "https://evil.example/cert.pem" }, otherKey),
      await forge({}, { kid: "../../../../dev/null" }, otherKey),
      await forge({}, { kid: "' union select 'x" }, otherKey),
      await forge({}, { typ: "JWT" }),
      await forge({}, { typ: "application/jwt" }),
      await forge({}, { crit: ["exp"], exp: nowSeconds + 60 }).catch(() => "a.b.c"),
      await forge({ iss: "purser" }),
      await forge({ iss: "https://evil.example" }),
      await forge({ aud: "purser-dashboard" }),
      await forge({ aud: ["purser-dashboard", "other"] }),
      await forge({ exp: nowSeconds - 1 }),
      await forge({ exp: nowSeconds }),
      await forge({ nbf: nowSeconds + 60 }),
      await forge({ sub: developer.developerId }),
      await forge({ sub: "adm_00000000000000000000000000" }),
      await forge({ sub: "sys_operator" }),
      await forge({ sid: "ses_00000000000000000000000000" }),
      await forge({ sid: developerClaims["sid"] }),
      await forge({ sid: null }),
      await without("iss"),
      await without("aud"),
      await without("sub"),
      await without("sid"),
      await without("exp"),
      await without("iat"),
      await without("jti"),
      developer.accessToken,
      await forge({ ...developerClaims, role: "admin", roles: ["admin"], admin: true }),
      `${header64}.${b64({ ...claims, sub: loggedOut.adminId })}.${signature}`,
      `${header64}.${claims64}.${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`,
      `${header64}.${claims64}`,
      loggedOut.accessToken,
    ];
    const headers: Record<string, string>[] = [
      {},
      ...tokens.map(bearing),
      ...tokens.slice(0, 8).map((token) => ({ cookie: `svc_admin=${token}` })),
      { authorization: admin.accessToken },
      { authorization: `bearer ${admin.accessToken}` },
      { authorization: `Basic ${admin.accessToken}` },
      { authorization: "Bearer x.y.z", cookie: admin.cookie },
      { authorization: apiKey },
      { authorization: `Bearer ${apiKey}` },
      { cookie: `svc_access=${admin.accessToken}` },
      { cookie: `svc_admin=${developer.accessToken}` },
      { "x-admin": "true", "x-svc-role": "admin" },
    ];
    expect(tokens.length).toBeGreaterThanOrEqual(40);

    const answers = await Promise.all(headers.map((each) => verify(body, { headers: each })));
    for (const [index, { status, body: problem }] of answers.entries()) {
      expect([status, JSON.stringify(headers[index])]).toEqual([401, JSON.stringify(headers[index])]);
      expect({ ...problem, request_id: "" }).toEqual({ ...answers[0]?.body, request_id: "" });
    }
  });

  it("401: a developer's signed request", async () => {
    const { tenantId, post } = await harness.seedTenant();
    const answer = await post("/developers/verify-kyb", {
      developer_id: tenantId,
      status: "verified",
    });
    expect(answer.status).toBe(401);
  });

  it("401: an admin's token on a developer route", async () => {
    const { accessToken, cookie } = await admins.seedSession();
    const url = `${PREFIX}/developers/dashboard/me`;
    const name = cookie.replace("svc_admin", "svc_access");

    for (const headers of [{ authorization: `Bearer ${accessToken}` }, { cookie: name }]) {
      expect((await harness.send({ method: "GET", url, headers })).status).toBe(401);
    }
  });

  it("hides admins, their challenges and sessions from a developer's transaction", async () => {
    const { tenantId } = await harness.seedTenant();
    await admins.beginLogin(await admins.seedSession());
    const rowsFor = (tenant: typeof tenantId) =>
      withTransaction(harness.app.db, tenant, async (tx) => [
        (await tx.selectFrom("admins").selectAll().execute()).length,
        (await tx.selectFrom("adminChallenges").selectAll().execute()).length,
        (await tx.selectFrom("adminSessions").selectAll().execute()).length,
      ]);

    expect(await rowsFor(tenantId)).toEqual([0, 0, 0]);
    const all = await rowsFor(OPERATOR_TENANT);
    for (const rows of all) expect(rows).toBeGreaterThan(0);
    expect(await harness.app.db.selectFrom("admins").selectAll().execute()).toEqual([]);
  });
});

describe("POST /developers/verify-kyb with two admins", () => {
  const harness = useHarness({ settings: { kybApprovals: 2 } });
  const admins = adminsOf(harness);
  const accounts = accountsOf(harness);
  const verify = (body: object, as: object) => admins.post("/developers/verify-kyb", body, as);
  const decisionsOf = (developerId: string) =>
    accounts.query(
      "select status, proposed_by, approved_by, applied_at is not null as applied, superseded_at is not null as superseded from kyb_decisions where tenant_id = $1 order by decision_id",
      [developerId],
    );
  const statusOf = ({ body }: { body: { kyb: { status: string } } }) => body.kyb.status;

  async function arrange() {
    const { tenantId, get } = await harness.seedTenant();
    const [ada, bea, cleo] = [await admins.seedSession(), await admins.seedSession(), await admins.seedSession()];
    const decide = ({ as }: { as: object }, status = "verified", more: object = {}) =>
      verify({ developer_id: tenantId, status, ...more }, as);
    return { tenantId, get, ada, bea, cleo, decide };
  }

  it("200: the first decision waits, and takes effect when another admin sends the same decision", async () => {
    const { tenantId, get, ada, bea, decide } = await arrange();

    const first = await decide(ada, "verified", { reference: "case-1", note: "looks good" });
    expect(first).toMatchObject({
      status: 200,
      body: {
        kyb: { status: "pending", verified_at: null, reference: null },
        requirements: { kyb_documents: { status: "pending" } },
      },
    });
    expect(statusOf(await get("/developers/me"))).toBe("pending");

    const second = await decide(bea, "verified", { reference: "case-1", note: "I agree" });
    expect(second).toMatchObject({
      status: 200,
      body: { kyb: { status: "verified", reference: "case-1" } },
    });
    expect(await decisionsOf(tenantId)).toMatchObject([
      { proposed_by: ada.adminId, approved_by: bea.adminId, applied: true, superseded: false },
    ]);
  });

  it("403: the same admin sends the decision again", async () => {
    const { tenantId, get, ada, decide } = await arrange();
    await decide(ada);

    const again = await Promise.all(Array.from({ length: 5 }, () => decide(ada)));
    for (const answer of again) {
      expect(answer).toMatchObject({ status: 403, body: { code: "admin_review_required" } });
    }
    expect(statusOf(await get("/developers/me"))).toBe("pending");
    expect(await decisionsOf(tenantId)).toHaveLength(1);
  });

  it("200: of two concurrent equal decisions, one waits and the other approves it", async () => {
    const { tenantId, ada, bea, decide } = await arrange();

    const answers = await Promise.all([decide(ada), decide(bea)]);

    expect(answers.map(statusOf).sort()).toEqual(["pending", "verified"]);
    expect(await decisionsOf(tenantId)).toMatchObject([{ applied: true }]);
  });

  it("200: of two concurrent approvals, one applies the decision and the other changes nothing", async () => {
    const { tenantId, ada, bea, cleo, decide } = await arrange();
    await decide(ada);

    const answers = await Promise.all([decide(bea), decide(cleo)]);

    expect(answers.map(statusOf)).toEqual(["verified", "verified"]);
    const decisions = await decisionsOf(tenantId);
    expect(decisions).toMatchObject([{ applied: true }]);
    const events = await accounts.query(
      "select 1 from events where tenant_id = $1 and type = 'developer.kyb_updated'",
      [tenantId],
    );
    expect(events).toHaveLength(2);
  });

  it("200: a different decision replaces the waiting one, and needs its own approval", async () => {
    const { tenantId, ada, bea, cleo, decide } = await arrange();
    await decide(ada, "verified", { reference: "case-1" });

    expect(statusOf(await decide(bea, "verified", { reference: "case-2" }))).toBe("pending");
    expect((await decide(bea, "verified", { reference: "case-2" })).status).toBe(403);
    expect(statusOf(await decide(cleo, "rejected"))).toBe("pending");
    expect(statusOf(await decide(ada, "rejected"))).toBe("rejected");
    expect(await decisionsOf(tenantId)).toMatchObject([
      { superseded: true, applied: false },
      { superseded: true, applied: false },
      { superseded: false, applied: true, proposed_by: cleo.adminId },
    ]);
  });

  it("200: a developer stays verified while a renewal waits, but not while a revocation waits", async () => {
    const { ada, bea, decide } = await arrange();
    await decide(ada);
    await decide(bea);

    expect(statusOf(await decide(ada, "verified", { reference: "renewal" }))).toBe("verified");
    const renewed = await decide(bea, "verified", { reference: "renewal" });
    expect(renewed.body.kyb).toMatchObject({ status: "verified", reference: "renewal" });
    expect(statusOf(await decide(ada, "revoked"))).toBe("pending");
    expect(statusOf(await decide(bea, "revoked"))).toBe("revoked");
  });
});
