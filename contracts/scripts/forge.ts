import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { foundryBinary } from "../chain/foundry-binary.ts";

export const CONTRACTS_FOLDER = path.join(import.meta.dirname, "..");

/** A step that failed. The message is shown to the user, without a stack trace. */
export class CheckError extends Error {
  override readonly name = "CheckError";
}

const run = promisify(execFile);

/** Runs forge in `contracts/` and returns its output. If forge fails, throws CheckError with the output. */
export async function forge(
  commandLine: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  try {
    const { stdout } = await run(foundryBinary("forge"), commandLine, {
      cwd: CONTRACTS_FOLDER,
      env: { ...process.env, NO_COLOR: "1", FOUNDRY_PROFILE: "default", ...environment },
      maxBuffer: 256 * 1024 * 1024,
    });
    return stdout;
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new CheckError(`${stdout}${stderr}\nforge ${commandLine.join(" ")} failed.`, {
      cause: error,
    });
  }
}

/** Returns the remappings of `foundry.toml`, such as `solady/=../node_modules/solady/src/`. */
export async function readRemappings(): Promise<readonly string[]> {
  const { remappings }: { remappings: string[] } = JSON.parse(await forge(["config", "--json"]));
  return remappings;
}
