import { createHmac } from "node:crypto";

/**
 * Derives 32 bytes from a secret and a purpose with HMAC-SHA256. The bytes reveal neither the secret nor the bytes for
 * another purpose. The parts of the purpose must not contain newlines.
 */
export function deriveSecret(secret: string, purpose: readonly [string, ...string[]]): Buffer {
  return createHmac("sha256", secret).update(purpose.join("\n")).digest();
}
