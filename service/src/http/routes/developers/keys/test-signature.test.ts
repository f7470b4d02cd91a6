import { createHmac, generateKeyPairSync, randomUUID, sign } from "node:crypto";
import { describe, expect, it } from "vitest";
import { PREFIX, useHarness } from "../../../../../test/harness.ts";
import { sha256Hex } from "../../../../crypto/signing.ts";

const KEYS = "/developers/me/keys";
const NONCE = "nonce-of-sixteen";

describe("POST /developers/me/keys/{key_id}/test-signature", () => {
  const harness = useHarness();
  const timestamp = () => String(Math.floor(harness.clock.now().getTime() / 1000));
  const route = (keyId: string) => `${KEYS}/${keyId}/test-signature`;

  async function arrange() {
    const tenant = await harness.seedTenant();
    const test = await harness.seedKey(tenant.tenantId, { mode: "test" });
    return { tenant, test };
  }

  it("200: the text of an HMAC request; its signature is accepted", async () => {
    const { tenant, test } = await arrange();
    const body = JSON.stringify({ name: "Déjà vu" });
    const request = { method: "post", path: `${PREFIX}/projects`, timestamp: timestamp(), body };

    const described = await tenant.post(route(test.keyId), request);

    expect(described).toMatchObject({
      status: 200,
      body: {
        object: "test_signature",
        key_id: test.keyId,
        signature_alg: "hmac-sha256",
        canonical: `${request.timestamp}.POST.${PREFIX}/projects.${sha256Hex(body)}`,
        also_accepted: [],
        body_hash: sha256Hex(body),
        skew_seconds: 0,
      },
    });
    const signature = createHmac("sha256", sha256Hex(test.apiSecret)).update(described.body.canonical).digest("hex");
    expect((await test.sendRaw("POST", "/projects", body, { signature })).status).toBe(201);
  });

  it("200: the text with and without the query string, and the skew of the timestamp", async () => {
    const { tenant, test } = await arrange();
    const stamp = String(Number(timestamp()) - 45);

    const { body } = await tenant.post(route(test.keyId), {
      method: "GET",
      path: `${PREFIX}/projects?page=1`,
      timestamp: stamp,
    });

    expect(body).toMatchObject({
      canonical: `${stamp}.GET.${PREFIX}/projects.${sha256Hex("")}`,
      also_accepted: [`${stamp}.GET.${PREFIX}/projects?page=1.${sha256Hex("")}`],
      skew_seconds: -45,
    });
    for (const text of [body.canonical, ...body.also_accepted]) {
      const signature = createHmac("sha256", sha256Hex(test.apiSecret))
        .update(text.replace(stamp, timestamp()))
        .digest("hex");
      expect((await test.get("/projects?page=1", { signature })).status, text).toBe(200);
    }
  });

  it("200: the text of an Ed25519 request, with nonce, agent and idempotency key", async () => {
    const { tenant } = await arrange();
    const { publicKey, privateKey } = generateKeyPairSync("ed25519");
    const x = publicKey.export({ format: "jwk" }).x ?? "";
    const pop = `svc-ed25519-pop-v1\n${tenant.tenantId}\n${x}`;
    const { body: key } = await tenant.post(KEYS, {
      name: "ed",
      mode: "test",
      signature_alg: "ed25519",
      public_key: x,
      proof: sign(null, Buffer.from(pop), privateKey).toString("base64url"),
    });
    const agentId = randomUUID();
    const request = { method: "GET", path: `${PREFIX}/projects?page=1`, timestamp: timestamp() };

    const missing = await tenant.post(route(key.key_id), request);
    const { body } = await tenant.post(route(key.key_id), {
      ...request,
      nonce: NONCE,
      agent_id: agentId,
    });

    expect(missing).toMatchObject({ status: 422, body: { errors: [{ pointer: "/body/nonce" }] } });
    expect(body).toMatchObject({ signature_alg: "ed25519", also_accepted: [] });
    expect(body.canonical.split("\n")).toEqual([
      "svc-ed25519-v1",
      request.timestamp,
      NONCE,
      "GET",
      request.path,
      agentId,
      "-",
      sha256Hex(""),
    ]);
    const answer = await harness.clientOf(key.api_key, "").get("/projects?page=1", {
      nonce: NONCE,
      headers: { "x-agent-id": agentId },
      signature: sign(null, Buffer.from(body.canonical), privateKey).toString("hex"),
    });
    expect(answer.status).toBe(200);
  });

  it("200: the response contains neither signature nor key material", async () => {
    const { tenant, test } = await arrange();
    const request = { method: "GET", path: "/", timestamp: timestamp(), nonce: NONCE };

    const { text } = await tenant.post(route(test.keyId), request);

    const signingKey = sha256Hex(test.apiSecret);
    const signature = createHmac("sha256", signingKey).update(JSON.parse(text).canonical).digest("hex");
    for (const secret of [test.apiKey, test.apiSecret, signingKey, signature]) {
      expect(text).not.toContain(secret);
    }
  });

  it.each([
    { method: "GET" },
    { method: "GE T", path: "/", timestamp: "1700000000" },
    { method: "GET", path: "no", timestamp: "1700000000" },
    { method: "GET", path: "/a b", timestamp: "1700000000" },
    { method: "GET", path: "/", timestamp: "170000000" },
    { method: "GET", path: "/", timestamp: 1_700_000_000 },
    { method: "GET", path: "/", timestamp: "1700000000", nonce: "short" },
    { method: "GET", path: "/", timestamp: "1700000000", agent_id: "agent" },
    { method: "GET", path: "/", timestamp: "1700000000", api_secret: "svc_ss_test_" },
  ])("422: %j", async (body) => {
    const { tenant, test } = await arrange();

    expect((await tenant.post(route(test.keyId), body)).status).toBe(422);
  });
});
