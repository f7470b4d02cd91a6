import { Type } from "typebox";
import { DECIMAL_PATTERN } from "../money.ts";

/**
 * An amount in a request: decimal text, or a JSON number that is replaced by its source digits before validation
 * (docs/api.md, section 11). The `decimal` format rejects any remaining number, so no amount is ever a float.
 */
export const DecimalIn = Type.Unsafe<string>({
  $id: "AmountInput",
  type: ["string", "number"],
  format: "decimal",
  pattern: DECIMAL_PATTERN,
  maxLength: 25,
  minimum: 0,
  exclusiveMaximum: 1e18,
  description:
    "Decimal amount such as 12.50, as text or as a JSON number: up to 18 digits before the point and six after it. Never rounded.",
  examples: ["100.00"],
});

/** An amount in a request that is greater than zero. */
export const PositiveDecimalIn = { ...DecimalIn, $id: "PositiveAmountInput", exclusiveMinimum: 0 };

/** A decimal amount in a response, as a string such as `100.00`. Can be negative. */
export const DecimalOut = Type.String({
  $id: "Amount",
  pattern: "^-?(0|[1-9]\\d*)(\\.\\d+)?$",
  examples: ["100.00"],
});
