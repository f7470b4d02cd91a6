import { join } from "node:path";
import { withAdminClient } from "./admin-client.ts";
import { findBinaries } from "./binaries.ts";
import { ensureCluster, superuser } from "./cluster.ts";
import {
  type ClusterLocation,
  type DataFolder,
  findClusterLocation,
  openDataFolder,
  readPassword,
} from "./data-folder.ts";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";
import { errno } from "./errno.ts";
import { ensureOwnFolder } from "./own-folder.ts";
import { type OwnerLock, takeOwnerLock } from "./owner-lock.ts";
import { clearDeadPostmaster, findPostmaster, type Postmaster, stopPostmaster } from "./postmaster.ts";
import { isRunning } from "./processes.ts";
import { type RunServer, runServer, serverCommand, waitUntilReady } from "./run-server.ts";
import { rotateLog } from "./server-log.ts";
import { findServerUser, type ServerUser } from "./server-user.ts";

export interface EmbeddedPostgresOptions {
  /** Absolute path. The database is in `<dataDir>/postgres`. Both folders are created if they do not exist. */
  readonly dataDir: string;
  /** The port on 127.0.0.1. The default, 0, selects a free port, which can differ at each start. */
  readonly port?: number;
  /** Default: true. False is faster, but a power failure can then lose data. Use false only in tests. */
  readonly fsync?: boolean;
  /** PostgreSQL settings by name, such as `max_connections`. The address and the port cannot be set here. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Called with a sentence when a slow step starts or ends. */
  readonly onProgress?: (message: string) => void;
}

export interface EmbeddedPostgres {
  readonly host: "127.0.0.1";
  readonly port: number;
  /** The pid of the server's main process. */
  readonly pid: number;
  readonly superuser: string;
  readonly password: string;
  /** `created` if the database is new, `started` if it existed, `adopted` if its server was still running. */
  readonly outcome: "created" | "started" | "adopted";
  /** Returns the superuser's URL for a database: `postgres://user:password@127.0.0.1:port/database`. */
  url(database: string): string;
  /** Disconnects all clients, stops the server and waits until it exits. Can be called repeatedly. */
  stop(): Promise<void>;
}

/**
 * Paths that tests replace: the package with the binaries, and the folder for files that the server's user must be able
 * to access.
 */
export interface InstallPaths {
  readonly packageDir: string;
  readonly sharedFolder: string;
}

/** Implements `startEmbeddedPostgres`. */
export async function start(options: EmbeddedPostgresOptions, paths: InstallPaths): Promise<EmbeddedPostgres> {
  const serverUser = await findServerUser();
  const folder = await openDataFolder(options.dataDir);
  const locks: OwnerLock[] = [await takeOwnerLock(folder.home)];
  const release = async () => {
    for (const lock of locks.toReversed()) await lock.release();
  };

  try {
    const location = await findClusterLocation(folder, serverUser, paths.sharedFolder);
    // Copies of a data folder refer to the same cluster. This second lock ensures that only one process runs that
    // cluster.
    if (location.folder !== folder.home) locks.push(await takeOwnerLock(location.folder));
    return await startAtLocation({ options, paths, serverUser, folder, location, release });
  } catch (thrown) {
    await release();
    throw thrown;
  }
}

interface StartCommand {
  readonly options: EmbeddedPostgresOptions;
  readonly paths: InstallPaths;
  readonly serverUser: ServerUser | undefined;
  readonly folder: DataFolder;
  readonly location: ClusterLocation;
  readonly release: () => Promise<void>;
}

async function startAtLocation(owned: StartCommand): Promise<EmbeddedPostgres> {
  const { options, serverUser, folder, location } = owned;
  const { onProgress = () => {}, fsync = true, port = 0, settings = {} } = options;
  const { initdb, postgres } = await findBinaries({
    packageDir: owned.paths.packageDir,
    serverUser,
    stagingFolder: () => createStagingFolder(owned),
    onProgress,
  });
  const password = await readPassword(folder, location);
  const cluster = await ensureCluster(location, {
    initdb,
    password,
    serverUser,
    fsync,
    onProgress,
  });

  const command = { postgres, serverUser, port, fsync, settings };
  const adopted = await adoptPostmaster(location, command);
  const postmaster = adopted ?? (await startNewServer(folder, location, command));
  const outcome = adopted ? "adopted" : cluster === "created" ? "created" : "started";
  const server = embeddedPostgres(postmaster, password, outcome, owned.release);
  try {
    await verifyLogin(server, folder);
  } catch (thrown) {
    await server.stop();
    throw thrown;
  }
  return server;
}

/**
 * If this process is root, all data folders share one copy of the binaries. Otherwise, each data folder has its own
 * copy, because an ordinary user has no suitable shared folder. Other users can write to /tmp, and systems delete old
 * files there.
 */
async function createStagingFolder({ paths, serverUser, folder }: StartCommand): Promise<string> {
  const code = "shared_folder_unusable";
  const parent = serverUser ? paths.sharedFolder : folder.home;
  const staging = join(parent, "binaries");
  if (serverUser) await ensureOwnFolder(parent, { mode: 0o755, code });
  await ensureOwnFolder(staging, { mode: 0o755, code });
  return staging;
}

/**
 * Finds a server that continued to run after its owner was killed. Returns it if a new server would have the same
 * command line. Otherwise, for example if the version or the settings have changed, stops it and returns undefined.
 */
async function adoptPostmaster(location: ClusterLocation, command: RunServer): Promise<Postmaster | undefined> {
  const running = await findPostmaster(location);
  if (running === undefined) return undefined;

  const commandLine = serverCommand(location, {
    ...command,
    port: command.port || running.port,
  }).join(" ");
  if (running.commandLine === commandLine && running.status !== "stopping") {
    const hasExited = async () => !(await isRunning(running));
    const ready = await waitUntilReady(location, running.pid, hasExited);
    if (ready) return ready;
  }
  await stopPostmaster(running);
  return undefined;
}

async function startNewServer(folder: DataFolder, location: ClusterLocation, command: RunServer) {
  await clearDeadPostmaster(location, command.serverUser);
  await rotateLog(folder.logFile);
  return runServer(folder, location, command);
}

function embeddedPostgres(
  postmaster: Postmaster,
  password: string,
  outcome: EmbeddedPostgres["outcome"],
  release: () => Promise<void>,
): EmbeddedPostgres {
  const { pid, port } = postmaster;
  const stopAndRelease = async () => {
    try {
      await stopPostmaster(postmaster);
    } finally {
      await release();
    }
  };
  let stopped: Promise<void> | undefined;
  return {
    host: "127.0.0.1",
    port,
    pid,
    superuser,
    password,
    outcome,
    url: (database) => `postgres://${superuser}:${password}@127.0.0.1:${port}/${encodeURIComponent(database)}`,
    stop() {
      stopped ??= stopAndRelease();
      return stopped;
    },
  };
}

/** Throws `password_unusable` if the saved password is wrong, and `start_failed` if the server does not respond. */
async function verifyLogin(server: EmbeddedPostgres, { passwordFile, logFile }: DataFolder) {
  try {
    await withAdminClient(server, "postgres", (client) => client.query("select 1"));
  } catch (cause) {
    if (errno(cause) === "28P01") {
      throw new EmbeddedPostgresError(
        "password_unusable",
        `The password in ${passwordFile} is not the database's password. Restore that file, or remove the whole ` +
          "data folder to start with an empty database.",
        { cause },
      );
    }
    throw new EmbeddedPostgresError("start_failed", `PostgreSQL is running but does not respond. See ${logFile}.`, {
      cause,
    });
  }
}
