import { Type } from "typebox";

/** An amount on its way in: decimal text, or a JSON number, which is read from its own digits (contract, ruling 12). */
export const DecimalIn = Type.String({
  format: "decimal",
  maxLength: 25,
  description: "A decimal amount, as text or as a JSON number. Never rounded.",
  examples: ["100.00"],
});

/** An amount on its way out. */
export const DecimalOut = Type.String({ examples: ["100.00"] });
