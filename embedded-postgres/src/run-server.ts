import type { ChildProcess } from "node:child_process";
import { createServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { ClusterLocation, DataFolder } from "./data-folder.ts";
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
  /** 0 selects a free port. */
  readonly port: number;
  readonly fsync: boolean;
  readonly settings: Readonly<Record<string, string>>;
}

/** The time limit is high, because recovery after a crash can take minutes. */
const readyMs = 300_000;
const attemptsMax = 20;
const retryAfterMs = 100;

/** Returns the program and arguments that start a cluster's server. */
export function serverCommand(location: ClusterLocation, command: RunServer): string[] {
  const settings = {
    cluster_name: clusterName(location),
    // Logs server events and failures. Failed statements are not logged, because their details can contain personal
    // data. The client gets these errors in any case.
    log_min_messages: "log",
    log_error_verbosity: "terse",
    log_checkpoints: "off",
    // Without fsync, commits are still written to the operating system. Killing the server therefore loses no commits.
    ...(command.fsync ? {} : { fsync: "off", full_page_writes: "off" }),
    ...command.settings,
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    port: String(command.port),
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  return [command.postgres, "-D", location.cluster, ...options];
}

/**
 * Starts a cluster's server, which must not be running. Resolves when it is ready. A failed start leaves no process
 * running. Throws `port_in_use`, `start_failed`, and the errors of `spawnProgram`.
 */
export async function runServer(
  folder: DataFolder,
  location: ClusterLocation,
  command: RunServer,
): Promise<Postmaster> {
  for (let attempt = 1; ; attempt++) {
    const port = command.port || (await findFreePort());
    const started = await tryServer(folder, location, { ...command, port });
    if ("postmaster" in started) return started.postmaster;

    const failure = explainFailure(folder, command.port, started.log);
    if (failure.isFinal || attempt === attemptsMax) throw failure.error;
    await delay(retryAfterMs);
  }
}

async function tryServer(folder: DataFolder, location: ClusterLocation, command: RunServer) {
  const [program = "", ...args] = serverCommand(location, command);
  const log = await openLog(folder.logFile);
  try {
    // `detached` removes the server from the terminal's process group. Ctrl-C in the terminal therefore does not stop
    // the server before its clients.
    const child = await spawnProgram(
      program,
      args,
      { cwd: location.folder, serverUser: command.serverUser },
      { stdio: ["ignore", log.file.fd, log.file.fd], detached: true },
    );
    child.unref();
    const postmaster = await readyOrStopped(location, child);
    if (postmaster) return { postmaster };
    return { log: await log.readNew() };
  } finally {
    await log.file.close();
  }
}

/** Waits until the server is ready, and stops it if it does not become ready. */
async function readyOrStopped(location: ClusterLocation, child: ChildProcess): Promise<Postmaster | undefined> {
  const { pid = 0 } = child;
  const hasExited = async () => child.exitCode !== null || child.signalCode !== null;
  let ready: Postmaster | undefined;
  try {
    ready = await waitUntilReady(location, pid, hasExited);
    return ready;
  } finally {
    // The system reuses a child's pid only after the parent has read the exit code. This process has not read it, so
    // the pid still belongs to the child.
    const unready = ready || (await hasExited()) ? undefined : await processes.find(pid);
    if (unready) await stopPostmaster(unready);
  }
}

/** Waits until the postmaster with this pid is ready. Returns undefined if it exits or the time limit is reached. */
export async function waitUntilReady(
  location: ClusterLocation,
  pid: number,
  hasExited: () => Promise<boolean>,
): Promise<Postmaster | undefined> {
  const outcome = await poll(readyMs, async () => {
    const found = await findPostmaster(location);
    if (found?.pid === pid && found?.status === "ready") return found;
    return (await hasExited()) ? "exited" : undefined;
  });
  return outcome === "exited" ? undefined : outcome;
}

function explainFailure({ logFile }: DataFolder, requestedPort: number, log: string) {
  if (log.includes("Address already in use")) {
    return {
      // If the port was chosen automatically, the next attempt uses a different port.
      isFinal: requestedPort !== 0,
      error: new EmbeddedPostgresError(
        "port_in_use",
        `Port ${requestedPort || "(any free one)"} on 127.0.0.1 is in use by another program. ` +
          "Stop that program, or choose another port.",
      ),
    };
  }
  return {
    // If backends of a killed server are still exiting, a later attempt can succeed.
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
  if (address === null || typeof address === "string") throw new Error("The TCP server has no port.");
  return address.port;
}
