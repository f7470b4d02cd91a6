import { appendFileSync } from "node:fs";

/** Names the file that a run of the tests gathers its counts in: one `TalliedRequest` a line. */
export const VENDOR_TALLY_FILE = "VENDOR_TALLY_FILE";
/** In the User-Agent of every request of an adapter's, and of no request that a test made up. */
const ADAPTERS_MARK = "purser/";
const DETAIL_LENGTH_MAX = 500;

export interface TalliedRequest {
  readonly vendor: string;
  /** `bad-answer`: the request was answered 599. */
  readonly mark: "valid" | "invalid" | "bad-answer";
  /** What to look for, where it is not valid. */
  readonly detail: string;
}

/**
 * Counts, over all processes of a run, how the adapters' requests stood up to the vendors' descriptions. Does nothing
 * outside a run of the tests.
 */
export function tally(userAgent: string | undefined, request: TalliedRequest): void {
  // biome-ignore lint/style/noProcessEnv: it has to reach every worker and every process that a test starts.
  const file = process.env[VENDOR_TALLY_FILE];
  if (file === undefined || !userAgent?.includes(ADAPTERS_MARK)) return;
  const line = JSON.stringify({ ...request, detail: request.detail.slice(0, DETAIL_LENGTH_MAX) });
  // One short write at the end of the file: lines of several processes do not mix.
  appendFileSync(file, `${line}\n`);
}
