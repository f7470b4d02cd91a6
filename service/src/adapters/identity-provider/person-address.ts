import { Type } from "typebox";

/** An email address as an identity provider sent it, not yet normalized. */
export const PersonAddress = Type.String({
  maxLength: 254,
  pattern: "^[^\\s@\\p{C}]{1,64}@[^\\s@\\p{C}]{1,189}$",
});
