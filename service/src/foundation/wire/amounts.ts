import { Type } from "typebox";
import { DECIMAL_PATTERN } from "../money.ts";

/**
 * An amount on its way in: decimal text, or a JSON number, which is replaced by its own digits before anything reads it
 * (contract, ruling 12). Numbers that are left are refused by the format, so that no amount is ever a float.
 */
export const DecimalIn = Type.Unsafe<string>({
  type: ["string", "number"],
  format: "decimal",
  pattern: DECIMAL_PATTERN,
  maxLength: 25,
  minimum: 0,
  exclusiveMaximum: 1e18,
  description:
    "An amount in decimal notation, such as 12.50: text or a JSON number, with at most 18 digits before the point. Never rounded.",
  examples: ["100.00"],
});

/** An amount on its way out. */
export const DecimalOut = Type.String({
  pattern: "^-?(0|[1-9]\\d*)(\\.\\d+)?$",
  examples: ["100.00"],
});
