import { vendors } from "./vendors.ts";

/** Matches the name of a credential, such as `db_pass`, `clientSecret` or `PGPASSWORD`. */
const NAME = String.raw`(?<![\w-])[\w-]{0,64}(?:pass(?:word|wd)?|secret|token|api_?key|private_?key)`;

/**
 * Patterns of credentials: Purser's keys and secrets, the vendors' credentials, JWTs, passwords in URLs, and values
 * that are named like credentials. Each pattern starts at a word boundary or with a rare prefix and has bounded
 * repetitions, so that matching takes linear time even on text from a caller.
 */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/svc_s([ks])_(live|test)_[\w-]+/g, "svc_s$1_$2_[redacted]"],
  [/(?<![\w-])(?=[\w-]+\.[\w-]+\.[\w-])[\w-]*eyJ[\w-]*\.[\w-]+\.[\w-]+/g, "[redacted token]"],
  ...vendors.flatMap(({ credentials = [] }) => credentials.map((pattern) => [pattern, "[redacted]"] as const)),
  // A password can contain an unescaped "@". If a second "@" comes before the path, the password extends up to the
  // second one.
  [/((?<!\w)\w+:\/\/[^\s:/@]*):[^\s@]{1,512}@(?:[^\s@/"',]{0,128}@)*/g, "$1:[redacted]@"],
  // Named credentials in JSON, in JSON inside JSON, in the output of Node's inspect, and in environment variables and
  // URL-encoded forms.
  [new RegExp(String.raw`(${NAME}"?\s{0,8}:\s{0,8}")(?:[^"\\]|\\.)+`, "gis"), "$1[redacted]"],
  [new RegExp(String.raw`(${NAME}\\"\s{0,8}:\s{0,8}\\")(?:[^"\\]|\\\\\\"|\\[^"])+`, "gi"), "$1[redacted]"],
  [new RegExp(String.raw`(${NAME}'?\s{0,8}:\s{0,8}')(?:[^'\\]|\\.)+`, "gis"), "$1[redacted]"],
  [new RegExp(String.raw`(${NAME}=)[^\s&"']+`, "gi"), "$1[redacted]"],
];

/** Replaces the credentials in a text with `[redacted]`. */
export function redact(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  return SECRETS.reduce((result, [pattern, replacement]) => result.replace(pattern, replacement), text);
}

/** Returns the error that happened first. */
export function rootCauseOf(error: unknown): unknown {
  if (error instanceof AggregateError && error.errors.length > 0) return rootCauseOf(error.errors[0]);
  return error instanceof Error && error.cause !== undefined ? rootCauseOf(error.cause) : error;
}

/** Returns what happened first, for example `connect ECONNREFUSED 127.0.0.1:5432`, without credentials. */
export function redactedCause(error: unknown): string {
  const cause = rootCauseOf(error);
  const isExplained = cause instanceof Error && "internal" in cause && typeof cause.internal === "string";
  return isExplained ? (redact(String(cause.internal)) ?? "") : redactedMessage(cause);
}

/** Returns an error's message for the log, without credentials. */
export function redactedMessage(error: unknown): string {
  return redact(error instanceof Error ? error.message : String(error)) ?? "";
}
