import { lstat, rm } from "node:fs/promises";
import { join } from "node:path";
import { findClusterLocation } from "./data-folder.ts";
import { ifExists } from "./errno.ts";
import { isAbandoned, takeOwnerLock } from "./owner-lock.ts";
import { findPostmaster, stopPostmaster } from "./postmaster.ts";

/**
 * Stops a data folder's server and removes the folder, if the owner exited without stopping the server. Before it stops
 * the server, calls `endOthers`, which can end other processes that use the folder.
 *
 * Returns false and changes nothing in these cases:
 * - The folder does not exist, or it belongs to another user.
 * - The owner is still running, or it has stopped the server.
 * - Another process is removing the folder.
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
