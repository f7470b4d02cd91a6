import { createHmac } from "node:crypto";

/**
 * 32 bytes that follow from a secret and from what they are for, and tell nothing of the secret nor of what follows from it
 * for another purpose. The parts are joined by newlines: none of them holds one.
 */
export function deriveSecret(secret: string, purpose: readonly [string, ...string[]]): Buffer {
  return createHmac("sha256", secret).update(purpose.join("\n")).digest();
}
