import type { ChildProcess } from "node:child_process";
import { createServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { DataFolder, Room } from "./data-folder.ts";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";
import { poll } from "./poll.ts";
import { clusterName, findPostmaster, type Postmaster, stopPostmaster } from "./postmaster.ts";
import { processes } from "./processes.ts";
import { spawnProgram } from "./run-program.ts";
import { lastLines, openLog } from "./server-log.ts";
import type { ServerUser } from "./server-user.ts";

export interface RunServer {
  readonly postgres: string;
  readonly serverUser: ServerUser | undefined;
  /** 0: any free one. */
  readonly port: number;
  readonly fsync: boolean;
  readonly settings: Readonly<Record<string, string>>;
}

/** Recovery after a crash reads the log again from the last checkpoint, minutes in the worst case. */
const readyMs = 300_000;
const attemptsMax = 20;
const retryAfterMs = 100;

/** The words a server for this room is started with. */
export function serverCommand(room: Room, command: RunServer): string[] {
  const settings = {
    cluster_name: clusterName(room),
    // The server's own events and failures. A statement that fails is its caller's to report, and its detail may
    // hold personal data.
    log_min_messages: "log",
    log_error_verbosity: "terse",
    log_checkpoints: "off",
    // Commits are still written to the system at once, so that even then a killed server loses none.
    ...(command.fsync ? {} : { fsync: "off", full_page_writes: "off" }),
    ...command.settings,
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    port: String(command.port),
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  return [command.postgres, "-D", room.cluster, ...options];
}

/**
 * Starts a server in a room whose last one is dead, and answers when it is ready. A start that fails leaves
 * nothing running. Throws `port_in_use`, `start_failed`, and what `spawnProgram` throws.
 */
export async function runServer(
  folder: DataFolder,
  room: Room,
  command: RunServer,
): Promise<Postmaster> {
  for (let attempt = 1; ; attempt++) {
    const port = command.port || (await findFreePort());
    const started = await tryServer(folder, room, { ...command, port });
    if ("postmaster" in started) return started.postmaster;

    const failure = explainFailure(folder, command.port, started.log);
    if (failure.isFinal || attempt === attemptsMax) throw failure.error;
    await delay(retryAfterMs);
  }
}

async function tryServer(folder: DataFolder, room: Room, command: RunServer) {
  const [program = "", ...args] = serverCommand(room, command);
  const log = await openLog(folder.logFile);
  try {
    // A session of its own keeps the terminal's Ctrl-C from it: whoever uses the database stops first.
    const child = await spawnProgram(
      program,
      args,
      { cwd: room.folder, serverUser: command.serverUser },
      { stdio: ["ignore", log.file.fd, log.file.fd], detached: true },
    );
    child.unref();
    const postmaster = await readyOrStopped(room, child);
    if (postmaster) return { postmaster };
    return { log: await log.readNew() };
  } finally {
    await log.file.close();
  }
}

/** Whatever keeps the server from being ready, it does not run on. */
async function readyOrStopped(room: Room, child: ChildProcess): Promise<Postmaster | undefined> {
  const { pid = 0 } = child;
  const isGone = async () => child.exitCode !== null || child.signalCode !== null;
  let ready: Postmaster | undefined;
  try {
    ready = await waitUntilReady(room, pid, isGone);
    return ready;
  } finally {
    // It is our own child, so its number is nobody else's before we have seen it end.
    const unready = ready || (await isGone()) ? undefined : await processes.find(pid);
    if (unready) await stopPostmaster(unready);
  }
}

/** The postmaster of this number once it says that it is ready; undefined when it ended, or the time is over. */
export async function waitUntilReady(
  room: Room,
  pid: number,
  isGone: () => Promise<boolean>,
): Promise<Postmaster | undefined> {
  const outcome = await poll(readyMs, async () => {
    const found = await findPostmaster(room);
    if (found?.pid === pid && found?.status === "ready") return found;
    return (await isGone()) ? "gone" : undefined;
  });
  return outcome === "gone" ? undefined : outcome;
}

function explainFailure({ logFile }: DataFolder, wantedPort: number, log: string) {
  if (log.includes("Address already in use")) {
    return {
      // A port that was free a moment ago went to another program: the next attempt takes another one.
      isFinal: wantedPort !== 0,
      error: new EmbeddedPostgresError(
        "port_in_use",
        `Port ${wantedPort || "(any free one)"} on 127.0.0.1 is taken by another program. ` +
          "Stop that program, or choose another port.",
      ),
    };
  }
  return {
    // Backends of the dead server are still ending; they were told to.
    isFinal: !log.includes("pre-existing shared memory block"),
    error: new EmbeddedPostgresError(
      "start_failed",
      `PostgreSQL did not start. The end of ${logFile}:\n${lastLines(log)}`,
    ),
  };
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("a TCP server has a port");
  return address.port;
}
