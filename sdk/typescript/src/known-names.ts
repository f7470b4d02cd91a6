import { PurserError } from "./errors.ts";

/**
 * Refuses misspelled names, which JavaScript would ignore: a payment with `idempotency_key` instead of `idempotencyKey`
 * would be executed twice.
 *
 * @throws PurserError for a name that is not known. The message lists those that are.
 */
export function refuseUnknownNames(given: object, known: readonly string[], noun: string): void {
  const unknown = Object.keys(given).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new PurserError(`There is no ${noun} \`${unknown}\`. There are: ${known.join(", ")}.`);
}
