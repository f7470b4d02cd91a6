import { chmod, lstat, mkdir } from "node:fs/promises";
import { EmbeddedPostgresError, type EmbeddedPostgresErrorCode } from "./embedded-postgres-error.ts";
import { errno } from "./errno.ts";

interface OwnFolder {
  readonly mode: number;
  /** The code of the error that is thrown if the folder cannot be used. */
  readonly code: EmbeddedPostgresErrorCode;
}

/**
 * Creates a folder and sets its mode. Accepts an existing folder only if the current user owns it and other users
 * cannot write to it. Does not accept a symbolic link.
 */
export async function ensureOwnFolder(path: string, { mode, code }: OwnFolder): Promise<void> {
  const unusable = (problem: string, cause?: unknown) =>
    new EmbeddedPostgresError(
      code,
      `The folder ${path} ${problem}. Start this as the user who owns the folder, or choose a different folder.`,
      { cause },
    );

  try {
    await mkdir(path, { mode });
  } catch (thrown) {
    if (errno(thrown) !== "EEXIST") throw unusable(`cannot be created (${errno(thrown)})`, thrown);
  }
  const found = await lstat(path);
  if (!found.isDirectory()) throw unusable("is not a folder");
  if (found.uid !== process.geteuid?.()) throw unusable(`belongs to the user with ID ${found.uid}`);
  if ((found.mode & 0o022) !== 0) throw unusable("is writable by other users");
  await chmod(path, mode);
}
