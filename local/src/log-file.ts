import { createWriteStream } from "node:fs";
import { rename, stat } from "node:fs/promises";

const LOG_BYTES_MAX = 20 * 1024 * 1024;

export interface LogFile {
  write(line: string): void;
  /** Resolves when what was written has reached the file, or never will. */
  close(): Promise<void>;
}

/** Opens the log for appending. One that has grown large is put aside first, and the one put aside before it goes. */
export async function openLogFile(path: string): Promise<LogFile> {
  const size = await stat(path).then(
    (found) => found.size,
    () => 0,
  );
  if (size > LOG_BYTES_MAX) await rename(path, `${path}.1`);
  const stream = createWriteStream(path, { flags: "a", mode: 0o600 });
  // A disk that is full must not take the service with it.
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
