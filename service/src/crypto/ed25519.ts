import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { Point } from "@noble/ed25519";
import { sha256Hex } from "./signing.ts";

const PUBLIC_KEY = /^[A-Za-z0-9_-]{43}$/;
const SIGNATURE = /^[A-Za-z0-9_-]{86}$/;

/** The parts of a request that an Ed25519 signature covers (docs/rules/signing.md). */
export interface Ed25519SignedParts {
  readonly timestamp: string;
  readonly nonce: string;
  readonly method: string;
  /** Path and query string, as received. */
  readonly target: string;
  readonly agentId: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly bodyHash: string;
}

export function ed25519Canonical(parts: Ed25519SignedParts): string {
  const { timestamp, nonce, method, target, agentId = "-", idempotencyKey = "-", bodyHash } = parts;
  return ["svc-ed25519-v1", timestamp, nonce, method.toUpperCase(), target, agentId, idempotencyKey, bodyHash].join(
    "\n",
  );
}

/** Imports a public key for use with `verifyEd25519`. Check the text with `isSafePublicKey` first. */
export function importEd25519PublicKey(publicKey: string): KeyObject {
  return createPublicKey({ format: "jwk", key: { kty: "OKP", crv: "Ed25519", x: publicKey } });
}

export function verifyEd25519(key: KeyObject, text: string, signature: Uint8Array): boolean {
  return verify(null, Buffer.from(text), key, signature);
}

/**
 * Returns true if a public key can be registered: 32 bytes in base64url that encode a canonical curve point. Rejects
 * the eight points of small order. If the public key is such a point, one signature can match any message ("Taming the
 * many EdDSAs", IACR ePrint 2020/1244). OpenSSL rejects those points in Node 24 and accepts them in Node 20.
 */
export function isSafePublicKey(publicKey: string): boolean {
  if (!PUBLIC_KEY.test(publicKey)) return false;
  const bytes = Buffer.from(publicKey, "base64url");
  if (bytes.toString("base64url") !== publicKey) return false;
  try {
    return !Point.fromBytes(Uint8Array.from(bytes), false).isSmallOrder();
  } catch {
    return false;
  }
}

/**
 * Returns true if `proof` is this key's signature of the proof-of-possession text (docs/rules/signing.md).
 *
 * @param holderId the id of the developer or agent that holds the private key
 */
export function verifyProofOfPossession(
  publicKey: string,
  proof: string,
  { holderId }: { readonly holderId: string },
): boolean {
  if (!SIGNATURE.test(proof)) return false;
  const text = `svc-ed25519-pop-v1\n${holderId}\n${publicKey}`;
  return verifyEd25519(importEd25519PublicKey(publicKey), text, Buffer.from(proof, "base64url"));
}

/** Returns the id of a public key in base64url: the first 16 hex characters of the SHA-256 of its bytes. */
export function ed25519KeyId(publicKey: string): string {
  return sha256Hex(Buffer.from(publicKey, "base64url")).slice(0, 16);
}
