import { spawn } from "node:child_process";
import { constants } from "node:os";
import { CliError } from "../cli-error.ts";

/** Credentials of `purser` itself. A command gets them only if the bundle has them. */
const OWN_CREDENTIALS = { PURSER_API_KEY: undefined, PURSER_API_SECRET: undefined };
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
  /** The project's variables. They take precedence over those of the parent. */
  readonly variables: Readonly<Record<string, string>>;
  readonly parentEnv: Readonly<Record<string, string | undefined>>;
  /** Default: the platform of this process. */
  readonly platform?: NodeJS.Platform;
}

/**
 * Runs a command with a project's variables, without a shell, and waits for it. Signals to this process are passed on. From a
 * terminal, Ctrl-C already reaches the command, which must not get it twice.
 *
 * @returns the command's exit code, or 128 plus the number of the signal that ended it.
 * @throws CliError with the exit code 127 if the command is not found, or 126 if it cannot be started.
 */
export async function runCommand(command: Command): Promise<number> {
  try {
    return await exitCodeOf(command);
  } catch (cause) {
    throw notStarted(command, cause);
  }
}

function exitCodeOf({ command, args, variables, parentEnv }: Command): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: "inherit", env: { ...parentEnv, ...OWN_CREDENTIALS, ...variables } });
    const forward = (signal: NodeJS.Signals) => {
      if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
    };
    for (const signal of SIGNALS) process.on(signal, forward);
    const stop = () => {
      for (const signal of SIGNALS) process.off(signal, forward);
    };
    child.on("error", (error) => {
      // A running command can refuse a signal, for example if it is another user's.
      if (child.pid !== undefined) return;
      stop();
      reject(error);
    });
    child.once("exit", (code, signal) => {
      stop();
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}

/** Uses the exit codes of shells. */
function notStarted({ command, platform = process.platform }: Command, cause: unknown): CliError {
  const reason = cause instanceof Error && "code" in cause ? cause.code : cause;
  const isMissing = reason === "ENOENT";
  return new CliError({
    message: isMissing ? `The command ${command} is not found.` : `${command} cannot be started: ${reason}.`,
    code: isMissing ? "command_not_found" : "command_not_executable",
    exitCode: isMissing ? 127 : 126,
    nextSteps: [
      platform === "win32"
        ? `Check its name. Purser starts no shell, which a batch file such as npm.cmd needs: purser env run -- cmd /c ${command} …`
        : "Check its name and permissions. Purser starts no shell. For the syntax of one: purser env run -- sh -c '…'",
    ],
    cause,
  });
}
