import { createHmac, timingSafeEqual } from "node:crypto";
import type { EnvBundle as ApiEnvBundle } from "./api-types.ts";
import { canonicalJson } from "./canonical-json.ts";
import { SignatureVerificationError } from "./errors.ts";
import { sha256Hex } from "./signing.ts";

export type EnvBundleVariable = ApiEnvBundle["variables"][number];

/** An env bundle without its values. */
export type EnvBundleFacts = Omit<ApiEnvBundle, "env">;

export type EnvBundle = EnvBundleFacts & { readonly env: Readonly<Record<string, string>> };

/** A bundle pulled with `names_only`. Its fingerprint is that of the values. */
export type EnvBundleNames = EnvBundleFacts & { readonly env: null };

/**
 * Checks `X-Svc-Signature` (lowercase hex HMAC-SHA256 under the API key's text) over the exact bytes of a
 * body, in either format, in a time that tells nothing of where a wrong one differs.
 *
 * @throws SignatureVerificationError when it is missing, malformed or of other bytes.
 */
export function verifyEnvSignature(
  bodyBytes: Uint8Array,
  signature: string | null | undefined,
  apiKey: string,
): void {
  if (!signature) {
    throw new SignatureVerificationError("The env bundle carries no X-Svc-Signature.");
  }
  const expected = createHmac("sha256", apiKey).update(bodyBytes).digest();
  const isHex = /^[0-9a-f]{64}$/.test(signature);
  if (!isHex || !timingSafeEqual(Buffer.from(signature, "hex"), expected)) {
    throw new SignatureVerificationError("The env bundle's X-Svc-Signature is not of its body.");
  }
}

/**
 * Checks the signature of a bundle in JSON and, where it carries values, computes its fingerprint again.
 *
 * @returns the bundle; `env` is null in one that was pulled with `names_only`.
 * @throws SignatureVerificationError when either does not hold.
 */
export function verifyEnvBundle(
  bodyBytes: Uint8Array,
  signature: string | null | undefined,
  apiKey: string,
): EnvBundle | EnvBundleNames {
  verifyEnvSignature(bodyBytes, signature, apiKey);
  const bundle = parseBundle(bodyBytes);
  if (bundle.env !== null && fingerprintOf(bundle.env) !== bundle.fingerprint) {
    throw new SignatureVerificationError("The env bundle's fingerprint is not of its values.");
  }
  return bundle;
}

/** The key's holder has signed these bytes, so their shape beyond what is used here is the service's word. */
function parseBundle(bodyBytes: Uint8Array): EnvBundle | EnvBundleNames {
  try {
    const bundle = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bodyBytes));
    if (typeof bundle?.env === "object") return bundle;
  } catch (cause) {
    throw new SignatureVerificationError("The env bundle is not JSON.", { cause });
  }
  throw new SignatureVerificationError("The env bundle has no env.");
}

function fingerprintOf(env: Readonly<Record<string, string>>): string {
  try {
    return sha256Hex(canonicalJson(env));
  } catch (cause) {
    throw new SignatureVerificationError("The env bundle has no canonical form.", { cause });
  }
}
