import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { CliError } from "./cli-error.ts";

/**
 * Returns a file's JSON, or undefined if there is no file.
 *
 * @throws CliError if the file is no JSON or cannot be read.
 */
export function readJsonFile<Data>(file: string): Data | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    const reason =
      error instanceof SyntaxError ? "it is no JSON" : String(error instanceof Error ? error.message : error);
    throw new CliError({
      message: `${file} could not be read: ${reason}.`,
      code: "file_unreadable",
      nextSteps: [`Repair or delete ${file}.`],
    });
  }
}

/** Writes JSON to a file that only the user can read. The file is replaced at once, so it is never half written. */
export function writePrivateJson(file: string, data: object): void {
  writeJson(file, data, 0o600);
}

/** @throws CliError if the file cannot be written. */
export function writeJson(file: string, data: object, mode: number): void {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    mkdirSync(dirname(file), { recursive: true, mode: mode === 0o600 ? 0o700 : 0o755 });
    writeFileSync(temporary, `${JSON.stringify(data, null, 2)}\n`, { mode, flag: "wx" });
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw new CliError({
      message: `${file} could not be written: ${error instanceof Error ? error.message : String(error)}.`,
      code: "file_not_written",
    });
  }
}
