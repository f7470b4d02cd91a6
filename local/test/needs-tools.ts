import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/**
 * Returns true if a program is missing, and prints its name. In CI, throws an error instead, because CI must not skip
 * tests.
 */
export function needsTools(...tools: readonly string[]): boolean {
  const missing = tools.filter((tool) => !isOnPath(tool));
  if (missing.length === 0) return false;
  const reason = `not on the PATH: ${missing.join(", ")}`;
  if (process.env["CI"] === "true") throw new Error(`Tests of the local profile cannot run: ${reason}`);
  process.stderr.write(`Skipping tests of the local profile: ${reason}\n`);
  return true;
}

function isOnPath(program: string): boolean {
  return (process.env["PATH"] ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
