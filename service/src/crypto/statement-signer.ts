import { createPrivateKey, createPublicKey, type JsonWebKey, sign, verify } from "node:crypto";
import { sha256Hex } from "./signing.ts";

/** Signs statements of this service that others must be able to check: audit checkpoints now, receipts and proofs later. */
export interface StatementSigner {
  /** Names the key: the first 16 hex characters of the SHA-256 of its raw public half. */
  readonly keyId: string;
  /** The public half, as `/.well-known/jwks.json` shows it. */
  readonly publicJwk: JsonWebKey;
  /** Ed25519 over the text's UTF-8 bytes, base64url. */
  sign(text: string): string;
  /** Whether a signature was made by this key. */
  verify(text: string, signature: string): boolean;
}

/** @param privateKeyPem an Ed25519 private key as PKCS #8 PEM */
export function createStatementSigner(privateKeyPem: string): StatementSigner {
  const privateKey = createPrivateKey(privateKeyPem);
  if (privateKey.asymmetricKeyType !== "ed25519")
    throw new Error("The signing key is not Ed25519.");
  const publicKey = createPublicKey(privateKey);
  const jwk = publicKey.export({ format: "jwk" });
  const keyId = sha256Hex(Buffer.from(jwk.x ?? "", "base64url")).slice(0, 16);
  return {
    keyId,
    publicJwk: { ...jwk, kid: keyId, alg: "EdDSA", use: "sig" },
    sign: (text) => sign(null, Buffer.from(text), privateKey).toString("base64url"),
    verify: (text, signature) =>
      verify(null, Buffer.from(text), publicKey, Buffer.from(signature, "base64url")),
  };
}
