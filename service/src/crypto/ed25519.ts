import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { Point } from "@noble/ed25519";

const PUBLIC_KEY = /^[A-Za-z0-9_-]{43}$/;
const SIGNATURE = /^[A-Za-z0-9_-]{86}$/;

/** What a request under an Ed25519 key signs (contract, ruling 3): everything that the older scheme leaves out as well. */
export interface Ed25519SignedParts {
  readonly timestamp: string;
  readonly nonce: string;
  readonly method: string;
  /** The path with its query, as received. */
  readonly target: string;
  readonly agentId: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly bodyHash: string;
}

export function ed25519Canonical(parts: Ed25519SignedParts): string {
  const { timestamp, nonce, method, target, agentId = "-", idempotencyKey = "-", bodyHash } = parts;
  return [
    "svc-ed25519-v1",
    timestamp,
    nonce,
    method.toUpperCase(),
    target,
    agentId,
    idempotencyKey,
    bodyHash,
  ].join("\n");
}

/** A public key as the platform checks signatures with it. The text has been through `isSafePublicKey`. */
export function importEd25519PublicKey(publicKey: string): KeyObject {
  return createPublicKey({ format: "jwk", key: { kty: "OKP", crv: "Ed25519", x: publicKey } });
}

export function verifyEd25519(key: KeyObject, text: string, signature: Uint8Array): boolean {
  return verify(null, Buffer.from(text), key, signature);
}

/**
 * Whether a text is a public key that may be registered: 32 bytes as base64url, a canonical point of the curve, and none of
 * the eight of small order, under which one signature fits any message ("Taming the many EdDSAs", IACR ePrint 2020/1244).
 * Node 24's OpenSSL refuses those by itself, Node 20's takes them.
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

/** Whether the proof of possession is a signature of this key over the text of contract ruling 3. */
export function isPossessionProven(
  publicKey: string,
  proof: string,
  { developerId }: { readonly developerId: string },
): boolean {
  if (!SIGNATURE.test(proof)) return false;
  const text = `svc-ed25519-pop-v1\n${developerId}\n${publicKey}`;
  return verifyEd25519(importEd25519PublicKey(publicKey), text, Buffer.from(proof, "base64url"));
}
