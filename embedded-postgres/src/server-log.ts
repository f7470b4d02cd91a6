import { open, readFile, rename, stat } from "node:fs/promises";
import { ifExists } from "./errno.ts";

/** Renames the current log, so that the folder contains the logs of the last two runs. */
export async function rotateLog(path: string): Promise<void> {
  await ifExists(rename(path, `${path}.1`));
}

/** Opens the log for appending. `readNew` returns the text that was appended after it was opened. */
export async function openLog(path: string) {
  const file = await open(path, "a", 0o600);
  const { size } = await stat(path);
  return {
    file,
    readNew: async () => (await readFile(path)).subarray(size).toString("utf8"),
  };
}

/** Returns the last lines of a log, for an error message. */
export function lastLines(log: string): string {
  return log.trim().split("\n").slice(-12).join("\n");
}
