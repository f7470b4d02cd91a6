import { randomBytes, randomUUID } from "node:crypto";
import { chmod, mkdir, readFile, realpath, stat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { writeDurableFile } from "./durable-file.ts";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";
import { errno, ifExists } from "./errno.ts";
import { ensureOwnFolder } from "./own-folder.ts";
import { canReach, isRoot, type ServerUser } from "./server-user.ts";

/**
 * What we keep in a data folder:
 *
 *     <dataDir>/postgres/owner.<n>     the process that runs this database (owner-lock.ts)
 *     <dataDir>/postgres/password      the superuser's password, 0600
 *     <dataDir>/postgres/server.log    of this run; server.log.1 is of the one before
 *     <dataDir>/postgres/cluster/      PostgreSQL's own data directory, 0700, or instead of it
 *     <dataDir>/postgres/location      the folder that holds `cluster/`: see `findRoom`
 */
export interface DataFolder {
  readonly home: string;
  readonly passwordFile: string;
  readonly logFile: string;
}

/** Opens `<dataDir>/postgres`, and makes what is missing. Throws `data_dir_unusable`. */
export async function openDataFolder(dataDir: string): Promise<DataFolder> {
  if (!isAbsolute(dataDir)) {
    throw unusable(`The data folder must be an absolute path; it is "${dataDir}".`);
  }
  // Root's server runs as another user, who has to pass through, but need not list.
  const mode = isRoot() ? 0o711 : 0o700;
  try {
    const made = await mkdir(dataDir, { recursive: true, mode });
    if (made !== undefined) await chmod(dataDir, mode);
  } catch (cause) {
    throw unusable(`The data folder ${dataDir} cannot be made (${errno(cause)}).`, cause);
  }
  const home = join(await realpath(dataDir), "postgres");
  await ensureOwnFolder(home, { mode, code: "data_dir_unusable" });
  return { home, passwordFile: join(home, "password"), logFile: join(home, "server.log") };
}

/** The folder that holds `cluster/`: the home itself wherever that serves. */
export interface Room {
  readonly folder: string;
  readonly cluster: string;
}

/**
 * Finds the room of a data folder, or makes one.
 *
 * As root the server runs as `nobody`, who cannot pass through a folder such as /root. Opening other people's
 * folders is not ours to do, so the cluster then lives in a room of its own under the shared folder, and the
 * file `location` in the home names that room. Moving the data folder on the same machine keeps working.
 *
 * Throws `cluster_missing`, `data_dir_unusable`, `shared_folder_unusable`.
 */
export async function findRoom(
  { home }: Pick<DataFolder, "home">,
  serverUser: ServerUser | undefined,
  sharedFolder: string,
): Promise<Room> {
  const pointer = join(home, "location");
  const elsewhere = (await ifExists(readFile(pointer, "utf8")))?.trim();
  if (elsewhere !== undefined) return openRoom(elsewhere, pointer);
  if (serverUser === undefined || (await canReach(serverUser, home, 0o1))) return room(home);

  if (await ifExists(stat(join(home, "cluster")))) {
    throw unusable(
      `The database is in ${home}, and the user it runs as (id ${serverUser.uid}) can no longer get there. ` +
        `Allow passing through the folders above it (chmod o+x), or move the data folder.`,
    );
  }
  return makeRoom(sharedFolder, pointer);
}

async function openRoom(folder: string, pointer: string): Promise<Room> {
  if (!(isAbsolute(folder) && (await ifExists(stat(folder))))) {
    throw new EmbeddedPostgresError(
      "cluster_missing",
      `The file ${pointer} says that the database is in ${folder}, where there is none. ` +
        "Put it back, or remove the whole data folder to begin with an empty database.",
    );
  }
  await ensureOwnFolder(folder, { mode: 0o711, code: "data_dir_unusable" });
  return room(folder);
}

async function makeRoom(sharedFolder: string, pointer: string): Promise<Room> {
  const code = "shared_folder_unusable";
  const folder = join(sharedFolder, "clusters", randomUUID());
  await ensureOwnFolder(sharedFolder, { mode: 0o755, code });
  await ensureOwnFolder(join(sharedFolder, "clusters"), { mode: 0o711, code });
  await ensureOwnFolder(folder, { mode: 0o711, code });
  // Written before the cluster is made: a start that dies in between leaves a room that the next one uses.
  await writeDurableFile(pointer, `${folder}\n`);
  return room(folder);
}

function room(folder: string): Room {
  return { folder, cluster: join(folder, "cluster") };
}

/**
 * The superuser's password, generated at the first start. It is on the disk before the cluster that is made
 * with it, so no cluster is ever without. Throws `password_unusable`.
 */
export async function readPassword({ passwordFile }: DataFolder, { cluster }: Room) {
  const known = (await ifExists(readFile(passwordFile, "utf8")))?.trim();
  if (known) return known;

  if (await ifExists(stat(cluster))) {
    throw new EmbeddedPostgresError(
      "password_unusable",
      `The password of the database was in ${passwordFile}, which is gone. Restore that file, or remove the ` +
        "whole data folder to begin with an empty database.",
    );
  }
  const password = randomBytes(32).toString("base64url");
  await writeDurableFile(passwordFile, `${password}\n`);
  return password;
}

function unusable(message: string, cause?: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError("data_dir_unusable", message, { cause });
}
