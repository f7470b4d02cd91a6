import { Secret } from "otpauth";
import { sha256Hex } from "../../../crypto/signing.ts";

const CODE_COUNT = 10;
/** 80 bits: too many to guess, so an unsalted hash is safe. */
const CODE_BYTES = 10;

/** Returns new recovery codes such as `ABCD-EFGH-IJKL-MNOP`. Base32 has no 0 and no 1. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: CODE_COUNT }, () => {
    const { base32 } = new Secret({ size: CODE_BYTES });
    return (base32.match(/.{4}/g) ?? []).join("-");
  });
}

/** Returns the hash by which a code is stored. It is the same for small letters, with spaces and without hyphens. */
export function hashRecoveryCode(code: string): string {
  return sha256Hex(code.toUpperCase().replaceAll(/[\s-]/g, ""));
}
