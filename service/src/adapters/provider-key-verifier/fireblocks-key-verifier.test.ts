import { createPrivateKey, generateKeyPairSync } from "node:crypto";
import { fireblocksSimulator } from "@purser/simulators/fireblocks/fireblocks-simulator.ts";
import { decodeJwt } from "jose";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestVendor } from "../../../../simulators/test/start-test-vendor.ts";
import { systemClock } from "../../foundation/clock.ts";
import type { ProviderCredentials } from "../../ports/provider-key-verifier.ts";
import { createFireblocksKeyVerifier } from "./fireblocks-key-verifier.ts";

let vendor: Awaited<ReturnType<typeof startTestVendor>>;
let credentials: { readonly api_key: string; readonly api_secret_pem: string };
beforeAll(async () => {
  vendor = await startTestVendor(fireblocksSimulator());
  const [user] = await vendor.context.objects.list<{ credentials: typeof credentials }>("api_user");
  if (user === undefined) throw new Error("The simulator has no API user.");
  credentials = user.data.credentials;
});
afterAll(() => vendor.close());

function verify(sent: ProviderCredentials, live = vendor.url) {
  const apiUrl = { live, test: vendor.url };
  return createFireblocksKeyVerifier({ apiUrl, clock: systemClock }).verify(sent, "live");
}

const pkcs8 = { type: "pkcs8", format: "pem" } as const;
const spki = { type: "spki", format: "pem" } as const;
const NO_SECRET = {
  status: "failed",
  detail: "api_secret_pem is not a 2048-bit to 8192-bit RSA private key in PEM format.",
};

describe("createFireblocksKeyVerifier", () => {
  it("signs each request separately, for its path and for less than 30 seconds", async () => {
    await verify(credentials);
    await verify(credentials);
    const tokens = vendor.requests
      .list()
      .slice(-2)
      .map(({ headers }) => decodeJwt(String(headers.authorization).replace("Bearer ", "")));
    for (const { iat = 0, exp = 0, ...claims } of tokens) {
      expect(exp - iat).toBeLessThan(30);
      expect(claims).toEqual({
        uri: "/v1/supported_assets",
        nonce: expect.stringMatching(/^[0-9a-f-]{36}$/),
        bodyHash: "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        sub: credentials.api_key,
      });
    }
    expect(tokens[0]?.["nonce"]).not.toBe(tokens[1]?.["nonce"]);
  });

  it("verified: a key in PKCS #1 PEM", async () => {
    const key = createPrivateKey(credentials.api_secret_pem);
    const pem = String(key.export({ type: "pkcs1", format: "pem" }));
    expect(pem).toContain("BEGIN RSA PRIVATE KEY");
    expect(await verify({ ...credentials, api_secret_pem: pem })).toMatchObject({
      status: "verified",
    });
  });

  it("failed: another user's private key", async () => {
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
    const pem = String(privateKey.export(pkcs8));
    expect(await verify({ ...credentials, api_secret_pem: pem })).toEqual({
      status: "failed",
      detail: "Fireblocks rejected these keys.",
    });
  });

  it("failed without a call: not a usable private key", async () => {
    const before = vendor.requests.list().length;
    // A fake key, because generating a real one of this length would take too long.
    const long = Buffer.alloc(1_025, 0xff).toString("base64url");
    const half = Buffer.alloc(513, 0xff).toString("base64url");
    const parts = { n: long, d: long, p: half, q: half, dp: half, dq: half, qi: half };
    const jwk = { kty: "RSA", e: "AQAB", ...parts };
    const tooLong = createPrivateKey({ key: jwk, format: "jwk" });
    expect(tooLong.asymmetricKeyDetails?.modulusLength).toBe(8_200);
    const rsa = generateKeyPairSync("rsa", { modulusLength: 1_024 });
    const pss = generateKeyPairSync("rsa-pss", { modulusLength: 2_048 });
    const ec = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const { privateKey: sealed } = generateKeyPairSync("rsa", {
      modulusLength: 2_048,
      publicKeyEncoding: spki,
      privateKeyEncoding: { ...pkcs8, cipher: "aes-256-cbc", passphrase: "x" },
    });
    const secrets = [
      tooLong.export(pkcs8),
      "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
      credentials.api_secret_pem.slice(0, 400),
      rsa.privateKey.export(pkcs8),
      pss.privateKey.export(pkcs8),
      ec.privateKey.export(pkcs8),
      rsa.publicKey.export(spki),
      sealed,
    ];
    for (const secret of secrets) {
      expect(await verify({ ...credentials, api_secret_pem: String(secret) })).toEqual(NO_SECRET);
    }
    expect(vendor.requests.list()).toHaveLength(before);
  });

  it.each(["", "/", "/v1", "/v1/"])("verified: base_url ends with %j", async (ending) => {
    const base_url = vendor.url + ending;
    expect(await verify({ ...credentials, base_url }, "http://127.0.0.1:9")).toMatchObject({
      status: "verified",
    });
  });
});
