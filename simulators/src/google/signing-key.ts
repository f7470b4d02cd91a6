import { calculateJwkThumbprint, exportJWK, generateKeyPair, type JWK } from "jose";
import type { VendorContext, VendorRoute } from "../kit/vendor-simulator.ts";

const TYPE = "signing_key";
const ID = "current";
/** Google's own says some five hours. */
const CACHE_CONTROL = "public, max-age=19000, must-revalidate, no-transform";

interface KeptKey {
  readonly secret: { readonly privateKey: JWK };
}

/** A private RSA key with its id, as a JWK. */
export async function makeSigningKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  const jwk = await exportJWK(privateKey);
  return { ...jwk, kid: await calculateJwkThumbprint(jwk), alg: "RS256", use: "sig" };
}

/** The vendor's key. It is made when it is first asked for, and kept: a restart would make every token a stranger's. */
export async function signingKeyOf({ objects }: VendorContext): Promise<JWK> {
  const kept = await objects.find<KeptKey>(TYPE, ID);
  if (kept !== undefined) return kept.data.secret.privateKey;
  const privateKey = await makeSigningKey();
  const isFirst = await objects.insert({
    type: TYPE,
    id: ID,
    state: "active",
    data: { secret: { privateKey } },
  });
  if (isFirst) return privateKey;
  const first = await objects.find<KeptKey>(TYPE, ID);
  if (first === undefined) throw new Error("The signing key was removed while it was made.");
  return first.data.secret.privateKey;
}

export function publicPartOf({ kty, n, e, kid, alg, use }: JWK): JWK {
  return Object.fromEntries(
    Object.entries({ kty, n, e, kid, alg, use }).filter(([, value]) => value !== undefined),
  );
}

/** The keys that ID tokens are checked with. */
export const certsRoute: VendorRoute = {
  operation: "certs",
  method: "GET",
  url: "/oauth2/v3/certs",
  auth: async () => "anybody",
  handle: async (_request, context) => ({
    status: 200,
    body: { keys: [publicPartOf(await signingKeyOf(context))] },
    headers: { "cache-control": CACHE_CONTROL },
  }),
};
