import { createHash, createPrivateKey, type KeyObject, randomUUID } from "node:crypto";
import { SignJWT } from "jose";

/** Fireblocks' documentation takes less than 30 seconds, its own clients 55. */
const LIFETIME_SECONDS = 25;

/** Beyond this a signature takes the processor's time for nothing. */
const MODULUS_BITS_MAX = 8_192;

/**
 * A token for one request (https://developers.fireblocks.com/reference/signing-a-request-jwt-structure): for this path,
 * query included, this body, and a short time from now. Undefined where the PEM is no RSA key that can sign.
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
  // jose refuses to sign with a key of another kind, or of less than 2048 bits.
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
