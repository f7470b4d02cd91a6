import { createWriteStream } from "node:fs";
import { rename, stat } from "node:fs/promises";

const LOG_BYTES_MAX = 20 * 1024 * 1024;

export interface LogFile {
  write(line: string): void;
  /** Resolves when all lines are written, or writing has failed. */
  close(): Promise<void>;
}

/** Opens the log for appending. Renames a large log first, and overwrites the one that was renamed before. */
export async function openLogFile(path: string): Promise<LogFile> {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size > LOG_BYTES_MAX) await rename(path, `${path}.1`);
  const stream = createWriteStream(path, { flags: "a", mode: 0o600 });
  // The service keeps running when the disk is full.
  stream.on("error", () => {});
  return {
    write: (line) => void stream.write(line),
    close: () =>
      new Promise((resolve) => {
        stream.once("close", resolve);
        stream.end();
      }),
  };
}
