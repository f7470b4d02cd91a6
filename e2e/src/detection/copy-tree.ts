import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readlink, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
/** The npm scope of the workspaces. In a copy of the project, imports from this scope load the copy's workspaces. */
const OWN_SCOPE = "@purser";

/** A copy of the project, to which patches can be applied. */
export interface TreeCopy {
  readonly folder: string;
  apply(patch: string): Promise<void>;
  revert(patch: string): Promise<void>;
  remove(): Promise<void>;
}

/** Copies all files that git does not ignore. Installed packages are symlinked instead of copied. */
export async function copyTree(): Promise<TreeCopy> {
  const folder = await mkdtemp(join(tmpdir(), "purser-detection-"));
  const { stdout } = await run("git", ["ls-files", "-z", "-co", "--exclude-standard"], {
    cwd: ROOT,
    maxBuffer: 64 * 1_048_576,
  });
  for (const file of stdout.split("\0").filter(Boolean)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    // Git also lists files that were deleted without staging the deletion.
    await cp(join(ROOT, file), join(folder, file)).catch(ignoreMissing);
  }
  await linkPackages(folder);
  const git = (...args: string[]) => run("git", ["apply", "--unidiff-zero", ...args], { cwd: folder });
  return {
    folder,
    apply: async (patch) => void (await git(join(folder, patch))),
    revert: async (patch) => void (await git("--reverse", join(folder, patch))),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Gives a copy of the project this one's installed packages, and its own workspaces. */
export async function linkPackages(folder: string): Promise<void> {
  const packages = join(ROOT, "node_modules");
  await mkdir(join(folder, "node_modules", OWN_SCOPE), { recursive: true });
  for (const name of await readdir(packages)) {
    if (name === OWN_SCOPE) continue;
    await symlink(join(packages, name), join(folder, "node_modules", name));
  }
  for (const name of await readdir(join(packages, OWN_SCOPE))) {
    const target = await readlink(join(packages, OWN_SCOPE, name));
    await symlink(target, join(folder, "node_modules", OWN_SCOPE, name));
    // A workspace has its own node_modules if it needs a different version of a package.
    const own = join(OWN_SCOPE, target, "node_modules");
    if (existsSync(join(packages, own)) && existsSync(join(folder, "node_modules", OWN_SCOPE, target))) {
      await symlink(join(packages, own), join(folder, "node_modules", own));
    }
  }
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}
