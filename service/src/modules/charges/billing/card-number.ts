/** Matches 13 to 19 digits with optional spaces or hyphens. Payment card numbers start with a digit from 2 to 6. */
const CANDIDATE = /(?<![0-9])[2-6](?:[ -]?[0-9]){12,18}(?![0-9])/g;

/** Returns true if the text contains a possible card number (ISO/IEC 7812-1). Purser must never store one. */
export function containsCardNumber(text: string): boolean {
  return (text.match(CANDIDATE) ?? []).some((found) => hasCheckDigit(found.replace(/[ -]/g, "")));
}

/**
 * Returns true if the digits pass the Luhn check. Every second digit from the right is doubled, and nine is subtracted
 * from doubles with two digits. The sum of all digits must then be a multiple of ten.
 */
function hasCheckDigit(digits: string): boolean {
  const values = Array.from(digits, Number).reverse();
  const sum = values.reduce((sofar, value, position) => {
    const weighted = position % 2 === 0 ? value : value * 2;
    return sofar + (weighted > 9 ? weighted - 9 : weighted);
  }, 0);
  return sum % 10 === 0;
}
