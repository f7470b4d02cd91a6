import { chmod, lstat, mkdir } from "node:fs/promises";
import {
  EmbeddedPostgresError,
  type EmbeddedPostgresErrorCode,
} from "./embedded-postgres-error.ts";
import { errno } from "./errno.ts";

interface OwnFolder {
  readonly mode: number;
  /** The error to throw when the folder is not ours, or cannot be made. */
  readonly code: EmbeddedPostgresErrorCode;
}

/**
 * Makes a folder, or takes the one that is there if nobody else could have put anything into it: a real
 * folder (no link), owned by this user, writable by no other. Only then is its mode set.
 */
export async function ensureOwnFolder(path: string, { mode, code }: OwnFolder): Promise<void> {
  const refuse = (why: string, cause?: unknown) =>
    new EmbeddedPostgresError(
      code,
      `The folder ${path} ${why}. Start this as the user who owns the folder, or choose another one.`,
      { cause },
    );

  try {
    await mkdir(path, { mode });
  } catch (thrown) {
    if (errno(thrown) !== "EEXIST") throw refuse(`cannot be made (${errno(thrown)})`, thrown);
  }
  const found = await lstat(path);
  if (!found.isDirectory()) throw refuse("is not a folder");
  if (found.uid !== process.geteuid?.()) throw refuse(`belongs to the user with id ${found.uid}`);
  if ((found.mode & 0o022) !== 0) throw refuse("can be written to by other users");
  await chmod(path, mode);
}
