import { Type } from "typebox";

/** An email address as identity providers return it, in any case. */
export const PersonAddress = Type.String({
  maxLength: 254,
  pattern: "^[^\\s@\\p{C}]{1,64}@[^\\s@\\p{C}]{1,189}$",
});

/**
 * Converts ASCII letters to lower case. Other letters could become letters of a different address: the Kelvin sign
 * becomes `k`, and the owner of that mailbox could then log in to this account.
 */
export function lowerCaseAddress(address: string): string {
  return address.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
