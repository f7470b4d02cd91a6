import { lstat, rm } from "node:fs/promises";
import { join } from "node:path";
import { findClusterLocation } from "./data-folder.ts";
import { ifExists } from "./errno.ts";
import { isAbandoned, takeOwnerLock } from "./owner-lock.ts";
import { findPostmaster, stopPostmaster } from "./postmaster.ts";

/**
 * Stops a data folder's server and removes the folder, if the owner exited without stopping the server. Calls
 * `endOthers` first, which can end other processes that use the folder. Returns false and changes nothing if the owner
 * is running or has stopped the server, if another process is removing the folder, or if another user owns it.
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
  const location = await findClusterLocation({ home }, undefined, "");
  const postmaster = await findPostmaster(location);
  if (postmaster !== undefined) await stopPostmaster(postmaster);
  for (const folder of [location.folder, dataDir]) {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
  return true;
}
