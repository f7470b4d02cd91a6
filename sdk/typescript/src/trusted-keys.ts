import { fromBase64Url, toBytes } from "./crypto/bytes.ts";
import { sha256Hex, type WebCryptoKey } from "./crypto/hash.ts";

/** A public key as a JWK (RFC 7517). */
export interface TrustedKey {
  readonly kty?: string | undefined;
  readonly crv?: string | undefined;
  readonly x?: string | undefined;
}

/** The server's signing keys that the caller trusts, for example a saved copy of `/.well-known/jwks.json`. */
export interface TrustedKeys {
  readonly keys: readonly TrustedKey[];
}

/**
 * Returns the Ed25519 keys by their id, and ignores other keys. The id is computed from the key, and the JWK's `kid` is
 * ignored.
 */
export async function ed25519KeysById(keys: readonly TrustedKey[]): Promise<ReadonlyMap<string, WebCryptoKey>> {
  const found = await Promise.all(keys.map(ed25519KeyWithId));
  return new Map(found.filter((each) => each !== undefined));
}

/** Returns true if the key signed the text. `signature` is base64url. One signature has only one text. */
export async function isSignedBy(key: WebCryptoKey, signature: string, text: string): Promise<boolean> {
  const bytes = fromBase64Url(signature);
  return bytes !== undefined && (await crypto.subtle.verify("Ed25519", key, bytes, toBytes(text)));
}

async function ed25519KeyWithId({ kty, crv, x = "" }: TrustedKey): Promise<[keyId: string, WebCryptoKey] | undefined> {
  const bytes = kty === "OKP" && crv === "Ed25519" ? fromBase64Url(x) : undefined;
  if (bytes === undefined) return undefined;
  const id = (await sha256Hex(bytes)).slice(0, 16);
  return [id, await crypto.subtle.importKey("raw", bytes, "Ed25519", false, ["verify"])];
}
