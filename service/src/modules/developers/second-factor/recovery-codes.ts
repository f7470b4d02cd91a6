import { Secret } from "otpauth";
import { sha256Hex } from "../../../crypto/signing.ts";
import { normalizeCode } from "../../../foundation/text/pasted-text.ts";

const CODE_COUNT = 10;
/** A code has 80 random bits and cannot be guessed, so an unsalted hash is safe. */
const CODE_BYTES = 10;

/**
 * Returns new recovery codes such as `ABCD-EFGH-IJKL-MNOP`. Base32 avoids the digits 0 and 1, which look like letters.
 */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: CODE_COUNT }, () => {
    const { base32 } = new Secret({ size: CODE_BYTES });
    return (base32.match(/.{4}/g) ?? []).join("-");
  });
}

/** Returns the hash under which a recovery code is stored. Ignores case, spaces and hyphens. */
export function hashRecoveryCode(code: string): string {
  return sha256Hex(normalizeCode(code).toUpperCase());
}
