import { homedir } from "node:os";
import { resolve } from "node:path";
import { parseArgs } from "node:util";

export interface StartArguments {
  readonly json: boolean;
  readonly help: boolean;
  readonly port: number;
  readonly dataDir: string;
}

export const USAGE = `Usage: npm start -- [options]

  --port N        port of the API on 127.0.0.1; 0 picks free ports (default 8080)
  --data-dir DIR  folder for all data (default PURSER_DATA_DIR, or .purser in the project)
  --json          once Purser is running, print one line of JSON on standard output
  --help          print this help`;

/** Thrown for an invalid command line. The message is shown to the user. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/**
 * Reads the arguments of `npm start`. A relative data folder is resolved against `currentDir`. Throws UsageError if an
 * argument is invalid.
 */
export function readArguments(
  argv: readonly string[],
  { defaultDataDir, currentDir }: { readonly defaultDataDir: string; readonly currentDir: string },
): StartArguments {
  const values = parse(argv);
  const port = values.port ?? "8080";
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    throw new UsageError("--port must be a number from 0 to 65535.");
  }
  const dataDir = values["data-dir"] ?? defaultDataDir;
  if (dataDir === "") throw new UsageError("--data-dir must be the path of a folder.");
  return {
    json: values.json ?? false,
    help: values.help ?? false,
    port: Number(port),
    dataDir: resolve(currentDir, dataDir.replace(/^~(?=\/|$)/, homedir())),
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        json: { type: "boolean" },
        help: { type: "boolean", short: "h" },
        port: { type: "string" },
        "data-dir": { type: "string" },
      },
    }).values;
  } catch (error) {
    // The first sentence of the parser's message describes the error. The rest is advice for developers.
    const [sentence = ""] = (error instanceof Error ? error.message : "").split(/\.\s|\n/);
    throw new UsageError(`${sentence.replace(/\.?$/, ".")}`, { cause: error });
  }
}
