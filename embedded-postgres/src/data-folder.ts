import { randomBytes, randomUUID } from "node:crypto";
import { chmod, mkdir, readFile, realpath, stat } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { writeDurableFile } from "./durable-file.ts";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";
import { errno, ifExists } from "./errno.ts";
import { ensureOwnFolder } from "./own-folder.ts";
import { canReach, isRoot, type ServerUser } from "./server-user.ts";

/**
 * Contents of a data folder:
 *
 *     <dataDir>/postgres/owner.<n>     the process that runs this database (owner-lock.ts)
 *     <dataDir>/postgres/password      the superuser's password, 0600
 *     <dataDir>/postgres/server.log    the log of this run; server.log.1 is the previous one
 *     <dataDir>/postgres/cluster/      PostgreSQL's data directory, 0700. Absent if `location` exists.
 *     <dataDir>/postgres/location      the path of the folder that contains `cluster/`, if it is elsewhere
 */
export interface DataFolder {
  readonly home: string;
  readonly passwordFile: string;
  readonly logFile: string;
}

/** Opens `<dataDir>/postgres`. Creates missing folders. Throws `data_dir_unusable`. */
export async function openDataFolder(dataDir: string): Promise<DataFolder> {
  if (!isAbsolute(dataDir)) {
    throw unusable(`The data folder must be an absolute path; it is "${dataDir}".`);
  }
  // If this process runs as root, PostgreSQL runs as another user, which must be able to enter the folder.
  const mode = isRoot() ? 0o711 : 0o700;
  try {
    const created = await mkdir(dataDir, { recursive: true, mode });
    if (created !== undefined) await chmod(dataDir, mode);
  } catch (cause) {
    throw unusable(`The data folder ${dataDir} cannot be created (${errno(cause)}).`, cause);
  }
  const home = join(await realpath(dataDir), "postgres");
  await ensureOwnFolder(home, { mode, code: "data_dir_unusable" });
  return { home, passwordFile: join(home, "password"), logFile: join(home, "server.log") };
}

/** The folder that contains the cluster: `<dataDir>/postgres`, or a folder under the shared folder. */
export interface ClusterLocation {
  readonly folder: string;
  readonly cluster: string;
}

/**
 * Finds or creates the location of a data folder's cluster.
 *
 * The server's user (`findServerUser`) may have no access to the data folder, for example if the data folder is under
 * /root. The cluster is then in a new folder under the shared folder, and the file `location` contains the absolute
 * path of that folder. The path stays valid if the data folder is moved on the same machine.
 *
 * Throws `cluster_missing`, `data_dir_unusable` or `shared_folder_unusable`.
 */
export async function findClusterLocation(
  { home }: Pick<DataFolder, "home">,
  serverUser: ServerUser | undefined,
  sharedFolder: string,
): Promise<ClusterLocation> {
  const pointer = join(home, "location");
  const storedPath = (await ifExists(readFile(pointer, "utf8")))?.trim();
  if (storedPath !== undefined) return openClusterFolder(storedPath, pointer);
  if (serverUser === undefined || (await canReach(serverUser, home, 0o1))) return locationIn(home);

  if (await ifExists(stat(join(home, "cluster")))) {
    throw unusable(
      `The database is in ${home}, but its user (ID ${serverUser.uid}) cannot enter that folder. ` +
        `Make its parent folders accessible (chmod o+x), or move the data folder.`,
    );
  }
  return createClusterFolder(sharedFolder, pointer);
}

async function openClusterFolder(folder: string, pointer: string): Promise<ClusterLocation> {
  if (!(isAbsolute(folder) && (await ifExists(stat(folder))))) {
    throw new EmbeddedPostgresError(
      "cluster_missing",
      `The file ${pointer} states that the database is in ${folder}, but that folder does not exist. ` +
        "Restore it, or remove the whole data folder to start with an empty database.",
    );
  }
  await ensureOwnFolder(folder, { mode: 0o711, code: "data_dir_unusable" });
  return locationIn(folder);
}

async function createClusterFolder(sharedFolder: string, pointer: string): Promise<ClusterLocation> {
  const code = "shared_folder_unusable";
  const folder = join(sharedFolder, "clusters", randomUUID());
  await ensureOwnFolder(sharedFolder, { mode: 0o755, code });
  await ensureOwnFolder(join(sharedFolder, "clusters"), { mode: 0o711, code });
  await ensureOwnFolder(folder, { mode: 0o711, code });
  // The folder's path is saved before the cluster is created. If this start is interrupted, the next start therefore
  // uses the same folder.
  await writeDurableFile(pointer, `${folder}\n`);
  return locationIn(folder);
}

function locationIn(folder: string): ClusterLocation {
  return { folder, cluster: join(folder, "cluster") };
}

/**
 * Returns the superuser's password. The first start generates and saves the password before it creates the cluster.
 * Throws `password_unusable` if the cluster exists but the password file is missing.
 */
export async function readPassword({ passwordFile }: DataFolder, { cluster }: ClusterLocation) {
  const known = (await ifExists(readFile(passwordFile, "utf8")))?.trim();
  if (known) return known;

  if (await ifExists(stat(cluster))) {
    throw new EmbeddedPostgresError(
      "password_unusable",
      `The file ${passwordFile}, which contained the database's password, is missing. Restore that file, or remove the ` +
        "whole data folder to start with an empty database.",
    );
  }
  const password = randomBytes(32).toString("base64url");
  await writeDurableFile(passwordFile, `${password}\n`);
  return password;
}

function unusable(message: string, cause?: unknown): EmbeddedPostgresError {
  return new EmbeddedPostgresError("data_dir_unusable", message, { cause });
}
