import { createHash, createPrivateKey, generateKeyPairSync } from "node:crypto";
import { type JWTPayload, SignJWT, UnsecuredJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestVendor } from "../../test/start-test-vendor.ts";
import { fireblocksCredentials } from "./api-users.ts";
import { fireblocksSimulator } from "./fireblocks-simulator.ts";

const AT = new Date("2026-01-01T12:00:00.000Z");
const NOW = AT.getTime() / 1_000;
const PATH = "/v1/supported_assets";
const UNAUTHORIZED = { status: 401, body: { message: "invalid signature", code: -1 } };

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

function tokenOf(change: Record<string, unknown> = {}, pem = credentials.api_secret_pem): Promise<string> {
  return new SignJWT(claims(change)).setProtectedHeader({ alg: "RS256" }).sign(createPrivateKey(pem));
}

async function get(token: string | undefined, headers: Record<string, string> = {}, path = PATH) {
  const response = await fetch(vendor.url + path, {
    headers: {
      "x-api-key": credentials.api_key,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

describe("Fireblocks request tokens", () => {
  it("401: the token was already used", async () => {
    const token = await tokenOf();
    const { status, body } = await get(token);
    expect(status).toBe(200);
    expect(body).toContainEqual(expect.objectContaining({ id: "USDC", type: "ERC20" }));
    expect(await get(token)).toEqual(UNAUTHORIZED);
  });

  it("401: the nonce was already used in another token", async () => {
    expect(await get(await tokenOf({ nonce: "once" }))).toMatchObject({ status: 200 });
    expect(await get(await tokenOf({ nonce: "once", iat: NOW - 1 }))).toEqual(UNAUTHORIZED);
    expect(await get(await tokenOf({ nonce: "twice" }))).toMatchObject({ status: 200 });
  });

  it.each([
    ["the lifetime of the SDKs", { exp: NOW + 56 }],
    ["the older SDK's hash of an empty body", { bodyHash: createHash("sha256").update('""').digest("hex") }],
  ])("200: %s", async (_what, change) => {
    expect(await get(await tokenOf(change))).toMatchObject({ status: 200 });
  });

  it("200: a rejected token's nonce can be used again", async () => {
    expect(await get(await tokenOf({ nonce: "unused", uri: "/v1/other" }))).toEqual(UNAUTHORIZED);
    expect(await get(await tokenOf({ nonce: "unused" }))).toMatchObject({ status: 200 });
  });

  it.each<[string, Record<string, unknown>]>([
    ["expired", { iat: NOW - 31, exp: NOW - 2 }],
    ["expired this second", { iat: NOW - 20, exp: NOW }],
    ["issued too long ago, but not expired", { iat: NOW - 57, exp: NOW + 5 }],
    ["issued in the future", { iat: NOW + 5, exp: NOW + 30 }],
    ["lifetime too long", { exp: NOW + 57 }],
    ["no exp", { exp: undefined }],
    ["no iat", { iat: undefined }],
    ["a different path", { uri: "/v1/vault/accounts" }],
    ["a query that is not sent", { uri: `${PATH}?a=b` }],
    ["a different body", { bodyHash: createHash("sha256").update("{}").digest("hex") }],
    ["no body hash", { bodyHash: undefined }],
    ["no nonce", { nonce: undefined }],
    ["a different user", { sub: "00000000-0000-4000-8000-000000000000" }],
    ["no sub", { sub: undefined }],
    ["an additional claim", { admin: true }],
  ])("401: %s", async (_what, change) => {
    expect(await get(await tokenOf(change))).toEqual(UNAUTHORIZED);
  });

  it("401: the token's URI lacks the query string", async () => {
    expect(await get(await tokenOf(), {}, `${PATH}?a=b`)).toEqual(UNAUTHORIZED);
    expect(await get(await tokenOf({ uri: `${PATH}?a=b` }), {}, `${PATH}?a=b`)).toMatchObject({
      status: 400,
    });
  });

  it("401: wrong key, wrong algorithm, no signature, no token", async () => {
    const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
    const pem = String(privateKey.export({ type: "pkcs8", format: "pem" }));
    expect(await get(await tokenOf({}, pem))).toEqual(UNAUTHORIZED);
    const secret = Buffer.from(publicKey.export({ type: "spki", format: "pem" }));
    const hmac = new SignJWT(claims()).setProtectedHeader({ alg: "HS256" }).sign(secret);
    expect(await get(await hmac)).toEqual(UNAUTHORIZED);
    const stronger = new SignJWT(claims())
      .setProtectedHeader({ alg: "RS512" })
      .sign(createPrivateKey(credentials.api_secret_pem));
    expect(await get(await stronger)).toEqual(UNAUTHORIZED);
    expect(await get(new UnsecuredJWT(claims()).encode())).toEqual(UNAUTHORIZED);
    for (const none of [undefined, "", "x.y.z"]) expect(await get(none)).toEqual(UNAUTHORIZED);
  });

  it("401: another user's API key", async () => {
    const { refusedCredentials } = await fireblocksCredentials(vendor.context);
    const other = { "x-api-key": refusedCredentials.api_key };
    expect(await get(await tokenOf({ sub: refusedCredentials.api_key }), other)).toEqual(UNAUTHORIZED);
    expect(await get(await tokenOf(), other)).toEqual(UNAUTHORIZED);
    expect(await get(await tokenOf(), { "x-api-key": "" })).toEqual(UNAUTHORIZED);
  });
});
