import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { access } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { EmbeddedPostgresError } from "./embedded-postgres-error.ts";
import { errno } from "./errno.ts";
import type { ServerUser } from "./server-user.ts";

export interface RunOptions {
  /** A folder that the server's user can enter. That user may have no access to the current folder. */
  readonly cwd: string;
  readonly serverUser: ServerUser | undefined;
}

/** Runs a program and waits for it to exit. Throws `initdb_failed` with its stderr if the exit status is not 0. */
export async function runProgram(program: string, args: string[], options: RunOptions) {
  const child = await spawnProgram(program, args, options, { stdio: ["ignore", "ignore", "pipe"] });
  const [stderr, [status, signal]] = await Promise.all([child.stderr ? text(child.stderr) : "", once(child, "close")]);
  if (status === 0) return;
  throw new EmbeddedPostgresError(
    "initdb_failed",
    `The database could not be created: initdb exited with ${signal ?? `status ${status}`}.\n${stderr.trim()}`,
  );
}

/**
 * Starts a program as the server's user. Throws `server_user_unavailable`, `unsupported_platform`, `binaries_missing`
 * or `start_failed`.
 */
export async function spawnProgram(
  program: string,
  args: string[],
  { cwd, serverUser }: RunOptions,
  options: SpawnOptions,
): Promise<ChildProcess> {
  // The program gets a new environment. The current one can contain secrets, and PG* or LANG variables that affect the
  // server.
  const env = { LC_ALL: "C", TZ: "UTC" };
  try {
    const child = spawn(program, args, { ...options, ...serverUser, cwd, env });
    await once(child, "spawn");
    return child;
  } catch (cause) {
    throw await explainSpawnFailure(program, serverUser, cause);
  }
}

async function explainSpawnFailure(
  program: string,
  serverUser: ServerUser | undefined,
  cause: unknown,
): Promise<EmbeddedPostgresError> {
  const code = errno(cause);
  if (serverUser && (code === "EPERM" || code === "EINVAL")) {
    return new EmbeddedPostgresError(
      "server_user_unavailable",
      `Root cannot run programs as the user with ID ${serverUser.uid} (${code}), and PostgreSQL does ` +
        "not run as root. Start this as an ordinary user, or allow the capabilities SETUID and SETGID.",
      { cause },
    );
  }
  const exists = await access(program).then(
    () => true,
    () => false,
  );
  // The system reports ENOENT for an existing program if its loader is missing, as on Alpine.
  if (code === "ENOENT" && exists) {
    return new EmbeddedPostgresError(
      "unsupported_platform",
      `${program} cannot run on this system. The embedded PostgreSQL needs glibc, which Alpine does not have: ` +
        "use a Debian-based image, or your own PostgreSQL server.",
      { cause },
    );
  }
  return new EmbeddedPostgresError(
    exists ? "start_failed" : "binaries_missing",
    `${program} could not be started (${code}). Install the packages again with \`npm ci\`.`,
    { cause },
  );
}
