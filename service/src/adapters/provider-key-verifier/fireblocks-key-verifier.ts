import { createPrivateKey, type KeyObject, randomUUID } from "node:crypto";
import { SignJWT } from "jose";
import { Type } from "typebox";
import { sha256Hex } from "../../crypto/signing.ts";
import type { ProviderKeyVerifier } from "../../ports/provider-key-verifier.ts";
import { bearer, vendorApi } from "../http-client/vendor-client.ts";
import { createKeyVerifier, failed, type KeyCheck, type KeyVerifierOptions, textOf, VERIFIED } from "./key-check.ts";

/** Fireblocks' API URLs for workspaces in the US, in Europe and in the sandbox. */
const API_URLS = [
  "https://api.fireblocks.io",
  "https://eu-api.fireblocks.io",
  "https://eu2-api.fireblocks.io",
  "https://sandbox-api.fireblocks.io",
] as const;
const PREFIX = "/v1";

/** Lifetime of a request token. Fireblocks' documentation requires less than 30 seconds. */
const LIFETIME_SECONDS = 25;

/** Limits the CPU time of a signature. */
const MODULUS_BITS_MAX = 8_192;

const AssetsResponse = Type.Array(Type.Object({ id: Type.String() }));

/** Checks a Fireblocks API user's key with a signed request for the supported assets, which every API user can read. */
export function createFireblocksKeyVerifier(options: KeyVerifierOptions): ProviderKeyVerifier {
  const vendor = { provider: "fireblocks", name: "Fireblocks", apiUrls: API_URLS, prefix: PREFIX } as const;
  return createKeyVerifier({ ...vendor, urlField: "base_url", required: "api_key", check }, options);
}

async function check({ client, baseUrl, required: apiKey, credentials, secrets, clock }: KeyCheck) {
  const path = `${PREFIX}/supported_assets`;
  const uri = new URL(baseUrl + path).pathname;
  const pem = textOf(credentials, "api_secret_pem") ?? "";
  const token = await signFireblocksRequest(pem, { apiKey, uri, body: "" }, clock.now());
  if (token === undefined) {
    return failed("api_secret_pem is not a 2048-bit to 8192-bit RSA private key in PEM format.");
  }
  const fireblocks = vendorApi(client, { "x-api-key": apiKey, ...bearer(token) });
  await fireblocks.get("getSupportedAssets", path, AssetsResponse, { secrets });
  return VERIFIED;
}

/**
 * Creates the token for one request (https://developers.fireblocks.com/reference/signing-a-request-jwt-structure). The
 * token is valid only for this path, query and body. Returns undefined if the PEM is not a usable RSA private key.
 */
async function signFireblocksRequest(
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
    bodyHash: sha256Hex(request.body),
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
