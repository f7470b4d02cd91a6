/** The digits of a card's number, as people write it: 13 to 19, beginning as the card networks' numbers do. */
const CANDIDATE = /(?<![0-9])[2-6](?:[ -]?[0-9]){12,18}(?![0-9])/g;

/** Whether a text holds what may be a card's number (ISO/IEC 7812-1). No such number is for us to see. */
export function holdsCardNumber(text: string): boolean {
  return (text.match(CANDIDATE) ?? []).some((found) => hasCheckDigit(found.replace(/[ -]/g, "")));
}

/** Luhn's sum: every second digit from the right counts double, less nine where that has two digits. */
function hasCheckDigit(digits: string): boolean {
  const values = Array.from(digits, Number).reverse();
  const sum = values.reduce((sofar, value, place) => {
    const weighted = place % 2 === 0 ? value : value * 2;
    return sofar + (weighted > 9 ? weighted - 9 : weighted);
  }, 0);
  return sum % 10 === 0;
}
