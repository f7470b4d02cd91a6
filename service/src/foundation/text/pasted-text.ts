/**
 * Returns a code from an authenticator app without the spaces and hyphens with which it is displayed or copied, and with
 * full-width digits as ASCII digits.
 */
export function normalizeCode(text: string): string {
  return text.normalize("NFKC").replaceAll(/[\s\p{Pd}\p{Cf}]/gu, "");
}

/** Returns a pasted credential without surrounding white space and quotes. */
export function normalizeCredential(text: string): string {
  const trimmed = text.trim();
  const [, , quoted] = /^(["'`])(.*)\1$/s.exec(trimmed) ?? [];
  return quoted?.trim() ?? trimmed;
}

/**
 * Returns a pasted PEM file with one final line feed, without quotes and indentation, and with line breaks where the
 * text has the two characters `\n`, as in a JSON file or an environment variable.
 */
export function normalizePem(text: string): string {
  return normalizeCredential(text)
    .split(/\\r\\n|\\n|\r?\n/)
    .map((line) => line.trim())
    .join("\n")
    .trim()
    .concat("\n");
}
