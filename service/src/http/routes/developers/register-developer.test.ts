import { generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { describe, expect, it } from "vitest";
import { accountsOf } from "../../../../test/accounts.ts";
import { type ApiResponse, PREFIX, useHarness } from "../../../../test/harness.ts";
import { ed25519Canonical } from "../../../crypto/ed25519.ts";
import { sha256Hex } from "../../../crypto/signing.ts";

type Account = Awaited<ReturnType<ReturnType<typeof accountsOf>["seedAccount"]>>;

describe("POST /developers/register", () => {
  const harness = useHarness();
  const accounts = accountsOf(harness);

  const register = ({ as }: Account, body?: object | string, headers: object = {}) =>
    accounts.call("POST", "/register", body, { headers: { ...as.headers, ...headers } });

  function newEd25519() {
    const { publicKey, privateKey } = generateKeyPairSync("ed25519");
    const text = publicKey.export({ format: "jwk" }).x ?? "";
    const signed = (message: string) => sign(null, Buffer.from(message), privateKey);
    const proofFor = (developerId: string) =>
      signed(`svc-ed25519-pop-v1\n${developerId}\n${text}`).toString("base64url");
    return { publicKey: text, signed, proofFor };
  }

  it("201: issues a live key pair that works", async () => {
    const account = await accounts.seedAccount();

    const { status, body } = await register(account);

    expect(status).toBe(201);
    expect(body).toEqual({
      developer: expect.objectContaining({ developer_id: account.developerId, company_name: null }),
      key: expect.objectContaining({
        object: "api_key",
        name: "default",
        mode: "live",
        key_prefix: "svc_sk_live_",
        key_hint: `…${body.api_key.slice(-4)}`,
        signature_alg: "hmac-sha256",
        status: "active",
      }),
      api_key: expect.stringMatching(/^svc_sk_live_[\w-]{43}$/),
      api_secret: expect.stringMatching(/^svc_ss_live_[\w-]{64}$/),
      warning: "shown once",
    });
    const client = harness.clientOf(body.api_key, body.api_secret);
    expect((await client.get("/developers/me")).body.developer_id).toBe(account.developerId);
    const keys = await accounts.query("select is_account_pair from api_keys where tenant_id = $1", [
      account.developerId,
    ]);
    expect(keys).toEqual([{ is_account_pair: true }]);
  });

  it("201: a name, a mode and a company; writes audit entries and an event", async () => {
    const account = await accounts.seedAccount();

    const { status, body } = await register(account, {
      company_name: "Engines & Co",
      key_name: "first",
      mode: "test",
    });

    expect(status).toBe(201);
    expect(body).toMatchObject({
      developer: { company_name: "Engines & Co" },
      key: { name: "first", mode: "test", key_prefix: "svc_sk_test_" },
      api_key: expect.stringMatching(/^svc_sk_test_/),
      api_secret: expect.stringMatching(/^svc_ss_test_/),
    });
    const ofTenant = [account.developerId];
    const entries = await accounts.query(
      "select action, mode, facts from audit_entries where tenant_id = $1 and action in ('developer.registered', 'api_key.created') order by audit_id",
      ofTenant,
    );
    expect(entries).toEqual([
      { action: "developer.registered", mode: "test", facts: {} },
      { action: "api_key.created", mode: "test", facts: { name: "first", mode: "test" } },
    ]);
    const events = await accounts.query(
      "select type, mode, data from events where tenant_id = $1 and subject_type = 'api_key'",
      ofTenant,
    );
    expect(events).toEqual([
      {
        type: "api_key.created",
        mode: "test",
        data: { key_id: body.key.key_id, name: "first", mode: "test" },
      },
    ]);
  });

  it("409: a second call, and a repeated Idempotency-Key", async () => {
    const account = await accounts.seedAccount();
    const key = { "idempotency-key": randomUUID() };

    expect((await register(account, {}, key)).status).toBe(201);

    expect(await register(account, {}, key)).toMatchObject({
      status: 409,
      body: { code: "secret_already_issued" },
    });
    const second = await register(account, { mode: "test" });
    expect(second).toMatchObject({ status: 409, body: { code: "already_exists" } });
    expect(second.body.detail).toContain("POST /api/v1/svc/developers/me/keys with mode test");
    const headers = { ...account.as.headers, "x-svc-mode": "live" };
    const body = { name: "tests", mode: "test" };
    expect(await accounts.call("POST", "/me/keys", body, { headers })).toMatchObject({
      status: 200,
      body: { mode: "test" },
    });
    expect(await register(account, { key_name: "other" }, key)).toMatchObject({
      status: 422,
      body: { code: "idempotency_conflict" },
    });
    expect(await register(account, {}, { "idempotency-key": randomUUID() })).toMatchObject({
      status: 409,
      body: { code: "already_exists" },
    });
  });

  it("201: one of 100 concurrent calls", async () => {
    const account = await accounts.seedAccount();

    const answers = await Promise.all(Array.from({ length: 100 }, () => register(account)));

    const countOf = (status: number) => answers.filter((answer) => answer.status === status).length;
    expect([countOf(201), countOf(409)]).toEqual([1, 99]);
    const keys = await accounts.query("select 1 from api_keys where tenant_id = $1", [account.developerId]);
    expect(keys).toHaveLength(1);
  });

  it("403: the address is not verified", async () => {
    const account = await accounts.seedAccount({ verified: false });

    expect(await register(account)).toMatchObject({
      status: 403,
      body: { code: "email_not_verified" },
    });
  });

  it("401: a signed request, or no credential", async () => {
    const tenant = await harness.seedTenant();

    expect((await tenant.post("/developers/register", {})).status).toBe(401);
    expect((await accounts.call("POST", "/register", {})).status).toBe(401);
  });

  it("201: a cookie from a same-origin request; 403 from another site", async () => {
    const account = await accounts.seedAccount();
    const byCookie = (headers: object) =>
      accounts.call("POST", "/register", undefined, {
        headers: { cookie: `svc_access=${account.accessToken}`, ...headers },
      });

    for (const origin of [{ origin: "https://evil.test" }, { "sec-fetch-site": "cross-site" }]) {
      expect(await byCookie(origin)).toMatchObject({ status: 403, body: { code: "cross_origin" } });
    }
    expect((await byCookie({ "sec-fetch-site": "same-origin" })).status).toBe(201);
  });

  it("201: an Ed25519 key signs requests and has no secret", async () => {
    const account = await accounts.seedAccount();
    const { publicKey, proofFor, signed } = newEd25519();

    const { status, body } = await register(account, {
      signature_alg: "ed25519",
      public_key: publicKey,
      proof: proofFor(account.developerId),
    });

    expect(status).toBe(201);
    expect(body).toMatchObject({ api_secret: null, key: { signature_alg: "ed25519" } });
    const timestamp = String(harness.clock.now().getTime() / 1000);
    const url = `${PREFIX}/developers/me`;
    const nonce = randomUUID();
    const text = ed25519Canonical({
      timestamp,
      nonce,
      method: "GET",
      target: url,
      agentId: undefined,
      idempotencyKey: undefined,
      bodyHash: sha256Hex(""),
    });
    const me = await harness.send({
      method: "GET",
      url,
      headers: {
        authorization: body.api_key,
        "x-timestamp": timestamp,
        "x-nonce": nonce,
        "x-request-signature": signed(text).toString("hex"),
      },
    });
    expect(me).toMatchObject({ status: 200, body: { developer_id: account.developerId } });
  });

  it("422: unsafe or malformed public keys, and invalid proofs", async () => {
    const account = await accounts.seedAccount();
    const [own, other] = [newEd25519(), newEd25519()];
    const proof = own.proofFor(account.developerId);
    const ed25519 = { signature_alg: "ed25519" };
    const identityPoint = Buffer.from([1, ...new Array<number>(31).fill(0)]).toString("base64url");
    const cases: readonly (readonly [object, string])[] = [
      [{ ...ed25519 }, "/body/public_key"],
      [{ ...ed25519, proof }, "/body/public_key"],
      [{ ...ed25519, public_key: "nonsense", proof }, "/body/public_key"],
      [{ ...ed25519, public_key: identityPoint, proof }, "/body/public_key"],
      [{ ...ed25519, public_key: `${own.publicKey}=`, proof }, "/body/public_key"],
      [{ ...ed25519, public_key: own.publicKey }, "/body/proof"],
      [{ ...ed25519, public_key: own.publicKey, proof: "nonsense" }, "/body/proof"],
      [{ ...ed25519, public_key: other.publicKey, proof }, "/body/proof"],
      [{ ...ed25519, public_key: own.publicKey, proof: own.proofFor("dev_other") }, "/body/proof"],
      [{ public_key: own.publicKey, proof }, "/body/public_key"],
      [{ signature_alg: "hmac-sha256", proof }, "/body/proof"],
    ];

    for (const [body, pointer] of cases) {
      expect(await register(account, body)).toMatchObject({
        status: 422,
        body: { errors: [{ pointer }] },
      });
    }
    expect((await register(account, { ...ed25519, public_key: own.publicKey, proof })).status).toBe(201);
  });

  it.each([
    [{ developer_id: "dev_other" }, "/body/developer_id"],
    [{ email: "eve@example.com" }, "/body/email"],
    [{ scopes: ["approvals:write"] }, "/body/scopes"],
    [{ mode: "LIVE" }, "/body/mode"],
    [{ key_name: "" }, "/body/key_name"],
    [{ key_name: "x".repeat(101) }, "/body/key_name"],
    [{ company_name: "a\nb" }, "/body/company_name"],
    [{ company_name: null }, "/body/company_name"],
    [{ signature_alg: "rsa" }, "/body/signature_alg"],
  ])("422: %j", async (body, pointer) => {
    const account = await accounts.seedAccount();

    const answer: ApiResponse = await register(account, body);

    expect(answer.status).toBe(422);
    const pointers = answer.body.errors.map((error: { pointer: string }) => error.pointer);
    expect(new Set(pointers)).toEqual(new Set([pointer]));
  });

  it("422: __proto__, duplicate members, or an Idempotency-Key that is not a UUID", async () => {
    const account = await accounts.seedAccount();

    for (const body of ['{"__proto__":{"mode":"test"}}', '{"mode":"test","mode":"live"}', "[]"]) {
      expect((await register(account, body)).status).toBe(422);
    }
    expect((await register(account, {}, { "idempotency-key": "once" })).status).toBe(422);
    expect((await register(account)).status).toBe(201);
  });
});
