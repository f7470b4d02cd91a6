import { appendFileSync } from "node:fs";

/** The environment variable with the file of a test run's counts. The file has one `TalliedRequest` per line. */
export const VENDOR_TALLY_FILE = "VENDOR_TALLY_FILE";
/** The User-Agent of every adapter contains this. Requests that a test sends itself do not contain it. */
const ADAPTER_USER_AGENT = "purser/";
const DETAIL_LENGTH_MAX = 500;

export interface TalliedRequest {
  readonly vendor: string;
  /** `bad-answer`: the simulator's response was invalid, and was replaced by 599. */
  readonly mark: "valid" | "invalid" | "bad-answer";
  /** Method, path and problems. */
  readonly detail: string;
}

/**
 * Counts, over all processes of a test run, whether adapter requests conform to the vendors' OpenAPI descriptions. Does
 * nothing outside a test run.
 */
export function tally(userAgent: string | undefined, request: TalliedRequest): void {
  // biome-ignore lint/style/noProcessEnv: the variable must reach every worker and every process that a test starts.
  const file = process.env[VENDOR_TALLY_FILE];
  if (file === undefined || !userAgent?.includes(ADAPTER_USER_AGENT)) return;
  const line = JSON.stringify({ ...request, detail: request.detail.slice(0, DETAIL_LENGTH_MAX) });
  // One short append is atomic, so lines of several processes do not mix.
  appendFileSync(file, `${line}\n`);
}
