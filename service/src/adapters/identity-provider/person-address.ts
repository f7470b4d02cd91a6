import { Type } from "typebox";

/** An address as an identity provider names it: of one piece, in whichever case. */
export const PersonAddress = Type.String({
  maxLength: 254,
  pattern: "^[^\\s@\\p{C}]{1,64}@[^\\s@\\p{C}]{1,189}$",
});

/**
 * In lower case as far as ASCII goes. Beyond it a letter may become one of somebody else's address: the Kelvin sign becomes
 * a `k`, and whoever has that mailbox would be let into the account of this one.
 */
export function lowerCaseAddress(address: string): string {
  return address.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
