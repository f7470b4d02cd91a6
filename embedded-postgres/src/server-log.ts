import { open, readFile, rename, stat } from "node:fs/promises";
import { ifExists } from "./errno.ts";

/** Begins a new log and keeps the one before, so the data folder holds two runs and no more. */
export async function rotateLog(path: string): Promise<void> {
  await ifExists(rename(path, `${path}.1`));
}

/** Opens the log for the server to append to. `readNew` gives what was appended since. */
export async function openLog(path: string) {
  const file = await open(path, "a", 0o600);
  const { size } = await stat(path);
  return {
    file,
    readNew: async () => (await readFile(path)).subarray(size).toString("utf8"),
  };
}

/** The end of a log, as much as belongs into an error message. */
export function lastLines(log: string): string {
  return log.trim().split("\n").slice(-12).join("\n");
}
