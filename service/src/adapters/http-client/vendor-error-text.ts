import { redact } from "../../foundation/redact.ts";

const MESSAGE_LENGTH_MAX = 200;

/** Returns the first candidate that looks like an error code, such as `card_declined`, and contains no secret. */
export function safeVendorCode(candidates: readonly unknown[], secrets: readonly string[]): string | undefined {
  const isSecret = (text: string) => secrets.some((secret) => secret !== "" && text.includes(secret));
  return candidates.find(
    (text): text is string =>
      typeof text === "string" && /^[\w.-]{1,64}$/.test(text) && redact(text) === text && !isSecret(text),
  );
}

/**
 * Returns a vendor's error message in a form that is safe to log and store. Truncates the message and redacts secrets.
 * Vendors can repeat secrets from the request in their messages.
 */
export function safeVendorMessage(message: string, secrets: readonly string[]): string {
  const without = secrets
    .filter((secret) => secret !== "")
    .reduce((text, secret) => text.replaceAll(secret, "[redacted]"), message);
  const cut = (redact(without) ?? "").slice(0, MESSAGE_LENGTH_MAX);
  // PostgreSQL cannot store lone surrogates or NUL in jsonb, and a log line must not contain line feeds. These
  // characters are replaced after the truncation, because the truncation can split a surrogate pair.
  return cut.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "\ufffd");
}
