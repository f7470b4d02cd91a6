import { appendFileSync } from "node:fs";

/**
 * The environment variable with the path of the file in which a test run records the checked requests. Each line of the
 * file is a `TalliedRequest` in JSON.
 */
export const VENDOR_TALLY_FILE = "VENDOR_TALLY_FILE";
/** Part of every adapter's User-Agent. Requests that a test sends directly do not contain it. */
const ADAPTER_USER_AGENT = "purser/";
const DETAIL_LENGTH_MAX = 500;

export interface TalliedRequest {
  readonly vendor: string;
  /** `bad-answer` marks an invalid response of the simulator, which was replaced by a 599. */
  readonly mark: "valid" | "invalid" | "bad-answer";
  /** The method, the path and the problems. */
  readonly detail: string;
}

/** Appends the result of checking an adapter's request to the test run's file. Does nothing outside a test run. */
export function tally(userAgent: string | undefined, request: TalliedRequest): void {
  // biome-ignore lint/style/noProcessEnv: the variable must reach every worker and every process that a test starts.
  const file = process.env[VENDOR_TALLY_FILE];
  if (file === undefined || !userAgent?.includes(ADAPTER_USER_AGENT)) return;
  const line = JSON.stringify({ ...request, detail: request.detail.slice(0, DETAIL_LENGTH_MAX) });
  // A single short append is atomic, so lines from several processes do not mix.
  appendFileSync(file, `${line}\n`);
}
