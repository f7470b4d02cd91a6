import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from "jose";
import type { VendorContext, VendorRoute } from "../kit/vendor-simulator.ts";

const TYPE = "signing_key";
const ID = "current";
/** Clients may cache the key set for about five hours, as in Google's responses. */
const CACHE_CONTROL = "public, max-age=19000, must-revalidate, no-transform";

interface StoredKey {
  readonly secret: { readonly privateKey: JWK };
}

/** Creates a private RSA key with a key ID, in JWK format. */
export async function createSigningKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  const jwk = await exportJWK(privateKey);
  return { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: "RS256", use: "sig" };
}

/**
 * Returns the vendor's signing key. It is created and stored on the first call, so tokens stay valid after a restart.
 */
export async function getSigningKey({ objects }: VendorContext): Promise<JWK> {
  const stored = await objects.find<StoredKey>(TYPE, ID);
  if (stored !== undefined) return stored.data.secret.privateKey;
  const privateKey = await createSigningKey();
  const isFirst = await objects.insert({
    type: TYPE,
    id: ID,
    state: "active",
    data: { secret: { privateKey } },
  });
  if (isFirst) return privateKey;
  const first = await objects.find<StoredKey>(TYPE, ID);
  if (first === undefined) throw new Error("The signing key was removed while it was being created.");
  return first.data.secret.privateKey;
}

export function publicPartOf({ kty, n, e, kid, alg, use }: JWK): JWK {
  return Object.fromEntries(Object.entries({ kty, n, e, kid, alg, use }).filter(([, value]) => value !== undefined));
}

/** The key set for verifying ID tokens. */
export const certsRoute: VendorRoute = {
  operation: "certs",
  method: "GET",
  url: "/oauth2/v3/certs",
  auth: async () => "anyone",
  handle: async (_request, context) => ({
    status: 200,
    body: { keys: [publicPartOf(await getSigningKey(context))] },
    headers: { "cache-control": CACHE_CONTROL },
  }),
};
