import { Type } from "typebox";

/** An email address as an identity provider sent it, not yet converted to lowercase. */
export const PersonAddress = Type.String({
  maxLength: 254,
  pattern: "^[^\\s@\\p{C}]{1,64}@[^\\s@\\p{C}]{1,189}$",
});

/**
 * Converts ASCII letters to lowercase. Other letters are not converted, because some would become ASCII letters. For
 * example, an address with the Kelvin sign (U+212A) would become another user's address with a `k`.
 */
export function lowerCaseAddress(address: string): string {
  return address.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
