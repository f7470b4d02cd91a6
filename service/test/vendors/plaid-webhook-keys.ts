import { randomUUID } from "node:crypto";
import { exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";
import { sha256Hex } from "../../src/crypto/signing.ts";
import { startMisbehavingVendor } from "./misbehaving-vendor.ts";

export interface PlaidKey {
  /** The key as Plaid publishes it. */
  readonly published: JWK & { readonly kid: string; expired_at: number | null };
  /** Returns the headers of a webhook with this body. */
  readonly sign: (body: string, at: Date) => Promise<Readonly<Record<string, string>>>;
}

/** Creates a key with which Plaid could sign webhooks. `kid` is the id of another key, to pretend to be it. */
export async function newPlaidKey(kid: string = randomUUID()): Promise<PlaidKey> {
  const { privateKey, publicKey } = await generateKeyPair("ES256");
  return {
    published: { ...(await exportJWK(publicKey)), kid, alg: "ES256", expired_at: null },
    sign: async (body, at) => ({
      "plaid-verification": await new SignJWT({ request_body_sha256: sha256Hex(body) })
        .setProtectedHeader({ alg: "ES256", kid, typ: "JWT" })
        .setIssuedAt(at)
        .sign(privateKey),
    }),
  };
}

/** Starts a server that publishes the first of these keys, or answers that it knows no key. Stops with the test. */
export async function startKeyServer(keys: readonly PlaidKey[]) {
  const calls: string[] = [];
  const apiUrl = await startMisbehavingVendor((response, request) => {
    calls.push(request);
    const [key] = keys;
    if (key !== undefined) return response.end(JSON.stringify({ key: key.published }));
    const error = { error_type: "INVALID_INPUT", error_code: "INVALID_WEBHOOK_VERIFICATION_KEY_ID", error_message: "" };
    return response.writeHead(400).end(JSON.stringify(error));
  });
  return { apiUrl, calls };
}
