import { vendors } from "./vendors/index.ts";

/** How that is called whose value is a credential: the end of `db_pass`, `clientSecret`, `PGPASSWORD`. */
const NAME = String.raw`(?<![\w-])[\w-]{0,64}(?:pass(?:word|wd)?|secret|token|api_?key|private_?key)`;

/**
 * Credentials as they may turn up in a text: our keys and secrets, the vendors', JWTs, the passwords of addresses, and what
 * is named as one. A match begins where a word does, or with letters that are seldom anything else, and is never looked for
 * without a bound: a caller's text is looked through in a time that grows with its length.
 */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/svc_s([ks])_(live|test)_[\w-]+/g, "svc_s$1_$2_[redacted]"],
  [/(?<![\w-])(?=[\w-]+\.[\w-]+\.[\w-])[\w-]*eyJ[\w-]*\.[\w-]+\.[\w-]+/g, "[redacted token]"],
  ...vendors.flatMap(({ credentials = [] }) =>
    credentials.map((pattern) => [pattern, "[redacted]"] as const),
  ),
  // A password may hold what should have been escaped: an address with a second "@" before its path goes on to that one.
  [/((?<!\w)\w+:\/\/[^\s:/@]*):[^\s@]{1,512}@(?:[^\s@/"',]{0,128}@)*/g, "$1:[redacted]@"],
  // In JSON, in JSON within JSON, in what Node prints, and in environments and forms.
  [new RegExp(String.raw`(${NAME}"?\s{0,8}:\s{0,8}")(?:[^"\\]|\\.)+`, "gis"), "$1[redacted]"],
  [
    new RegExp(String.raw`(${NAME}\\"\s{0,8}:\s{0,8}\\")(?:[^"\\]|\\\\\\"|\\[^"])+`, "gi"),
    "$1[redacted]",
  ],
  [new RegExp(String.raw`(${NAME}'?\s{0,8}:\s{0,8}')(?:[^'\\]|\\.)+`, "gis"), "$1[redacted]"],
  [new RegExp(String.raw`(${NAME}=)[^\s&"']+`, "gi"), "$1[redacted]"],
];

/** The text without the credentials in it. */
export function redact(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  return SECRETS.reduce((rest, [pattern, instead]) => rest.replace(pattern, instead), text);
}

/** What an error says, for the log: without the credentials that may stand in it. */
export function redactedMessage(error: unknown): string {
  return redact(error instanceof Error ? error.message : String(error)) ?? "";
}
