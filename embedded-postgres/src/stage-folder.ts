import { randomUUID } from "node:crypto";
import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  readdir,
  readlink,
  rename,
  rm,
  symlink,
} from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";
import { errno, ifExists } from "./errno.ts";

/** What only compilers need. Without it the copy is a third smaller. */
const notNeeded = /\.a$|^pgxs$|^pkgconfig$/;

/**
 * Copies a folder so that everybody can read it and nobody but us can change it. The copy gets its name when it is
 * complete, and of several processes that copy at once the first one's copy serves all.
 *
 * The parent must be a folder that no other user can write to (`ensureOwnFolder`); a copy in it that belongs to
 * somebody else is refused all the same, because its programs would be run. Throws `shared_folder_unusable`.
 */
export async function stageFolder(
  source: string,
  target: string,
  finish: (draft: string) => Promise<void>,
): Promise<void> {
  if (await isOurCopy(target)) return;

  const draft = join(dirname(target), `draft-${randomUUID()}`, basename(source));
  await mkdir(dirname(draft), { mode: 0o700 });
  try {
    await copyReadable(source, draft);
    await finish(draft);
    await rename(draft, target).catch(async (thrown: unknown) => {
      const lostTheRace = ["ENOTEMPTY", "EEXIST"].includes(errno(thrown) ?? "");
      if (!(lostTheRace && (await isOurCopy(target)))) throw thrown;
    });
  } finally {
    await rm(dirname(draft), { recursive: true, force: true });
  }
}

async function isOurCopy(target: string): Promise<boolean> {
  const found = await ifExists(lstat(target));
  if (found === undefined) return false;
  const isOurs = found.isDirectory() && found.uid === process.geteuid?.();
  if (isOurs && (found.mode & 0o022) === 0) return true;
  throw new EmbeddedPostgresError(
    "shared_folder_unusable",
    `${target} was made by another user, so the programs in it are not run. Remove it, then start again.`,
  );
}

/** Modes are set, not taken over: an install with a strict umask leaves files that only root can read. */
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
    if (!notNeeded.test(name)) await copyReadable(join(source, name), join(target, name));
  }
}
