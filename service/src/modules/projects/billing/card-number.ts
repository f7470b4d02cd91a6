/** 13 to 19 digits with optional spaces or hyphens. Numbers of card networks start with 2 to 6. */
const CANDIDATE = /(?<![0-9])[2-6](?:[ -]?[0-9]){12,18}(?![0-9])/g;

/** Whether a text contains a possible card number (ISO/IEC 7812-1). Purser must never receive one. */
export function containsCardNumber(text: string): boolean {
  return (text.match(CANDIDATE) ?? []).some((found) => hasCheckDigit(found.replace(/[ -]/g, "")));
}

/** The Luhn check: every second digit from the right counts double, minus nine if that has two digits. */
function hasCheckDigit(digits: string): boolean {
  const values = Array.from(digits, Number).reverse();
  const sum = values.reduce((sofar, value, position) => {
    const weighted = position % 2 === 0 ? value : value * 2;
    return sofar + (weighted > 9 ? weighted - 9 : weighted);
  }, 0);
  return sum % 10 === 0;
}
