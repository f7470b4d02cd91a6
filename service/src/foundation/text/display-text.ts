/** Embeddings, overrides and isolates. They change the order in which the text around them is displayed. */
const DIRECTION_CONTROLS = /[\u202a-\u202e\u2066-\u2069]/g;

/** Characters that are not displayed, such as zero-width spaces and soft hyphens. */
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;

/** Letters, digits, punctuation and symbols, without the blank Braille pattern. */
const VISIBLE = /[[\p{L}\p{N}\p{P}\p{S}]--[\u2800]]/v;

/** Returns true if the text cannot change how the text around it is displayed. */
export function isDisplaySafe(text: string): boolean {
  return text.search(DIRECTION_CONTROLS) === -1;
}

/** Returns true if the text shows something and is safe to display. */
export function isVisible(text: string): boolean {
  return isDisplaySafe(text) && VISIBLE.test(withoutIgnorable(text));
}

/** Returns the text as it is compared: without characters that are not displayed. */
export function withoutIgnorable(text: string): string {
  return text.replaceAll(IGNORABLE, "");
}

/** Removes the characters that `isDisplaySafe` rejects, for text that was stored before they were rejected. */
export function withoutDirectionControls(text: string): string {
  return text.replaceAll(DIRECTION_CONTROLS, "");
}
