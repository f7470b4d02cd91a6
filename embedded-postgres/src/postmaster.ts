import { createHash, randomUUID } from "node:crypto";
import { chown, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ClusterLocation } from "./data-folder.ts";
import { errno, ifExists } from "./errno.ts";
import { poll } from "./poll.ts";
import { isRunning, processes, type RunningProcess } from "./processes.ts";
import type { ServerUser } from "./server-user.ts";

/** The server's main process, which the file `postmaster.pid` in its cluster identifies. */
export interface Postmaster extends RunningProcess {
  readonly port: number;
  /** The status in `postmaster.pid`: `starting`, `ready` or `stopping`. */
  readonly status: string;
}

/** The time limit is high, because the server writes all data to disk before it exits. */
const fastStopMs = 60_000;
const immediateStopMs = 5_000;

/**
 * Returns a cluster's running postmaster. Returns undefined if the process in `postmaster.pid` has exited, is a zombie,
 * or is another program with the same pid.
 */
export async function findPostmaster(location: ClusterLocation): Promise<Postmaster | undefined> {
  const file = await readPostmasterFile(location);
  const found = file && (await processes.find(file.pid));
  // The data directory is compared, not the program path, because the binaries may have been moved.
  if (!found || !`${found.commandLine} `.includes(` -D ${location.cluster} `)) return undefined;
  return { ...found, port: file.port, status: file.status };
}

async function readPostmasterFile(location: ClusterLocation) {
  const text = await ifExists(readFile(postmasterFile(location), "utf8"));
  // Lines of the file: pid, data directory, start time, port, socket folder, address, shared memory key, status.
  const [pid, , , port, , , , status] = text?.split("\n") ?? [];
  if (!pid) return undefined;
  return { pid: Number(pid), port: Number(port ?? 0), status: status?.trim() ?? "starting" };
}

function postmasterFile({ cluster }: ClusterLocation): string {
  return join(cluster, "postmaster.pid");
}

/**
 * Ends the backends of a postmaster that was killed, and changes its `postmaster.pid` so that PostgreSQL can start.
 *
 * PostgreSQL does not start if the pid in `postmaster.pid` belongs to a process, even to a zombie or to another
 * program. However, it ignores the pid of its own parent process. The pid in the file is therefore replaced with the
 * pid of this process, which is the parent of the next postmaster.
 *
 * The file must not be removed, because it identifies the killed server's shared memory. PostgreSQL needs the file to
 * check that no backend still uses that memory.
 */
export async function clearDeadPostmaster(
  location: ClusterLocation,
  serverUser: ServerUser | undefined,
): Promise<void> {
  const text = await ifExists(readFile(postmasterFile(location), "utf8"));
  if (text === undefined) return;

  await endBackends(location);
  // The cluster can belong to another user, who could replace `postmaster.pid` with a symbolic link. Root must not
  // write through that link, so the file is written outside the cluster and then renamed.
  const draft = join(location.folder, `unfinished-${randomUUID()}`);
  await writeFile(draft, text.replace(/^-?\d*/, String(process.pid)), { mode: 0o600, flag: "wx" });
  if (serverUser) await chown(draft, serverUser.uid, serverUser.gid);
  await rename(draft, postmasterFile(location));
}

/**
 * Kills the backends and waits until they exit. A backend that executes a long query may otherwise not notice for hours
 * that its postmaster has exited.
 */
async function endBackends(location: ClusterLocation): Promise<void> {
  const title = `postgres: ${clusterName(location)}: `;
  const backends = (await processes.list()).filter(({ commandLine }) => commandLine.startsWith(title));
  for (const { pid } of backends) signal(pid, "SIGKILL");
  await Promise.all(
    backends.map(({ pid }) => poll(immediateStopMs, async () => ((await processes.find(pid)) ? undefined : true))),
  );
}

/** Part of each server process's title. It identifies the cluster in the process list. */
export function clusterName({ cluster }: ClusterLocation): string {
  return `purser-${createHash("sha256").update(cluster).digest("hex").slice(0, 12)}`;
}

/**
 * Stops a postmaster and waits until it exits. Disconnects clients and writes all data to disk. If that takes more than
 * a minute, stops the server immediately. In that case, the next start recovers the data from the write-ahead log.
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
