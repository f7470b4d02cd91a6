import { lstat, rm } from "node:fs/promises";
import { join } from "node:path";
import { findRoom } from "./data-folder.ts";
import { ifExists } from "./errno.ts";
import { isAbandoned, takeOwnerLock } from "./owner-lock.ts";
import { findPostmaster, stopPostmaster } from "./postmaster.ts";

/**
 * Stops the server of a data folder and removes the folder, if the process that owned it has died without doing so.
 * `endOthers` is called before, for what else runs in the folder. Returns false and changes nothing if the owner is alive,
 * if another process does the same right now, or if the folder belongs to another user.
 */
export async function removeAbandonedDataFolder(
  dataDir: string,
  endOthers: (dataDir: string) => Promise<void> = async () => {},
): Promise<boolean> {
  const home = join(dataDir, "postgres");
  const found = await ifExists(lstat(home));
  if (!found?.isDirectory() || found.uid !== process.geteuid?.()) return false;
  if (!(await isAbandoned(home))) return false;
  const lock = await takeOwnerLock(home).catch(() => undefined);
  if (lock === undefined) return false;

  await endOthers(dataDir);
  const room = await findRoom({ home }, undefined, "");
  const postmaster = await findPostmaster(room);
  if (postmaster !== undefined) await stopPostmaster(postmaster);
  for (const folder of [room.folder, dataDir]) {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  return true;
}
