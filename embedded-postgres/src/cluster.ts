import { randomUUID } from "node:crypto";
import { chmod, chown, mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ClusterLocation } from "./data-folder.ts";
import { renameDurably } from "./durable-file.ts";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";
import { errno, ifExists } from "./errno.ts";
import { runProgram } from "./run-program.ts";
import type { ServerUser } from "./server-user.ts";

export const superuser = "postgres";

export interface CreateCluster {
  readonly initdb: string;
  readonly password: string;
  readonly serverUser: ServerUser | undefined;
  readonly fsync: boolean;
  readonly onProgress: (message: string) => void;
}

/**
 * Creates the cluster if it does not exist. Creates it in a temporary folder and moves it when it is complete. An
 * interrupted start therefore leaves no incomplete cluster. Removes the temporary files of earlier interrupted starts.
 * The caller must own the lock of `location.folder`. Throws `initdb_failed`, `server_user_unavailable` or
 * `unsupported_platform`.
 */
export async function ensureCluster(location: ClusterLocation, command: CreateCluster): Promise<"created" | "found"> {
  await removeUnfinished(location);
  if (await ifExists(stat(location.cluster))) return "found";

  command.onProgress("Creating a new database.");
  const draft = join(location.folder, `unfinished-${randomUUID()}`);
  await mkdir(draft);
  // The mode is set with `chmod`, because the umask would remove permissions from the mode of `mkdir`.
  await chmod(draft, 0o711);
  try {
    await initialize(draft, command);
    await renameDurably(join(draft, "cluster"), location.cluster);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return "created";
}

async function initialize(draft: string, command: CreateCluster): Promise<void> {
  const cluster = join(draft, "cluster");
  const passwordFile = join(draft, "password");
  await mkdir(cluster, { mode: 0o700 });
  await writeFile(passwordFile, command.password, { mode: 0o600, flag: "wx" });
  if (command.serverUser) await changeOwner(command.serverUser, [cluster, passwordFile]);

  await runProgram(command.initdb, initdbArguments(cluster, passwordFile, command.fsync), {
    cwd: draft,
    serverUser: command.serverUser,
  });
}

/**
 * Returns the arguments of initdb. Adds `--no-sync` only if fsync is off. With this option, initdb is 0.1 s faster, but
 * the new files are never synced to disk. A power failure soon after the first start could then damage the cluster.
 */
function initdbArguments(cluster: string, passwordFile: string, fsync: boolean): string[] {
  return [
    `--pgdata=${cluster}`,
    `--username=${superuser}`,
    `--pwfile=${passwordFile}`,
    "--auth=scram-sha-256",
    "--encoding=UTF8",
    "--locale=C",
    "--no-instructions",
    ...(fsync ? [] : ["--no-sync"]),
  ];
}

async function changeOwner({ uid, gid }: ServerUser, paths: readonly string[]): Promise<void> {
  try {
    for (const path of paths) await chown(path, uid, gid);
  } catch (cause) {
    throw new EmbeddedPostgresError(
      "server_user_unavailable",
      `Root cannot change the owner of files to the user with ID ${uid} (${errno(cause)}), and PostgreSQL does not run ` +
        "as root. Start this as an ordinary user, or allow the capabilities CHOWN, SETUID and SETGID.",
      { cause },
    );
  }
}

async function removeUnfinished({ folder }: ClusterLocation): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.startsWith("unfinished-"));
  // The removal is retried, because an initdb whose parent process was killed can still be writing files into the
  // folder.
  const options = { recursive: true, force: true, maxRetries: 10, retryDelay: 50 };
  await Promise.all(names.map((name) => rm(join(folder, name), options)));
}
