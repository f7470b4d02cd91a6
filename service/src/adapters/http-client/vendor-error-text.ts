import { redact } from "../../foundation/redact.ts";

const SENTENCE_LENGTH_MAX = 200;

/** The first of a vendor's words that has a code's form, and holds no secret: `card_declined`. */
export function safeVendorCode(
  words: readonly unknown[],
  secrets: readonly string[],
): string | undefined {
  const isSecret = (word: string) =>
    secrets.some((secret) => secret !== "" && word.includes(secret));
  return words.find(
    (word): word is string =>
      typeof word === "string" && /^[\w.-]{1,64}$/.test(word) && !isSecret(word),
  );
}

/** A vendor's sentence as it may be logged and kept: without secrets, of which vendors repeat those that they were sent. */
export function safeVendorMessage(sentence: string, secrets: readonly string[]): string {
  const without = secrets
    .filter((secret) => secret !== "")
    .reduce((text, secret) => text.replaceAll(secret, "[redacted]"), sentence);
  const cut = (redact(without) ?? "").slice(0, SENTENCE_LENGTH_MAX);
  // After the cut, which may halve a character: PostgreSQL takes neither a half into jsonb nor NUL, and a log no line feed.
  return cut.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "\ufffd");
}
