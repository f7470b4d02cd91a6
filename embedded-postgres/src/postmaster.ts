import { createHash, randomUUID } from "node:crypto";
import { chown, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ClusterLocation } from "./data-folder.ts";
import { errno, ifExists } from "./errno.ts";
import { poll } from "./poll.ts";
import { isRunning, processes, type RunningProcess } from "./processes.ts";
import type { ServerUser } from "./server-user.ts";

/** The server's main process, found by the file `postmaster.pid` in its cluster. */
export interface Postmaster extends RunningProcess {
  readonly port: number;
  /** The status in `postmaster.pid`: `starting`, `ready` or `stopping`. */
  readonly status: string;
}

/** High, because a fast shutdown writes all data to the disk. */
const fastStopMs = 60_000;
const immediateStopMs = 5_000;

/**
 * Returns the running postmaster of a cluster, or undefined if the process in `postmaster.pid` is dead, a zombie, or
 * another program that reuses the pid.
 */
export async function findPostmaster(location: ClusterLocation): Promise<Postmaster | undefined> {
  const file = await readPostmasterFile(location);
  const found = file && (await processes.find(file.pid));
  // Compares the data directory and not the program's path, because the binaries can have moved.
  if (!found || !`${found.commandLine} `.includes(` -D ${location.cluster} `)) return undefined;
  return { ...found, port: file.port, status: file.status };
}

async function readPostmasterFile(location: ClusterLocation) {
  const text = await ifExists(readFile(postmasterFile(location), "utf8"));
  // pid, data directory, start time, port, socket folder, address, shared memory key, status
  const [pid, , , port, , , , status] = text?.split("\n") ?? [];
  if (!pid) return undefined;
  return { pid: Number(pid), port: Number(port ?? 0), status: status?.trim() ?? "starting" };
}

function postmasterFile({ cluster }: ClusterLocation): string {
  return join(cluster, "postmaster.pid");
}

/**
 * Ends the backends of a dead postmaster, and changes its `postmaster.pid` so that PostgreSQL can start.
 *
 * PostgreSQL does not start while the pid in the file belongs to any process, even to a zombie or another program. The
 * file cannot be removed: it names the shared memory that PostgreSQL checks for backends that still write. So the pid is
 * replaced by the pid of this process. PostgreSQL ignores the pid of its parent and then checks the shared memory.
 */
export async function clearDeadPostmaster(
  location: ClusterLocation,
  serverUser: ServerUser | undefined,
): Promise<void> {
  const text = await ifExists(readFile(postmasterFile(location), "utf8"));
  if (text === undefined) return;

  await endBackends(location);
  // Written outside the cluster and renamed, because root must not follow a link in another user's folder.
  const draft = join(location.folder, `unfinished-${randomUUID()}`);
  await writeFile(draft, text.replace(/^-?\d*/, String(process.pid)), { mode: 0o600, flag: "wx" });
  if (serverUser) await chown(draft, serverUser.uid, serverUser.gid);
  await rename(draft, postmasterFile(location));
}

/** A backend notices the end of its postmaster only when it next waits, which can take hours during a long query. */
async function endBackends(location: ClusterLocation): Promise<void> {
  const title = `postgres: ${clusterName(location)}: `;
  const backends = (await processes.list()).filter(({ commandLine }) =>
    commandLine.startsWith(title),
  );
  for (const { pid } of backends) signal(pid, "SIGKILL");
  await Promise.all(
    backends.map(({ pid }) =>
      poll(immediateStopMs, async () => ((await processes.find(pid)) ? undefined : true)),
    ),
  );
}

/** Part of the title of each server process. It identifies the cluster in the process list. */
export function clusterName({ cluster }: ClusterLocation): string {
  return `purser-${createHash("sha256").update(cluster).digest("hex").slice(0, 12)}`;
}

/**
 * Stops a postmaster and waits for its exit. Disconnects clients and writes all data to the disk. After a minute, stops
 * the server immediately; it then recovers from its log at the next start.
 */
export async function stopPostmaster(postmaster: Omit<RunningProcess, "commandLine">) {
  const hasExited = async () => ((await isRunning(postmaster)) ? undefined : true);
  if (await hasExited()) return;

  signal(postmaster.pid, "SIGINT");
  if (await poll(fastStopMs, hasExited)) return;
  signal(postmaster.pid, "SIGQUIT");
  if (await poll(immediateStopMs, hasExited)) return;
  signal(postmaster.pid, "SIGKILL");
  await poll(immediateStopMs, hasExited);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (thrown) {
    if (errno(thrown) !== "ESRCH") throw thrown;
  }
}
