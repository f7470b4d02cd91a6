import { createHmac, hash, randomBytes } from "node:crypto";
import { sha256Hex } from "./signing.ts";

export interface SecretToken {
  /** 32 random bytes in base64url. Sent to the token's owner and never stored. */
  readonly token: string;
  readonly tokenHash: string;
}

export function newSecretToken(): SecretToken {
  const token = randomBytes(32).toString("base64url");
  return { token, tokenHash: sha256Hex(token) };
}

/**
 * Derives 32 bytes from a secret and a purpose with HMAC-SHA256. The bytes reveal neither the secret nor the bytes for
 * another purpose. The parts of the purpose must not contain newlines.
 */
export function deriveSecret(secret: string, purpose: readonly [string, ...string[]]): Buffer {
  return createHmac("sha256", secret).update(purpose.join("\n")).digest();
}

/** Returns the PKCE challenge of a verifier (RFC 7636, section 4.2). */
export function codeChallengeOf(codeVerifier: string): string {
  return hash("sha256", codeVerifier, "base64url");
}
