import { randomUUID } from "node:crypto";
import { link, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";
import { errno, ifExists } from "./errno.ts";
import { isRunning, processes } from "./processes.ts";

export interface OwnerLock {
  release(): Promise<void>;
}

/** Every lost round means that somebody else won one, so a start loses more than a few only by a fault. */
const roundsMax = 20;

/**
 * Makes this process the owner of a folder until it releases the lock or dies.
 *
 * The owner is named by the file `owner.<n>` of the highest number. A starter that finds it dead, or
 * released and therefore empty, makes `owner.<n + 1>`, which the system grants to one starter only; the
 * numbers never go back, so nobody can take away a lock that it did not look at. Throws `data_dir_in_use`.
 */
export async function takeOwnerLock(folder: string): Promise<OwnerLock> {
  for (let round = 0; round < roundsMax; round++) {
    const last = await highestClaim(folder);
    if (last > 0) await refuseLivingOwner(folder, last);
    const lock = await followOwner(folder, last);
    if (lock) return lock;
  }
  throw new EmbeddedPostgresError(
    "data_dir_in_use",
    `Many processes are starting the database in ${folder} at once. Start one at a time.`,
  );
}

/** Makes this process the owner after a dead one; undefined if another starter was faster. Exported for its test. */
export async function followOwner(folder: string, last: number): Promise<OwnerLock | undefined> {
  const mine = last + 1;
  if (!(await claim(folder, mine))) return undefined;
  // Who looked at the folder long ago may have been granted a number that others have used and removed since.
  // Their newer file is there to tell.
  if ((await highestClaim(folder)) !== mine) {
    await rm(claimFile(folder, mine), { force: true });
    return undefined;
  }
  await removeClaimsBelow(folder, mine);
  return { release: () => truncate(claimFile(folder, mine)) };
}

/** Whether the last owner of a folder died without releasing it. */
export async function isAbandoned(folder: string): Promise<boolean> {
  const owner = await readOwner(folder, await highestClaim(folder));
  return owner !== undefined && !(await isRunning(owner));
}

async function refuseLivingOwner(folder: string, number: number): Promise<void> {
  const owner = await readOwner(folder, number);
  if (owner === undefined || !(await isRunning(owner))) return;
  throw new EmbeddedPostgresError(
    "data_dir_in_use",
    `The database in ${folder} is in use by process ${owner.pid}. ` +
      "Stop that process, or choose another data folder.",
  );
}

/** Makes the file whole before it gets its name, so that nobody reads half of it. */
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

/** An empty or torn file (released, or cut short by a loss of power) names nobody. */
async function readOwner(
  folder: string,
  number: number,
): Promise<{ pid: number; startTime: string } | undefined> {
  const text = await ifExists(readFile(claimFile(folder, number), "utf8"));
  const [, pid, startTime] = /^\{"pid":(\d+),"startTime":"([^"]+)"\}$/.exec(text ?? "") ?? [];
  return pid === undefined || startTime === undefined ? undefined : { pid: Number(pid), startTime };
}
