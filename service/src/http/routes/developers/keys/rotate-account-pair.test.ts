import { generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { describe, expect, it } from "vitest";
import { accountsOf } from "../../../../../test/accounts.ts";
import { failingFastState } from "../../../../../test/fast-state/failing-fast-state.ts";
import { type ApiResponse, useHarness } from "../../../../../test/harness.ts";

const ME = "/developers/me";
const KEYS = "/developers/me/keys";

describe("POST /developers/rotate-key", () => {
  const store = failingFastState();
  const harness = useHarness({ replace: store.replace });
  const accounts = accountsOf(harness);

  const clientOf = ({ body }: ApiResponse) => harness.clientOf(body.api_key, body.api_secret);

  /**
   * Registers a developer and uses the new API key once. The returned function `post` sends requests with the dashboard
   * session.
   */
  async function arrange(registration: object = {}) {
    const account = await accounts.seedAccount();
    const post = (path: string, payload?: object, headers: object = {}) =>
      accounts.call("POST", path, payload, { headers: { ...account.as.headers, ...headers } });
    const registered = await post("/register", { key_name: "main", ...registration });
    const pair = clientOf(registered);
    await pair.get(ME);
    return { ...account, registered, pair, post, keyId: registered.body.key.key_id as string };
  }

  it("200: a new pair; the old one is 401 on its next request", async () => {
    const { post, pair, keyId } = await arrange();

    const rotated = await post("/rotate-key");

    expect(rotated.status).toBe(200);
    expect(rotated.body).toEqual({
      api_key: expect.stringMatching(/^svc_sk_live_[\w-]{43}$/),
      api_secret: expect.stringMatching(/^svc_ss_live_[\w-]{64}$/),
      key: expect.objectContaining({ name: "main", mode: "live", rotated_from: keyId }),
      previous_key: { key_id: keyId, revoked_at: harness.clock.now().toISOString() },
    });
    expect((await pair.get(ME)).status).toBe(401);
    const { status, body } = await clientOf(rotated).get(KEYS);
    expect(status).toBe(200);
    expect(body.data).toMatchObject([
      { key_id: rotated.body.key.key_id, status: "active" },
      { key_id: keyId, status: "revoked", replaced_by: rotated.body.key.key_id },
    ]);
  });

  it("200: ends a pair in its grace period too, and leaves other keys unchanged", async () => {
    const { post, pair, developerId, keyId } = await arrange();
    const otherKey = clientOf(await pair.post(KEYS, { name: "other" }));
    const otherTestKey = await harness.seedKey(developerId as `dev_${string}`, {
      mode: "test",
      isAccountPair: true,
    });
    const inGrace = pair;
    const successor = clientOf(await pair.post(`${KEYS}/${keyId}/rotate`));
    for (const client of [inGrace, successor, otherKey, otherTestKey]) {
      expect((await client.get(ME)).status).toBe(200);
    }

    const rotated = await post("/rotate-key", {});

    expect((await inGrace.get(ME)).status).toBe(401);
    expect((await successor.get(ME)).status).toBe(401);
    for (const client of [otherKey, otherTestKey, clientOf(rotated)]) {
      expect((await client.get(ME)).status).toBe(200);
    }
  });

  it("200: rotates the pair of the mode in X-Svc-Mode, or issues the mode's first pair", async () => {
    const { post, pair } = await arrange();

    const test = await post("/rotate-key", undefined, { "x-svc-mode": "test" });
    const again = await post("/rotate-key", undefined, { "x-svc-mode": "test" });

    expect(test.body).toMatchObject({ key: { mode: "test", name: "default" }, previous_key: null });
    expect(again.body.previous_key).toMatchObject({ key_id: test.body.key.key_id });
    expect((await clientOf(test).get(ME)).status).toBe(401);
    expect((await clientOf(again).get(ME)).status).toBe(200);
    expect((await pair.get(ME)).status).toBe(200);
  });

  it("200: an Ed25519 pair is replaced by a pair with a secret", async () => {
    const account = await accounts.seedAccount();
    const { publicKey, privateKey } = generateKeyPairSync("ed25519");
    const x = publicKey.export({ format: "jwk" }).x ?? "";
    const text = `svc-ed25519-pop-v1\n${account.developerId}\n${x}`;
    const proof = sign(null, Buffer.from(text), privateKey).toString("base64url");
    await accounts.call("POST", "/register", { signature_alg: "ed25519", public_key: x, proof }, account.as);

    const rotated = await accounts.call("POST", "/rotate-key", undefined, account.as);

    expect(rotated.body).toMatchObject({
      key: { signature_alg: "hmac-sha256" },
      previous_key: { key_id: rotated.body.key.rotated_from },
    });
    expect((await clientOf(rotated).get(ME)).status).toBe(200);
  });

  it("200: ten concurrent calls leave one working pair", async () => {
    const { post, pair, developerId } = await arrange();

    const answers = await Promise.all(Array.from({ length: 10 }, () => post("/rotate-key")));

    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const statuses = [(await pair.get(ME)).status];
    for (const answer of answers) statuses.push((await clientOf(answer).get(ME)).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(
      await accounts.query("select count(*)::int as count from api_keys where tenant_id = $1 and revoked_at is null", [
        developerId,
      ]),
    ).toEqual([{ count: 1 }]);
  });

  it("200: audit entries and events of the created and the revoked key", async () => {
    const { post, developerId, keyId } = await arrange();
    const { body } = await post("/rotate-key");

    const expected = [
      { type: "api_key.created", id: keyId },
      { type: "api_key.revoked", id: keyId },
      { type: "api_key.created", id: body.key.key_id },
    ];
    expect(
      await accounts.query(
        "select type, subject_id as id from events where tenant_id = $1 and type like 'api_key.%' order by event_id",
        [developerId],
      ),
    ).toEqual(expected);
    expect(
      await accounts.query(
        "select action as type, subject->>'id' as id from audit_entries where tenant_id = $1 and action like 'api_key.%' order by audit_id",
        [developerId],
      ),
    ).toEqual(expected);
  });

  it("409: a repeated Idempotency-Key does not show the secret; rows and logs do not contain it", async () => {
    const { post } = await arrange();
    const headers = { "idempotency-key": randomUUID() };

    const first = await post("/rotate-key", {}, headers);

    expect(first.status).toBe(200);
    expect(await post("/rotate-key", {}, headers)).toMatchObject({
      status: 409,
      body: { code: "secret_already_issued" },
    });
    expect((await clientOf(first).get(ME)).status).toBe(200);
    const stored = (await accounts.everyRow()) + harness.logLines.join("");
    expect(stored).toContain(headers["idempotency-key"]);
    expect(stored).not.toContain(first.body.api_key);
    expect(stored).not.toContain(first.body.api_secret);
  });

  it("403: the address is not verified", async () => {
    const { as } = await accounts.seedAccount({ verified: false });

    expect(await accounts.call("POST", "/rotate-key", undefined, as)).toMatchObject({
      status: 403,
      body: { code: "email_not_verified" },
    });
  });

  it("401: a signed request", async () => {
    const { pair } = await arrange();

    expect((await pair.post("/developers/rotate-key")).status).toBe(401);
    expect((await pair.get(ME)).status).toBe(200);
  });

  it("422: an unknown mode, or a body with fields", async () => {
    const { post, pair } = await arrange();

    for (const mode of ["tset", "", "LIVE"]) {
      const answer = await post("/rotate-key", undefined, { "x-svc-mode": mode });
      expect(answer, mode).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: "/headers/x-svc-mode" }] },
      });
    }
    expect((await post("/rotate-key", { mode: "test" })).status).toBe(422);
    expect((await pair.get(ME)).status).toBe(200);
  });

  it("503: the fast state fails before the change; a repeated Idempotency-Key then succeeds", async () => {
    const { post, pair } = await arrange();
    const headers = { "idempotency-key": randomUUID() };

    const answer = await store.while("suspendEpoch", () => post("/rotate-key", {}, headers));

    expect(answer).toMatchObject({ status: 503, body: { code: "service_unavailable" } });
    expect((await pair.get(ME)).status).toBe(200);
    expect((await post("/rotate-key", {}, headers)).status).toBe(200);
    expect((await pair.get(ME)).status).toBe(401);
  });
});
