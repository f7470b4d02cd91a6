import type { EnvBundle as ApiEnvBundle } from "./api-types.ts";
import { canonicalJson } from "./canonical-json.ts";
import { fromHex } from "./crypto/bytes.ts";
import { importHmacKey, sha256Hex } from "./crypto/hash.ts";
import { SignatureVerificationError } from "./errors.ts";

export type EnvBundleVariable = ApiEnvBundle["variables"][number];

/** All fields of an env bundle except the values. */
export type EnvBundleFacts = Omit<ApiEnvBundle, "env">;

export type EnvBundle = EnvBundleFacts & { readonly env: Readonly<Record<string, string>> };

/** A bundle that was pulled with `names_only`. Its `fingerprint` is still computed from the values. */
export type EnvBundleNames = EnvBundleFacts & { readonly env: null };

/**
 * Verifies the `X-Svc-Signature` header of an env bundle in `json`, `dotenv` or `docker` format. The header is the lowercase hex
 * HMAC-SHA256 of the body, keyed with the API key's text. The comparison takes constant time
 * (docs/rules/env-bundles.md).
 *
 * @throws SignatureVerificationError if the signature is missing, malformed or does not match the body.
 */
export async function verifyEnvSignature(
  bodyBytes: Uint8Array,
  signature: string | null | undefined,
  apiKey: string,
): Promise<void> {
  if (!signature) {
    throw new SignatureVerificationError("The env bundle has no X-Svc-Signature header.");
  }
  const isHex = /^[0-9a-f]{64}$/.test(signature);
  // WebCrypto compares in constant time.
  const key = await importHmacKey(apiKey, "verify");
  if (!isHex || !(await crypto.subtle.verify("HMAC", key, fromHex(signature), new Uint8Array(bodyBytes)))) {
    throw new SignatureVerificationError("The env bundle's X-Svc-Signature does not match its body.");
  }
}

/**
 * Verifies the signature of a JSON bundle. If the bundle has values, also verifies its fingerprint.
 *
 * @returns the bundle, whose `env` is null if it was pulled with `names_only`.
 * @throws SignatureVerificationError if the signature or the fingerprint does not match.
 */
export async function verifyEnvBundle(
  bodyBytes: Uint8Array,
  signature: string | null | undefined,
  apiKey: string,
): Promise<EnvBundle | EnvBundleNames> {
  await verifyEnvSignature(bodyBytes, signature, apiKey);
  const bundle = parseBundle(bodyBytes);
  if (bundle.env !== null && (await fingerprintOf(bundle.env)) !== bundle.fingerprint) {
    throw new SignatureVerificationError("The env bundle's fingerprint does not match its values.");
  }
  return bundle;
}

/** The server's signature has been verified, so only the fields that this file uses are checked. */
function parseBundle(bodyBytes: Uint8Array): EnvBundle | EnvBundleNames {
  try {
    const bundle = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bodyBytes));
    if (typeof bundle?.env === "object") return bundle;
  } catch (cause) {
    throw new SignatureVerificationError("The env bundle is not JSON.", { cause });
  }
  throw new SignatureVerificationError("The env bundle has no env.");
}

async function fingerprintOf(env: Readonly<Record<string, string>>): Promise<string> {
  try {
    return await sha256Hex(canonicalJson(env));
  } catch (cause) {
    throw new SignatureVerificationError("The env bundle has no canonical form.", { cause });
  }
}
