import { createWriteStream } from "node:fs";
import { rename, stat } from "node:fs/promises";

const LOG_BYTES_MAX = 20 * 1024 * 1024;

export interface LogFile {
  write(line: string): void;
  /** Resolves when all lines have been written or a write has failed. */
  close(): Promise<void>;
}

/**
 * Opens the log for appending. A log of more than 20 MiB is first renamed to `<path>.1`, replacing any earlier file of
 * that name.
 */
export async function openLogFile(path: string): Promise<LogFile> {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size > LOG_BYTES_MAX) await rename(path, `${path}.1`);
  const stream = createWriteStream(path, { flags: "a", mode: 0o600 });
  // A full disk must not stop the service.
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
