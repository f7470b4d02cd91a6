import { Secret } from "otpauth";
import { sha256Hex } from "../../../crypto/signing.ts";

const CODES = 10;
/** 80 bits, so that nobody can guess one, and the plain hash of it tells nothing. */
const CODE_BYTES = 10;

/** Fresh codes for whoever has lost their device: `ABCD-EFGH-IJKL-MNOP`, in base 32, which has no 0 and no 1. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, () => {
    const { base32 } = new Secret({ size: CODE_BYTES });
    return (base32.match(/.{4}/g) ?? []).join("-");
  });
}

/** The hash under which a code is kept. However people write it: in small letters, with blanks or without hyphens. */
export function hashRecoveryCode(code: string): string {
  return sha256Hex(code.toUpperCase().replaceAll(/[\s-]/g, ""));
}
