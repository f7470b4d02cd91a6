import { randomUUID } from "node:crypto";
import { chmod, copyFile, lstat, mkdir, readdir, readlink, rename, rm, symlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";
import { errno, ifExists } from "./errno.ts";

/** Files that only compilers need. Omitting them makes the copy a third smaller. */
const compilerFiles = /\.a$|^pgxs$|^pkgconfig$/;

/**
 * Copies a folder. All users can read the copy, but only this user can change it. The copy is renamed to `target` when
 * it is complete. If several processes copy at the same time, all of them use the first complete copy.
 *
 * The parent folder must be writable only by this user (`ensureOwnFolder`). Throws `shared_folder_unusable` if another
 * user owns an existing copy or can write to it, because that user could have changed the programs in it.
 */
export async function stageFolder(
  source: string,
  target: string,
  finish: (draft: string) => Promise<void>,
): Promise<void> {
  if (await isTrustedCopy(target)) return;

  const draft = join(dirname(target), `draft-${randomUUID()}`, basename(source));
  await mkdir(dirname(draft), { mode: 0o700 });
  try {
    await copyReadable(source, draft);
    await finish(draft);
    await rename(draft, target).catch(async (thrown: unknown) => {
      const lostTheRace = ["ENOTEMPTY", "EEXIST"].includes(errno(thrown) ?? "");
      if (!(lostTheRace && (await isTrustedCopy(target)))) throw thrown;
    });
  } finally {
    await rm(dirname(draft), { recursive: true, force: true });
  }
}

async function isTrustedCopy(target: string): Promise<boolean> {
  const found = await ifExists(lstat(target));
  if (found === undefined) return false;
  const isOwned = found.isDirectory() && found.uid === process.geteuid?.();
  if (isOwned && (found.mode & 0o022) === 0) return true;
  throw new EmbeddedPostgresError(
    "shared_folder_unusable",
    `${target} belongs to another user, so its programs are not run. Remove it, then start again.`,
  );
}

/** Sets new modes instead of copying the source's. A strict umask may have made the source readable only by root. */
async function copyReadable(source: string, target: string): Promise<void> {
  const found = await lstat(source);
  if (found.isSymbolicLink()) return symlink(await readlink(source), target);
  if (!found.isDirectory()) {
    await copyFile(source, target);
    return chmod(target, found.mode & 0o100 ? 0o755 : 0o644);
  }

  await mkdir(target);
  await chmod(target, 0o755);
  for (const name of await readdir(source)) {
    if (!compilerFiles.test(name)) await copyReadable(join(source, name), join(target, name));
  }
}
