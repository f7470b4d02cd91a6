import { createPublicKey, generateKeyPairSync, randomUUID } from "node:crypto";
import { type JWTPayload, SignJWT } from "jose";
import { describe, expect, it } from "vitest";
import { accountsOf } from "../../../../test/accounts.ts";
import { useHarness } from "../../../../test/harness.ts";
import { createAccessTokens, DASHBOARD_TOKENS } from "../../../crypto/access-tokens.ts";

const { privateKey } = generateKeyPairSync("ed25519");
const OUR_PRIVATE_KEY_PEM = privateKey.export({ type: "pkcs8", format: "pem" }).toString();

describe("GET /developers/dashboard/me", () => {
  const harness = useHarness({
    replace: () => ({ accessTokens: createAccessTokens(OUR_PRIVATE_KEY_PEM, DASHBOARD_TOKENS) }),
  });
  const accounts = accountsOf(harness);

  const profile = (headers: Record<string, string>) => accounts.call("GET", "/dashboard/me", undefined, { headers });

  /** Returns a valid token, and a function that signs a copy of the token with changed claims, header or key. */
  async function arrange() {
    const { accessToken, developerId } = await accounts.seedAccount();
    const [, encoded = ""] = accessToken.split(".");
    const claims: JWTPayload = JSON.parse(Buffer.from(encoded, "base64url").toString());
    const header = { alg: "EdDSA", typ: "at+jwt" };
    const forge = (
      changes: object = {},
      { protectedHeader = {}, key = privateKey }: { protectedHeader?: object; key?: unknown } = {},
    ) =>
      new SignJWT({ ...claims, ...changes })
        .setProtectedHeader({ ...header, ...protectedHeader })
        .sign(key as typeof privateKey);
    return { accessToken, claims, developerId, forge };
  }

  it("200: the token in the header, or in the cookie", async () => {
    const { accessToken, developerId, forge } = await arrange();
    const expected = { status: 200, body: { object: "developer", developer_id: developerId } };

    expect(await profile({ authorization: `Bearer ${accessToken}` })).toMatchObject(expected);
    expect(await profile({ cookie: `svc_access=${accessToken}` })).toMatchObject(expected);
    expect(await profile({ authorization: `Bearer ${await forge()}` })).toMatchObject(expected);
  });

  it("200: whether and when the developer registered for the API", async () => {
    const { as } = await accounts.seedAccount();
    const registeredAt = async () => (await accounts.call("GET", "/dashboard/me", undefined, as)).body.registered_at;

    expect(await registeredAt()).toBeNull();
    await accounts.call("POST", "/register", {}, as);

    expect(await registeredAt()).toBe(harness.clock.now().toISOString());
  });

  it("401: an invalid header, even with a valid cookie", async () => {
    const { accessToken } = await arrange();
    const cookie = `svc_access=${accessToken}`;

    for (const authorization of ["Bearer x.y.z", "Bearer", accessToken, `bearer ${accessToken}`]) {
      expect((await profile({ authorization, cookie })).status).toBe(401);
    }
  });

  it("401: from 900 seconds after the token was issued", async () => {
    const { accessToken } = await arrange();
    const authorization = `Bearer ${accessToken}`;

    harness.clock.advanceSeconds(899);
    expect((await profile({ authorization })).status).toBe(200);
    harness.clock.advanceSeconds(1);
    expect((await profile({ authorization })).status).toBe(401);
  });

  it("401: forged tokens, all with the same response", async () => {
    const { accessToken, claims, forge } = await arrange();
    const other = await arrange();
    const now = Math.floor(harness.clock.now().getTime() / 1000);
    const [head = "", body = "", signature = ""] = accessToken.split(".");
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const publicPem = createPublicKey(privateKey).export({ type: "spki", format: "pem" });
    const otherKey = generateKeyPairSync("ed25519");
    const rsa = generateKeyPairSync("rsa", { modulusLength: 2_048 });

    const forged = {
      "without a signature": `${encode({ alg: "none", typ: "at+jwt" })}.${body}.`,
      "with an unused signature": `${encode({ alg: "none", typ: "at+jwt" })}.${body}.${signature}`,
      "signed with the public key": await new SignJWT(claims)
        .setProtectedHeader({ alg: "HS256", typ: "at+jwt" })
        .sign(Buffer.from(publicPem.toString())),
      "with a different algorithm": await forge({}, { protectedHeader: { alg: "RS256" }, key: rsa.privateKey }),
      "signed with a different key": await forge({}, { key: otherKey.privateKey }),
      "with its own public key in the header": await forge(
        {},
        {
          protectedHeader: { jwk: otherKey.publicKey.export({ format: "jwk" }) },
          key: otherKey.privateKey,
        },
      ),
      "with a different type": await forge({}, { protectedHeader: { typ: "JWT" } }),
      "for a different audience": await forge({ aud: "purser-admin" }),
      "from a different issuer": await forge({ iss: "another" }),
      "expired by a second": await forge({ exp: now - 1 }),
      "expiring now": await forge({ exp: now }),
      "not valid yet": await forge({ nbf: now + 60 }),
      "without an expiry": await forge({ exp: undefined }),
      "without a session": await forge({ sid: undefined }),
      "for an unknown session": await forge({ sid: `ses_${randomUUID()}` }),
      "for another developer's session": await forge({ sub: other.claims.sub }),
      "without a subject": await forge({ sub: undefined }),
      "with other claims": `${head}.${encode({ ...claims, sub: other.claims.sub })}.${signature}`,
      "with a cut signature": accessToken.slice(0, -4),
    };

    const answers = await Promise.all(
      Object.values(forged).map((token) => profile({ authorization: `Bearer ${token}` })),
    );

    const refused = Object.fromEntries(Object.keys(forged).map((name, index) => [name, answers[index]?.status]));
    expect(refused).toEqual(Object.fromEntries(Object.keys(forged).map((name) => [name, 401])));
    const bodies = answers.map(({ body: { request_id: _id, ...rest } }) => JSON.stringify(rest));
    expect(new Set(bodies).size).toBe(1);
  });
});
