import { randomBytes } from "node:crypto";
import { chownSync, closeSync, fsyncSync, openSync, renameSync, rmSync, type Stats, writeFileSync } from "node:fs";
import { lstat, readFile, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { CliError } from "../cli-error.ts";
import { FILE_BYTES_MAX, tooLarge } from "./env-file.ts";

/** The owner can read and write the file, and no one else. */
const MODE = 0o600;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export interface EnvFile {
  /** The absolute path to write, without symbolic links. */
  readonly path: string;
  /** Undefined if the file does not exist. */
  readonly bytes: Buffer | undefined;
  readonly stats: Stats | undefined;
}

/**
 * Reads the file to change, or finds that it does not exist. Follows a symbolic link to a file in the link's folder or below.
 *
 * @throws CliError if the file cannot be read, is larger than 1 MiB, is no regular file, or is a link to another place.
 */
export async function readEnvFile(file: string): Promise<EnvFile> {
  try {
    const folder = await realpath(path.dirname(file));
    const isLink = (await lstat(file).catch(missing))?.isSymbolicLink() ?? false;
    const target = isLink ? await realpath(file) : path.join(folder, path.basename(file));
    if (path.relative(folder, target).split(path.sep)[0] === "..") throw problem("ELINK", file);
    const stats = await stat(target).catch(missing);
    if (stats === undefined) return { path: target, bytes: undefined, stats };
    if (!stats.isFile()) throw problem("EISDIR", file);
    if (stats.size > FILE_BYTES_MAX) throw tooLarge(stats.size);
    return { path: target, bytes: await readFile(target), stats };
  } catch (error) {
    throw asCliError(error, file);
  }
}

/**
 * Replaces a file that `readEnvFile` has read, through a temporary file in the same folder. The new file has the mode 0600 and the
 * owner of the former one. If this fails, or a signal ends the process, the former file is complete and no other file is left.
 *
 * @returns warnings, as full sentences.
 * @throws CliError if the file cannot be written, or `file_changed` if it is not as it was read.
 */
export async function writeFileAtomically(file: EnvFile, next: Uint8Array): Promise<readonly string[]> {
  const temporary = path.join(
    path.dirname(file.path),
    `.${path.basename(file.path)}.${randomBytes(6).toString("hex")}.tmp`,
  );
  const stopRemoving = removeOnSignal(temporary);
  try {
    writeNew(temporary, next);
    if (file.stats !== undefined && file.stats.uid !== process.getuid?.()) {
      chownSync(temporary, file.stats.uid, file.stats.gid);
    }
    const found = await readFile(file.path).catch(missing);
    if (found === undefined ? file.bytes !== undefined : !file.bytes?.equals(found))
      throw problem("ECHANGED", file.path);
    renameSync(temporary, file.path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw asCliError(error, file.path);
  } finally {
    stopRemoving();
  }
  const others = (file.stats?.mode ?? MODE) & 0o077;
  return others === 0 ? [] : [`Other users could access ${file.path}. Now only its owner can (mode 0600).`];
}

/** Signals are handled only after this function, so that none arrives between opening the file and writing it. */
function writeNew(file: string, bytes: Uint8Array): void {
  const descriptor = openSync(file, "wx", MODE);
  try {
    writeFileSync(descriptor, bytes);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Removes the file when the process exits or is interrupted, until the returned function is called. */
function removeOnSignal(file: string): () => void {
  const remove = () => rmSync(file, { force: true });
  const onSignal = (signal: NodeJS.Signals) => {
    remove();
    stop();
    // With another listener, it is up to that one whether the process ends.
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
  };
  const stop = () => {
    process.off("exit", remove);
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
  process.on("exit", remove);
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return stop;
}

/** For errors of a promise: returns undefined if the file does not exist. */
function missing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}

const NOT_PERMITTED = [
  "file_not_permitted",
  "may not be read or written",
  "Check the permissions of the file and its folder.",
];
const NO_SPACE = [
  "disk_full",
  "cannot be written, because the disk or your quota is full",
  "Free some space, then try again.",
];
const NO_FOLDER = ["folder_missing", "is in a folder, or a link to a file, that does not exist", "Create it first."];

/** For each error code of the system, and two of this file: the code for programs, the message and the next step. */
const PROBLEMS: Readonly<Record<string, readonly string[]>> = {
  EACCES: NOT_PERMITTED,
  EPERM: NOT_PERMITTED,
  EROFS: NOT_PERMITTED,
  ENOSPC: NO_SPACE,
  EDQUOT: NO_SPACE,
  EFBIG: NO_SPACE,
  ENOENT: NO_FOLDER,
  ENOTDIR: NO_FOLDER,
  EISDIR: ["not_a_file", "is no regular file", "Choose the path of a file."],
  ELINK: [
    "link_outside",
    "is a link to a file outside of its folder",
    "Choose the path of that file, or replace the link.",
  ],
  ECHANGED: ["file_changed", "was changed by another program meanwhile", "Try again."],
};

function problem(code: keyof typeof PROBLEMS, file: string, cause?: unknown): CliError {
  const [cliCode = "file_error", message = `cannot be read or written: ${code}`, ...nextSteps] = PROBLEMS[code] ?? [];
  return new CliError({
    code: cliCode,
    message: `${file} ${message}.`,
    nextSteps: [...nextSteps, "The file was not changed."],
    cause,
  });
}

function asCliError(error: unknown, file: string): unknown {
  if (error instanceof CliError || !(error instanceof Error) || !("code" in error)) return error;
  return problem(String(error.code), file, error);
}
