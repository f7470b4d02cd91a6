import { join } from "node:path";
import { withAdminClient } from "./admin-client.ts";
import { findBinaries } from "./binaries.ts";
import { ensureCluster, superuser } from "./cluster.ts";
import {
  type DataFolder,
  findRoom,
  openDataFolder,
  type Room,
  readPassword,
} from "./data-folder.ts";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";
import { errno } from "./errno.ts";
import { ensureOwnFolder } from "./own-folder.ts";
import { type OwnerLock, takeOwnerLock } from "./owner-lock.ts";
import {
  clearDeadPostmaster,
  findPostmaster,
  type Postmaster,
  stopPostmaster,
} from "./postmaster.ts";
import { isRunning } from "./processes.ts";
import { type RunServer, runServer, serverCommand, waitUntilReady } from "./run-server.ts";
import { rotateLog } from "./server-log.ts";
import { findServerUser, type ServerUser } from "./server-user.ts";

export interface EmbeddedPostgresOptions {
  /** Absolute. The database is kept in `<dataDir>/postgres`; both are made when missing. */
  readonly dataDir: string;
  /** On 127.0.0.1. 0 or absent: any free one, another at each start. */
  readonly port?: number;
  /** False trades the safety of the data for speed, which only tests may do. */
  readonly fsync?: boolean;
  /** PostgreSQL settings by name, such as `max_connections`. The address and the port cannot be set here. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Told what takes long, in a sentence for people. */
  readonly onProgress?: (message: string) => void;
}

export interface EmbeddedPostgres {
  readonly host: "127.0.0.1";
  readonly port: number;
  /** Of the server's main process. */
  readonly pid: number;
  readonly superuser: string;
  readonly password: string;
  /** What the start found: no database yet, a stopped one, or a server that had outlived its last owner. */
  readonly outcome: "created" | "started" | "adopted";
  /** `postgres://user:password@127.0.0.1:port/database`, for the superuser. */
  url(database: string): string;
  /** Disconnects all clients, stops the server and answers when it is gone. May be called again. */
  stop(): Promise<void>;
}

/** What tests replace: where the binaries are, and the folder for what `nobody` must be able to reach. */
export interface AppOverrides {
  readonly packageDir: string;
  readonly sharedFolder: string;
}

/** See `startEmbeddedPostgres`. */
export async function start(
  options: EmbeddedPostgresOptions,
  surroundings: AppOverrides,
): Promise<EmbeddedPostgres> {
  const serverUser = await findServerUser();
  const folder = await openDataFolder(options.dataDir);
  const locks: OwnerLock[] = [await takeOwnerLock(folder.home)];
  const release = async () => {
    for (const lock of locks.toReversed()) await lock.release();
  };

  try {
    const room = await findRoom(folder, serverUser, surroundings.sharedFolder);
    // A copied data folder points to the room of the original, which only one of the two may run.
    if (room.folder !== folder.home) locks.push(await takeOwnerLock(room.folder));
    return await startInRoom({ options, surroundings, serverUser, folder, room, release });
  } catch (thrown) {
    await release();
    throw thrown;
  }
}

interface OwnedRoom {
  readonly options: EmbeddedPostgresOptions;
  readonly surroundings: AppOverrides;
  readonly serverUser: ServerUser | undefined;
  readonly folder: DataFolder;
  readonly room: Room;
  readonly release: () => Promise<void>;
}

async function startInRoom(owned: OwnedRoom): Promise<EmbeddedPostgres> {
  const { options, serverUser, folder, room } = owned;
  const { onProgress = () => {}, fsync = true, port = 0, settings = {} } = options;
  const { initdb, postgres } = await findBinaries({
    packageDir: owned.surroundings.packageDir,
    serverUser,
    stagingFolder: () => makeStagingFolder(owned),
    onProgress,
  });
  const password = await readPassword(folder, room);
  const cluster = await ensureCluster(room, { initdb, password, serverUser, fsync, onProgress });

  const command = { postgres, serverUser, port, fsync, settings };
  const adopted = await adoptPostmaster(room, command);
  const postmaster = adopted ?? (await startAfresh(folder, room, command));
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
 * As root one copy of the binaries serves all data folders. Anybody else has no place that is both shared and safe
 * from other users (and /tmp is swept), so the copy is put beside the data.
 */
async function makeStagingFolder({ surroundings, serverUser, folder }: OwnedRoom): Promise<string> {
  const code = "shared_folder_unusable";
  const parent = serverUser ? surroundings.sharedFolder : folder.home;
  const staging = join(parent, "binaries");
  if (serverUser) await ensureOwnFolder(parent, { mode: 0o755, code });
  await ensureOwnFolder(staging, { mode: 0o755, code });
  return staging;
}

/**
 * Takes over the server that outlived a killed owner, if it was started with the words we would use now. Any
 * other (another version, other settings, one that is stopping) is stopped, and answered with undefined.
 */
async function adoptPostmaster(room: Room, command: RunServer): Promise<Postmaster | undefined> {
  const running = await findPostmaster(room);
  if (running === undefined) return undefined;

  const words = serverCommand(room, { ...command, port: command.port || running.port }).join(" ");
  if (running.commandLine === words && running.status !== "stopping") {
    const isGone = async () => !(await isRunning(running));
    const ready = await waitUntilReady(room, running.pid, isGone);
    if (ready) return ready;
  }
  await stopPostmaster(running);
  return undefined;
}

async function startAfresh(folder: DataFolder, room: Room, command: RunServer) {
  await clearDeadPostmaster(room, command.serverUser);
  await rotateLog(folder.logFile);
  return runServer(folder, room, command);
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
    url: (database) =>
      `postgres://${superuser}:${password}@127.0.0.1:${port}/${encodeURIComponent(database)}`,
    stop() {
      stopped ??= stopAndRelease();
      return stopped;
    },
  };
}

/** A server that is ready but refuses our password is not ours to use. */
async function verifyLogin(server: EmbeddedPostgres, { passwordFile, logFile }: DataFolder) {
  try {
    await withAdminClient(server, "postgres", (client) => client.query("select 1"));
  } catch (cause) {
    if (errno(cause) === "28P01") {
      throw new EmbeddedPostgresError(
        "password_unusable",
        `The password in ${passwordFile} is not the one of the database. Restore that file, or remove the whole ` +
          "data folder to begin with an empty database.",
        { cause },
      );
    }
    throw new EmbeddedPostgresError(
      "start_failed",
      `PostgreSQL runs but does not answer. See ${logFile}.`,
      { cause },
    );
  }
}
