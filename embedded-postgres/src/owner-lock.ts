import { randomUUID } from "node:crypto";
import { link, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";
import { errno, ifExists } from "./errno.ts";
import { isRunning, processes } from "./processes.ts";

export interface OwnerLock {
  release(): Promise<void>;
}

/** Each failed round means that another process acquired the lock, so many failed rounds are unlikely. */
const roundsMax = 20;

/**
 * Makes this process the owner of a folder until it releases the lock or exits. Throws `data_dir_in_use`.
 *
 * The file `owner.<n>` with the highest number identifies the owner. If that process has exited, or the file is empty
 * because the lock was released, the next owner creates `owner.<n + 1>`. Only one process can create that file. Numbers
 * never decrease. A process that has read an outdated number therefore cannot replace the current owner's lock.
 */
export async function takeOwnerLock(folder: string): Promise<OwnerLock> {
  for (let round = 0; round < roundsMax; round++) {
    const last = await highestClaim(folder);
    if (last > 0) await throwIfOwned(folder, last);
    const lock = await acquireAfter(folder, last);
    if (lock) return lock;
  }
  throw new EmbeddedPostgresError(
    "data_dir_in_use",
    `Many processes are starting the database in ${folder} at the same time. Start one process at a time.`,
  );
}

/**
 * Acquires the lock with number `last + 1`. Returns undefined if another process acquired it first. Exported for its
 * test.
 */
export async function acquireAfter(folder: string, last: number): Promise<OwnerLock | undefined> {
  const mine = last + 1;
  if (!(await claim(folder, mine))) return undefined;
  // Since the folder was read, another process may have used this number, and a later owner may have removed its file.
  // In that case, a higher number exists.
  if ((await highestClaim(folder)) !== mine) {
    await rm(claimFile(folder, mine), { force: true });
    return undefined;
  }
  await removeClaimsBelow(folder, mine);
  return { release: () => truncate(claimFile(folder, mine)) };
}

/** Returns true if the folder's last owner exited without releasing the lock. */
export async function isAbandoned(folder: string): Promise<boolean> {
  const owner = await readOwner(folder, await highestClaim(folder));
  return owner !== undefined && !(await isRunning(owner));
}

async function throwIfOwned(folder: string, number: number): Promise<void> {
  const owner = await readOwner(folder, number);
  if (owner === undefined || !(await isRunning(owner))) return;
  throw new EmbeddedPostgresError(
    "data_dir_in_use",
    `The database in ${folder} is in use by process ${owner.pid}. ` +
      "Stop that process, or choose another data folder.",
  );
}

/** Writes the file under a temporary name first, so that no process reads an incomplete file. */
async function claim(folder: string, number: number): Promise<boolean> {
  const self = await processes.find(process.pid);
  const draft = join(folder, `owner-draft-${randomUUID()}`);
  await writeFile(draft, JSON.stringify({ pid: process.pid, startTime: self?.startTime }), {
    flag: "wx",
    mode: 0o600,
  });
  try {
    await link(draft, claimFile(folder, number));
    return true;
  } catch (thrown) {
    if (errno(thrown) === "EEXIST") return false;
    throw thrown;
  } finally {
    await rm(draft, { force: true });
  }
}

function claimFile(folder: string, number: number): string {
  return join(folder, `owner.${number}`);
}

async function claims(folder: string): Promise<number[]> {
  return (await readdir(folder)).flatMap((name) => {
    const [, number] = /^owner\.(\d+)$/.exec(name) ?? [];
    return number === undefined ? [] : [Number(number)];
  });
}

async function highestClaim(folder: string): Promise<number> {
  return Math.max(0, ...(await claims(folder)));
}

async function removeClaimsBelow(folder: string, number: number): Promise<void> {
  const older = (await claims(folder)).filter((other) => other < number);
  await Promise.all(older.map((other) => rm(claimFile(folder, other), { force: true })));
}

/** Returns undefined if the file is empty because the lock was released, or incomplete because of a power failure. */
async function readOwner(folder: string, number: number): Promise<{ pid: number; startTime: string } | undefined> {
  const text = await ifExists(readFile(claimFile(folder, number), "utf8"));
  const [, pid, startTime] = /^\{"pid":(\d+),"startTime":"([^"]+)"\}$/.exec(text ?? "") ?? [];
  return pid === undefined || startTime === undefined ? undefined : { pid: Number(pid), startTime };
}
