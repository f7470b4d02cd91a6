import { type Bytes, fromBase64Url, toBase64Url, toBytes, toHex } from "./crypto/bytes.ts";
import { sha256Hex, type WebCryptoKey } from "./crypto/hash.ts";
import { PurserError } from "./errors.ts";
import type { RequestKey, SignedRequest } from "./signing.ts";

/** The fields with which `developers.keys.issue` registers a public key. */
export interface Ed25519KeyProof {
  /** 32 bytes in base64url. */
  readonly public_key: string;
  /** A signature that proves that you have the private key, in base64url. */
  readonly proof: string;
}

const PEM = /^\s*-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/\s]+)-----END PRIVATE KEY-----\s*$/;
/** What precedes the key's 32 bytes in PKCS #8 (RFC 8410). */
const PKCS8_PREFIX = "302e020100300506032b657004220420";
const PKCS8_BYTES = 48;

/** @throws PurserError, without the key, if the text is not the PEM of an Ed25519 key. */
export function ed25519RequestKey(pem: string): RequestKey {
  const bytes = parsePem(pem);
  let key: Promise<WebCryptoKey> | undefined;
  return {
    coversNonce: true,
    sign: async (request) => {
      key ??= importKey(bytes);
      return toHex(await sign(await key, await ed25519Request(request)));
    },
  };
}

/** Returns the text that the Ed25519 signature of a request covers (docs/rules/signing.md). */
export async function ed25519Request(request: SignedRequest): Promise<string> {
  const { timestamp, nonce, method, path, agentId = "-", idempotencyKey = "-", body } = request;
  const lines = [timestamp, nonce, method.toUpperCase(), path, agentId, idempotencyKey, await sha256Hex(body)];
  return ["svc-ed25519-v1", ...lines].join("\n");
}

/**
 * Returns the public key of a private key, and the proof that you have the private key.
 *
 * @param privateKey an Ed25519 key in PEM (PKCS #8), for example from `openssl genpkey -algorithm ed25519`
 * @param developerId your `developer_id`, from `developers.me`
 */
export async function ed25519KeyProof(privateKey: string, developerId: string): Promise<Ed25519KeyProof> {
  const key = await importKey(parsePem(privateKey), { isExtractable: true });
  const { x: publicKey = "" } = await crypto.subtle.exportKey("jwk", key);
  const proof = await sign(key, `svc-ed25519-pop-v1\n${developerId}\n${publicKey}`);
  return { public_key: publicKey, proof: toBase64Url(proof) };
}

async function sign(key: WebCryptoKey, text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.sign("Ed25519", key, toBytes(text)));
}

/** Returns the key in PKCS #8. */
function parsePem(pem: string): Bytes {
  const text = PEM.exec(pem)?.[1]?.replace(/\s/g, "").replaceAll("+", "-").replaceAll("/", "_");
  const bytes = text === undefined ? undefined : fromBase64Url(text);
  if (bytes?.length !== PKCS8_BYTES || !toHex(bytes).startsWith(PKCS8_PREFIX)) {
    throw new PurserError("`privateKey` is not an unencrypted Ed25519 key in PEM.");
  }
  return bytes;
}

function importKey(pkcs8: Bytes, { isExtractable = false } = {}): Promise<WebCryptoKey> {
  return crypto.subtle.importKey("pkcs8", pkcs8, "Ed25519", isExtractable, ["sign"]);
}
