/**
 * Credentials as they may turn up in a text: our keys and secrets, JWTs, and the passwords of database addresses. A match
 * begins where a word does and nowhere inside it: a caller's text is looked through in a time that grows with its length.
 */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/svc_s([ks])_(live|test)_[\w-]+/g, "svc_s$1_$2_[redacted]"],
  [/(?<![\w-])(?=[\w-]+\.[\w-]+\.[\w-])[\w-]*eyJ[\w-]*\.[\w-]+\.[\w-]+/g, "[redacted token]"],
  [/((?<!\w)\w+:\/\/[^\s:/@]+):[^\s@/]+@/g, "$1:[redacted]@"],
];

/** The text without the credentials in it. */
export function redact(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  return SECRETS.reduce((rest, [pattern, instead]) => rest.replace(pattern, instead), text);
}
