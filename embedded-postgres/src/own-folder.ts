import { chmod, lstat, mkdir } from "node:fs/promises";
import {
  EmbeddedPostgresError,
  type EmbeddedPostgresErrorCode,
} from "./embedded-postgres-error.ts";
import { errno } from "./errno.ts";

interface OwnFolder {
  readonly mode: number;
  /** The code of the error to throw. */
  readonly code: EmbeddedPostgresErrorCode;
}

/**
 * Creates a folder, or uses the existing one if no other user can have written to it: it must be a folder (not a link),
 * owned by this user and writable by no other user. Then sets its mode.
 */
export async function ensureOwnFolder(path: string, { mode, code }: OwnFolder): Promise<void> {
  const unusable = (problem: string, cause?: unknown) =>
    new EmbeddedPostgresError(
      code,
      `The folder ${path} ${problem}. Start this as the user who owns the folder, or choose another one.`,
      { cause },
    );

  try {
    await mkdir(path, { mode });
  } catch (thrown) {
    if (errno(thrown) !== "EEXIST") throw unusable(`cannot be created (${errno(thrown)})`, thrown);
  }
  const found = await lstat(path);
  if (!found.isDirectory()) throw unusable("is not a folder");
  if (found.uid !== process.geteuid?.()) throw unusable(`belongs to the user with id ${found.uid}`);
  if ((found.mode & 0o022) !== 0) throw unusable("is writable by other users");
  await chmod(path, mode);
}
