import { appendFileSync } from "node:fs";

/** The file that a run of the tests gathers its counts in. */
const FILE_VARIABLE = "VENDOR_TALLY_FILE";
/** In the User-Agent of every request of an adapter's, and of no request that a test made up. */
const ADAPTERS_MARK = "purser/";

export type TallyMark = "valid" | "invalid" | "bad-answer";

/**
 * Counts, over all processes of a run, how the adapters' requests stood up to the vendors' descriptions. Does nothing
 * outside a run of the tests.
 */
export function tally(vendor: string, userAgent: string | undefined, mark: TallyMark): void {
  // biome-ignore lint/style/noProcessEnv: it has to reach every worker and every process that a test starts.
  const file = process.env[FILE_VARIABLE];
  if (file === undefined || !userAgent?.includes(ADAPTERS_MARK)) return;
  // One short write at the end of the file: lines of several processes do not mix.
  appendFileSync(file, `${vendor} ${mark}\n`);
}
