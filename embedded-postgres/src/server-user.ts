import { readFile, realpath, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";

/** Spread into the options of `spawn`, it makes the child run as this user. */
export interface ServerUser {
  readonly uid: number;
  readonly gid: number;
}

export function isRoot(): boolean {
  return process.geteuid?.() === 0;
}

/**
 * The user the server runs as: undefined for "as ourselves", and `nobody` when we are root, because
 * PostgreSQL refuses to run as root. No user is ever created. Throws `server_user_unavailable`.
 */
export async function findServerUser(passwdFile = "/etc/passwd"): Promise<ServerUser | undefined> {
  if (!isRoot()) return undefined;

  const lines = (await readFile(passwdFile, "utf8").catch(() => "")).split("\n");
  const [, , uid, gid] = lines.find((line) => line.startsWith("nobody:"))?.split(":") ?? [];
  if (!uid || !gid) {
    throw new EmbeddedPostgresError(
      "server_user_unavailable",
      `PostgreSQL does not run as root, and ${passwdFile} knows no user "nobody" to run it as. ` +
        "Start this as an ordinary user.",
    );
  }
  // macOS writes nobody's ids as -2; the system itself counts without sign.
  return { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 };
}

/**
 * Whether the user may pass through every folder above the path, and do with the path itself what the bits say
 * (4 read, 1 enter or run). Goes by the permission bits alone: access lists that say otherwise are not seen.
 */
export async function canReach(user: ServerUser, path: string, wanted: number): Promise<boolean> {
  const target = await realpath(path);
  if (!(await isAllowed(user, target, wanted))) return false;
  for (let folder = dirname(target); ; folder = dirname(folder)) {
    if (!(await isAllowed(user, folder, 0o1))) return false;
    if (folder === dirname(folder)) return true;
  }
}

async function isAllowed({ uid, gid }: ServerUser, path: string, wanted: number): Promise<boolean> {
  const found = await stat(path);
  const shift = uid === found.uid ? 6 : gid === found.gid ? 3 : 0;
  return ((found.mode >> shift) & wanted) === wanted;
}
