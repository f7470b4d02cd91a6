import { createHash, createPrivateKey, type KeyObject, randomUUID } from "node:crypto";
import { SignJWT } from "jose";

/** Lifetime of a request token. Fireblocks' documentation requires less than 30 seconds. */
const LIFETIME_SECONDS = 25;

/** Limits the CPU time of a signature. */
const MODULUS_BITS_MAX = 8_192;

/**
 * Creates the token for one request (https://developers.fireblocks.com/reference/signing-a-request-jwt-structure). The
 * token is valid only for this path, query and body. Returns undefined if the PEM is not a usable RSA private key.
 */
export async function signFireblocksRequest(
  secretPem: string,
  request: { readonly apiKey: string; readonly uri: string; readonly body: string },
  now: Date,
): Promise<string | undefined> {
  const key = readSecret(secretPem);
  if (key === undefined) return undefined;
  const issuedAt = Math.floor(now.getTime() / 1_000);
  const token = new SignJWT({
    uri: request.uri,
    nonce: randomUUID(),
    bodyHash: createHash("sha256").update(request.body).digest("hex"),
  })
    .setProtectedHeader({ alg: "RS256", typ: "JWT" })
    .setSubject(request.apiKey)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + LIFETIME_SECONDS);
  // jose rejects other key types and RSA keys shorter than 2048 bits.
  return token.sign(key).catch(() => undefined);
}

function readSecret(pem: string): KeyObject | undefined {
  try {
    const key = createPrivateKey(pem);
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
    return bits <= MODULUS_BITS_MAX ? key : undefined;
  } catch {
    return undefined;
  }
}
