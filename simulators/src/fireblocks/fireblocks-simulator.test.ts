import { createHash, createPrivateKey, generateKeyPairSync } from "node:crypto";
import { type JWTPayload, SignJWT, UnsecuredJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestVendor } from "../../test/start-test-vendor.ts";
import { fireblocksCredentials } from "./api-users.ts";
import { fireblocksSimulator } from "./fireblocks-simulator.ts";

const AT = new Date("2026-01-01T12:00:00.000Z");
const NOW = AT.getTime() / 1_000;
const PATH = "/v1/supported_assets";
const REFUSED = { status: 401, body: { message: "invalid signature", code: -1 } };

let vendor: Awaited<ReturnType<typeof startTestVendor>>;
let credentials: Awaited<ReturnType<typeof fireblocksCredentials>>["credentials"];
beforeAll(async () => {
  vendor = await startTestVendor(fireblocksSimulator(), { now: () => AT });
  ({ credentials } = await fireblocksCredentials(vendor.context));
});
afterAll(() => vendor.close());

let nonces = 0;
function claims(change: Record<string, unknown> = {}): JWTPayload {
  nonces += 1;
  return {
    uri: PATH,
    nonce: `nonce-${nonces}`,
    iat: NOW,
    exp: NOW + 29,
    sub: credentials.api_key,
    bodyHash: createHash("sha256").update("").digest("hex"),
    ...change,
  };
}

function tokenOf(
  change: Record<string, unknown> = {},
  pem = credentials.api_secret_pem,
): Promise<string> {
  return new SignJWT(claims(change))
    .setProtectedHeader({ alg: "RS256" })
    .sign(createPrivateKey(pem));
}

async function get(token: string | undefined, headers: Record<string, string> = {}, path = PATH) {
  const answer = await fetch(vendor.url + path, {
    headers: {
      "x-api-key": credentials.api_key,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
  });
  return { status: answer.status, body: JSON.parse(await answer.text()) };
}

describe("Fireblocks' tokens", () => {
  it("are good for one request", async () => {
    const token = await tokenOf();
    const { status, body } = await get(token);
    expect(status).toBe(200);
    expect(body).toContainEqual(expect.objectContaining({ id: "USDC", type: "ERC20" }));
    expect(await get(token)).toEqual(REFUSED);
  });

  it("are refused with a nonce that was seen, whatever else is new in them", async () => {
    expect(await get(await tokenOf({ nonce: "once" }))).toMatchObject({ status: 200 });
    expect(await get(await tokenOf({ nonce: "once", iat: NOW - 1 }))).toEqual(REFUSED);
    expect(await get(await tokenOf({ nonce: "twice" }))).toMatchObject({ status: 200 });
  });

  it.each([
    ["with the lifetime of the SDKs", { exp: NOW + 56 }],
    [
      "with the older SDK's hash of no body",
      { bodyHash: createHash("sha256").update('""').digest("hex") },
    ],
  ])("are good %s", async (_what, change) => {
    expect(await get(await tokenOf(change))).toMatchObject({ status: 200 });
  });

  it("do not spend their nonce where they are refused", async () => {
    expect(await get(await tokenOf({ nonce: "spared", uri: "/v1/other" }))).toEqual(REFUSED);
    expect(await get(await tokenOf({ nonce: "spared" }))).toMatchObject({ status: 200 });
  });

  it.each<[string, Record<string, unknown>]>([
    ["stale", { iat: NOW - 31, exp: NOW - 2 }],
    ["ended this second", { iat: NOW - 20, exp: NOW }],
    ["issued too long ago, whenever they end", { iat: NOW - 57, exp: NOW + 5 }],
    ["of the future", { iat: NOW + 5, exp: NOW + 30 }],
    ["good for too long", { exp: NOW + 57 }],
    ["without an end", { exp: undefined }],
    ["without a time", { iat: undefined }],
    ["for another path", { uri: "/v1/vault/accounts" }],
    ["for a query that is not sent", { uri: `${PATH}?a=b` }],
    ["for another body", { bodyHash: createHash("sha256").update("{}").digest("hex") }],
    ["without the body's hash", { bodyHash: undefined }],
    ["without a nonce", { nonce: undefined }],
    ["of another user", { sub: "00000000-0000-4000-8000-000000000000" }],
    ["of nobody", { sub: undefined }],
    ["with a claim more", { admin: true }],
  ])("are refused: %s", async (_what, change) => {
    expect(await get(await tokenOf(change))).toEqual(REFUSED);
  });

  it("are refused where they are for the path without the query", async () => {
    expect(await get(await tokenOf(), {}, `${PATH}?a=b`)).toEqual(REFUSED);
    expect(await get(await tokenOf({ uri: `${PATH}?a=b` }), {}, `${PATH}?a=b`)).toMatchObject({
      status: 400,
    });
  });

  it("are refused from another key, another algorithm, or none", async () => {
    const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
    const pem = String(privateKey.export({ type: "pkcs8", format: "pem" }));
    expect(await get(await tokenOf({}, pem))).toEqual(REFUSED);
    const secret = Buffer.from(publicKey.export({ type: "spki", format: "pem" }));
    const hmac = new SignJWT(claims()).setProtectedHeader({ alg: "HS256" }).sign(secret);
    expect(await get(await hmac)).toEqual(REFUSED);
    const stronger = new SignJWT(claims())
      .setProtectedHeader({ alg: "RS512" })
      .sign(createPrivateKey(credentials.api_secret_pem));
    expect(await get(await stronger)).toEqual(REFUSED);
    expect(await get(new UnsecuredJWT(claims()).encode())).toEqual(REFUSED);
    for (const none of [undefined, "", "x.y.z"]) expect(await get(none)).toEqual(REFUSED);
  });

  it("are refused beside the API key of somebody else", async () => {
    const { refusedCredentials } = await fireblocksCredentials(vendor.context);
    const other = { "x-api-key": refusedCredentials.api_key };
    expect(await get(await tokenOf({ sub: refusedCredentials.api_key }), other)).toEqual(REFUSED);
    expect(await get(await tokenOf(), other)).toEqual(REFUSED);
    expect(await get(await tokenOf(), { "x-api-key": "" })).toEqual(REFUSED);
  });
});
