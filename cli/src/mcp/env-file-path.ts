import { execFile } from "node:child_process";
import { lstat, realpath } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { invalidArguments, type ToolError } from "./tool-error.ts";

/** Other files could be run or read as something else, for example a hook of git. */
const ENV_FILE = /^(\.env(\.[\w-]+)*|[\w-]+\.env)$/;
/** Such files are usually committed. */
const PUBLIC_FILE = /\b(example|sample|template|dist|defaults)\b/;

/**
 * Returns the absolute path of an env file without symbolic links.
 *
 * @throws ToolError if the file would be outside the folder, or has another name than an env file.
 */
export async function envFilePath(folder: string, given: unknown): Promise<string> {
  if (typeof given !== "string") throw invalidPath("must be a string");
  const target = path.resolve(folder, given);
  if (PUBLIC_FILE.test(path.basename(target))) throw invalidPath("must not be a file that others are shown");
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
  if (stat !== undefined && (await isInGit(file))) throw invalidPath("must not be a file that Git tracks");
  if (stat !== undefined && !stat.isFile()) throw invalidPath("must be a file, not a link or a folder");
  return file;
}

/** Without Git, no file is tracked. */
async function isInGit(file: string): Promise<boolean> {
  const options = { cwd: path.dirname(file) };
  return promisify(execFile)("git", ["ls-files", "--error-unmatch", path.basename(file)], options).then(
    () => true,
    () => false,
  );
}

function invalidPath(detail: string): ToolError {
  return invalidArguments({ field: "path", detail });
}
