import { Type } from "typebox";

/** An address as an identity provider names it: of one piece, in whichever case. */
export const PersonAddress = Type.String({
  maxLength: 254,
  pattern: "^[^\\s@\\p{C}]{1,64}@[^\\s@\\p{C}]{1,189}$",
});
