import { lstat, realpath } from "node:fs/promises";
import path from "node:path";
import { invalidArguments, type ToolError } from "./tool-error.ts";

/** Other files could be run or read as something else, for example a hook of git. */
const ENV_FILE = /^(\.env(\.[\w-]+)*|[\w-]+\.env)$/;

/**
 * Returns the absolute path of an env file without symbolic links.
 *
 * @throws ToolError if the file would be outside the folder, or has another name than an env file.
 */
export async function envFilePath(folder: string, given: unknown): Promise<string> {
  if (typeof given !== "string") throw invalidPath("must be a string");
  const target = path.resolve(folder, given);
  if (!ENV_FILE.test(path.basename(target))) throw invalidPath("must end in a name such as .env or .env.local");
  const root = await realpath(folder);
  const parent = await realpath(path.dirname(target)).catch(() => {
    throw invalidPath("must be in a folder that exists");
  });
  const file = path.join(parent, path.basename(target));
  const stat = await lstat(file).catch(() => undefined);
  const isInside = file.startsWith(path.join(root, path.sep));
  if (!isInside) throw invalidPath("must be inside the folder in which the server was started");
  // A link could lead out of the folder, or be changed to do so before the file is written.
  if (stat !== undefined && !stat.isFile()) throw invalidPath("must be a file, not a link or a folder");
  return file;
}

function invalidPath(detail: string): ToolError {
  return invalidArguments({ field: "path", detail });
}
