import { createHash, randomUUID } from "node:crypto";
import { chown, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Room } from "./data-folder.ts";
import { errno, ifExists } from "./errno.ts";
import { poll } from "./poll.ts";
import { isRunning, processes, type RunningProcess } from "./processes.ts";
import type { ServerUser } from "./server-user.ts";

/** The server's main process, found by the file it keeps in its cluster. */
export interface Postmaster extends RunningProcess {
  readonly port: number;
  /** PostgreSQL's own word: `starting`, `ready`, `stopping`. */
  readonly status: string;
}

/** A fast shutdown writes everything to the disk, which takes as long as the disk needs. */
const fastStopMs = 60_000;
const immediateStopMs = 5_000;

/**
 * The living postmaster of a room, or undefined. A file of a dead one, of a zombie, or with a number that
 * another program has been given since, is no postmaster.
 */
export async function findPostmaster(room: Room): Promise<Postmaster | undefined> {
  const file = await readPostmasterFile(room);
  const found = file && (await processes.find(file.pid));
  // The words are compared and not the program's path: the binaries may have moved since.
  if (!found || !`${found.commandLine} `.includes(` -D ${room.cluster} `)) return undefined;
  return { ...found, port: file.port, status: file.status };
}

async function readPostmasterFile(room: Room) {
  const text = await ifExists(readFile(postmasterFile(room), "utf8"));
  // pid, data directory, start time, port, socket folder, address, shared memory key, status
  const [pid, , , port, , , , status] = text?.split("\n") ?? [];
  if (!pid) return undefined;
  return { pid: Number(pid), port: Number(port ?? 0), status: status?.trim() ?? "starting" };
}

function postmasterFile({ cluster }: Room): string {
  return join(cluster, "postmaster.pid");
}

/**
 * Ends what a dead postmaster left: its file, and backends that still work for it.
 *
 * PostgreSQL refuses to start while the number in its file is that of any process, be it a stranger or a zombie.
 * Removing the file would also remove its guard against backends that still write to the cluster: the shared
 * memory named in the file. So the number is replaced by our own. PostgreSQL knows its parent cannot be a
 * postmaster, and goes on to check the shared memory.
 */
export async function clearDeadPostmaster(
  room: Room,
  serverUser: ServerUser | undefined,
): Promise<void> {
  const text = await ifExists(readFile(postmasterFile(room), "utf8"));
  if (text === undefined) return;

  await endBackends(room);
  // Written beside the cluster and renamed into it: root must not write through a link in another user's folder.
  const draft = join(room.folder, `unfinished-${randomUUID()}`);
  await writeFile(draft, text.replace(/^-?\d*/, String(process.pid)), { mode: 0o600, flag: "wx" });
  if (serverUser) await chown(draft, serverUser.uid, serverUser.gid);
  await rename(draft, postmasterFile(room));
}

/** Backends notice the end of their postmaster when they next wait, which a long computation may not for hours. */
async function endBackends(room: Room): Promise<void> {
  const title = `postgres: ${clusterName(room)}: `;
  const left = (await processes.list()).filter(({ commandLine }) => commandLine.startsWith(title));
  for (const { pid } of left) signal(pid, "SIGKILL");
  await Promise.all(
    left.map(({ pid }) =>
      poll(immediateStopMs, async () => ((await processes.find(pid)) ? undefined : true)),
    ),
  );
}

/** Stands in the title of every process of the server, so that `ps` and we can tell clusters apart. */
export function clusterName({ cluster }: Room): string {
  return `purser-${createHash("sha256").update(cluster).digest("hex").slice(0, 12)}`;
}

/**
 * Stops a postmaster, and answers when it is gone. Clients are disconnected and everything is written to the disk; only
 * a server that cannot do so in a minute is stopped as by a loss of power, which its log repairs at the next start.
 */
export async function stopPostmaster(postmaster: Omit<RunningProcess, "commandLine">) {
  const isGone = async () => ((await isRunning(postmaster)) ? undefined : true);
  if (await isGone()) return;

  signal(postmaster.pid, "SIGINT");
  if (await poll(fastStopMs, isGone)) return;
  signal(postmaster.pid, "SIGQUIT");
  if (await poll(immediateStopMs, isGone)) return;
  signal(postmaster.pid, "SIGKILL");
  await poll(immediateStopMs, isGone);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (thrown) {
    if (errno(thrown) !== "ESRCH") throw thrown;
  }
}
