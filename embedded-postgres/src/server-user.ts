import { readFile, realpath, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";

/** `spawn` options that run the child process as this user. */
export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

export function isRoot(): boolean {
  return process.geteuid?.() === 0;
}

/**
 * Returns the user to start PostgreSQL as. Undefined means the current user. PostgreSQL does not run as root, so a root
 * process starts PostgreSQL as an unprivileged user. Throws `server_user_unavailable` if the system has none.
 */
export async function findServerUser(passwdFile = "/etc/passwd"): Promise<ServerUser | undefined> {
  if (!isRoot()) return undefined;

  const lines = (await readFile(passwdFile, "utf8").catch(() => "")).split("\n");
  const [, , uid, gid] = lines.find((line) => line.startsWith("nobody:"))?.split(":") ?? [];
  if (!uid || !gid) {
    throw new EmbeddedPostgresError(
      "server_user_unavailable",
      `PostgreSQL does not run as root, and ${passwdFile} has no entry for the user "nobody". ` +
        "Start this as an ordinary user.",
    );
  }
  // macOS lists these IDs as -2, but the system uses unsigned numbers.
  return { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 };
}

/**
 * Returns true if the user can enter every folder above the path and has the permissions on the path itself.
 * `permissions` is 4 (read), 1 (enter or run) or their sum. Checks only permission bits, not access control lists.
 */
export async function canReach(user: ServerUser, path: string, permissions: number): Promise<boolean> {
  const target = await realpath(path);
  if (!(await isAllowed(user, target, permissions))) return false;
  for (let folder = dirname(target); ; folder = dirname(folder)) {
    if (!(await isAllowed(user, folder, 0o1))) return false;
    if (folder === dirname(folder)) return true;
  }
}

async function isAllowed({ uid, gid }: ServerUser, path: string, permissions: number): Promise<boolean> {
  const found = await stat(path);
  const shift = uid === found.uid ? 6 : gid === found.gid ? 3 : 0;
  return ((found.mode >> shift) & permissions) === permissions;
}
