import { createECDH, createPrivateKey, sign } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTestVendor } from "../../test/start-test-vendor.ts";
import { turnkeyCredentials } from "./organizations.ts";
import { p256PublicKey } from "./p256-key.ts";
import { turnkeySimulator } from "./turnkey-simulator.ts";

type TestVendor = Awaited<ReturnType<typeof startTestVendor>>;
let vendor: TestVendor;
/** Does not check calls against Turnkey's OpenAPI description, so that the simulator's own checks are tested. */
let withoutContract: TestVendor;
beforeAll(async () => {
  vendor = await startTestVendor(turnkeySimulator());
  withoutContract = await startTestVendor(turnkeySimulator(), { contract: null });
});
afterAll(async () => {
  await vendor.close();
  await withoutContract.close();
});

const { credentials, refusedCredentials } = turnkeyCredentials();
const BODY = JSON.stringify({ organizationId: credentials.organization_id });

function signatureOf(text: string, privateKey = credentials.api_private_key): string {
  const curve = createECDH("prime256v1");
  curve.setPrivateKey(privateKey, "hex");
  const { x, y } = p256PublicKey(curve.getPublicKey("hex", "compressed")).export({ format: "jwk" });
  const d = Buffer.from(privateKey, "hex").toString("base64url");
  const jwk = { kty: "EC", crv: "P-256", d, ...(x && { x }), ...(y && { y }) };
  const key = createPrivateKey({ key: jwk, format: "jwk" });
  return sign("sha256", Buffer.from(text), { key, dsaEncoding: "der" }).toString("hex");
}

function stampOf(text: string, change: object = {}): string {
  const stamp = {
    publicKey: credentials.api_public_key,
    scheme: "SIGNATURE_SCHEME_TK_API_P256",
    signature: signatureOf(text),
    ...change,
  };
  return Buffer.from(JSON.stringify(stamp)).toString("base64url");
}

async function whoami(stamp: string | undefined, body = BODY, to = vendor) {
  const response = await fetch(`${to.url}/public/v1/query/whoami`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(stamp === undefined ? {} : { "x-stamp": stamp }),
    },
    body,
  });
  return { status: response.status, body: JSON.parse(await response.text()) };
}

const UNAUTHORIZED = { status: 401, body: { code: 16, message: expect.any(String), details: [] } };

describe("Turnkey stamps", () => {
  it("200: returns the stamp's user", async () => {
    expect(await whoami(stampOf(BODY))).toEqual({
      status: 200,
      body: {
        organizationId: credentials.organization_id,
        organizationName: "Acme",
        userId: expect.any(String),
        username: "Acme's server",
      },
    });
  });

  it("401: the body was changed after it was stamped, even by a space", async () => {
    expect(await whoami(stampOf(BODY), BODY.replace(":", ": "))).toEqual(UNAUTHORIZED);
    expect(await whoami(stampOf(BODY), BODY.replace("4f6c", "4f6d"))).toEqual(UNAUTHORIZED);
    expect(await whoami(stampOf(`${BODY} `), `${BODY} `)).toMatchObject({ status: 200 });
  });

  it.each([
    ["none", undefined],
    ["an empty object", "e30"],
    ["not base64url", "{}"],
    ["not JSON", Buffer.from("{").toString("base64url")],
    ["padded", `${stampOf(BODY).replace(/=*$/, "")}=`],
    ["a different scheme", stampOf(BODY, { scheme: "SIGNATURE_SCHEME_TK_API_SECP256K1" })],
    ["an unknown field", stampOf(BODY, { organizationId: credentials.organization_id })],
    ["signed with another key", stampOf(BODY, { signature: signatureOf(BODY, refusedCredentials.api_private_key) })],
    ["a key that is not a point on the curve", stampOf(BODY, { publicKey: `02${"ff".repeat(32)}` })],
    ["a signature that is not DER", stampOf(BODY, { signature: "00".repeat(70) })],
    ["a truncated signature", stampOf(BODY, { signature: signatureOf(BODY).slice(0, -2) })],
  ])("401: %s", async (_what, stamp) => {
    expect(await whoami(stamp)).toEqual(UNAUTHORIZED);
  });

  it("401: an unregistered key with a valid signature", async () => {
    const { api_public_key: publicKey, api_private_key: privateKey } = refusedCredentials;
    const signature = signatureOf(BODY, privateKey);
    expect(await whoami(stampOf(BODY, { publicKey, signature }))).toEqual(UNAUTHORIZED);
  });

  it("401: an expired key", async () => {
    const id = credentials.api_public_key;
    await withoutContract.context.objects.update("api_key", id, { state: "expired" });
    expect(await whoami(stampOf(BODY), BODY, withoutContract)).toEqual(UNAUTHORIZED);
    await withoutContract.context.objects.update("api_key", id, { state: "active" });
    expect(await whoami(stampOf(BODY), BODY, withoutContract)).toMatchObject({ status: 200 });
  });
});

describe("whoami", () => {
  it("200: the key's organization or its parent; 401: a sub-organization of the key's organization", async () => {
    const keys = await vendor.context.objects.list<{ credentials: typeof credentials }>("api_key");
    const child = keys.map(({ data }) => data.credentials)[1];
    if (child === undefined) throw new Error("The sub-organization is missing.");
    const change = (text: string) => ({
      publicKey: child.api_public_key,
      signature: signatureOf(text, child.api_private_key),
    });
    for (const organizationId of [child.organization_id, credentials.organization_id]) {
      const body = JSON.stringify({ organizationId });
      expect(await whoami(stampOf(body, change(body)), body)).toMatchObject({
        status: 200,
        body: { organizationId: child.organization_id },
      });
    }
    const up = JSON.stringify({ organizationId: child.organization_id });
    expect(await whoami(stampOf(up), up)).toEqual(UNAUTHORIZED);
  });

  it.each(["{}", '{"organizationId":7}', `${BODY.slice(0, -1)},"extra":1}`, "[]", "no"])(
    "400 with a stamp, 401 without: the body %s",
    async (body) => {
      for (const to of [vendor, withoutContract]) {
        expect(await whoami(undefined, body, to)).toEqual(UNAUTHORIZED);
        expect(await whoami(stampOf(body), body, to)).toMatchObject({
          status: 400,
          body: { code: 3, message: expect.stringContaining("bad request body"), details: [] },
        });
      }
    },
  );
});
