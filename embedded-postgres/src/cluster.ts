import { randomUUID } from "node:crypto";
import { chmod, chown, mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Room } from "./data-folder.ts";
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
 * Makes the cluster of a room, unless it is there. It is made under another name and renamed when whole, so
 * what a killed start leaves behind is never taken for a cluster; the next start removes it. Only the owner
 * of the room may call this. Throws `initdb_failed`, `server_user_unavailable`, `unsupported_platform`.
 */
export async function ensureCluster(
  room: Room,
  command: CreateCluster,
): Promise<"created" | "found"> {
  await removeUnfinished(room);
  if (await ifExists(stat(room.cluster))) return "found";

  command.onProgress("Making a new database.");
  const draft = join(room.folder, `unfinished-${randomUUID()}`);
  await mkdir(draft);
  // Set afterwards, because a strict umask takes from what `mkdir` is asked for.
  await chmod(draft, 0o711);
  try {
    await initialize(draft, command);
    await renameDurably(join(draft, "cluster"), room.cluster);
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
  if (command.serverUser) await handOver(command.serverUser, [cluster, passwordFile]);

  await runProgram(command.initdb, initdbArguments(cluster, passwordFile, command.fsync), {
    cwd: draft,
    serverUser: command.serverUser,
  });
}

/**
 * Without `--no-sync`, although that would save 0.1 s: PostgreSQL itself never writes these files to the disk
 * again, so a loss of power soon after the first start would leave a cluster that looks whole and is not.
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

async function handOver({ uid, gid }: ServerUser, paths: readonly string[]): Promise<void> {
  try {
    for (const path of paths) await chown(path, uid, gid);
  } catch (cause) {
    throw new EmbeddedPostgresError(
      "server_user_unavailable",
      `Root may not give files to the user with id ${uid} here (${errno(cause)}), and PostgreSQL does not run ` +
        "as root. Start this as an ordinary user, or allow the capabilities CHOWN, SETUID and SETGID.",
      { cause },
    );
  }
}

async function removeUnfinished({ folder }: Room): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.startsWith("unfinished-"));
  // An initdb that outlived its killed parent may still be writing: hence the retries.
  const options = { recursive: true, force: true, maxRetries: 10, retryDelay: 50 };
  await Promise.all(names.map((name) => rm(join(folder, name), options)));
}
