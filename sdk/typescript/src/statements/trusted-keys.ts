import { createPublicKey, type JsonWebKey, type KeyObject } from "node:crypto";
import { sha256Hex } from "../signing.ts";

/** The server's signing keys that the caller trusts, for example a saved copy of `/.well-known/jwks.json`. */
export interface TrustedKeys {
  readonly keys: readonly JsonWebKey[];
}

/**
 * Returns the Ed25519 keys by their ID, and ignores other keys. The ID is computed from the key, and the JWK's `kid` is
 * ignored.
 */
export function ed25519KeysById(keys: readonly JsonWebKey[]): ReadonlyMap<string, KeyObject> {
  return new Map(keys.flatMap(ed25519KeyWithId));
}

function ed25519KeyWithId(jwk: JsonWebKey): [keyId: string, key: KeyObject][] {
  if (jwk.kty !== "OKP" || jwk.crv !== "Ed25519") return [];
  const key = createPublicKey({ format: "jwk", key: jwk });
  return [[sha256Hex(Buffer.from(jwk.x ?? "", "base64url")).slice(0, 16), key]];
}
