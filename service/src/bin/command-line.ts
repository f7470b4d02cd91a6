import type { Readable } from "node:stream";
import type { App } from "../app.ts";
import { closeApp, composeApp } from "../compose.ts";
import { type Config, ConfigError, readConfig } from "../config.ts";
import { AppError } from "../foundation/errors.ts";
import { redactedMessage } from "../foundation/redact.ts";

/**
 * A command's environment, input and output. Tests pass their own `Terminal`, so that they can run a command without
 * starting a process.
 */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable;
  /** Writes a line to standard output. */
  print(line: string): void;
  /** Standard error, which also receives the log. */
  readonly stderr: { write(text: string): unknown };
}

export type Command = (argv: readonly string[], terminal: Terminal) => Promise<void>;

/** An error that is printed without its stack trace, for example a missing option. */
export class UsageError extends Error {}

/** Runs a command and returns its exit code. */
export async function runCommand(command: Command, argv: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await command(argv, terminal);
    return 0;
  } catch (error) {
    terminal.stderr.write(`${describe(error)}\n`);
    return 1;
  }
}

/** Runs a command with this process's arguments, environment and streams, and sets the exit code. */
export async function runAsProcess(command: Command): Promise<void> {
  process.exitCode = await runCommand(command, process.argv.slice(2), {
    environment: process.env,
    stdin: process.stdin,
    print: (line) => console.log(line),
    stderr: process.stderr,
  });
}

/** Builds the app from the environment variables, runs `work`, and closes the app. */
export async function withApp(
  { environment, stderr }: Terminal,
  work: (app: App) => Promise<void>,
  changes: Partial<Config> = {},
): Promise<void> {
  const logTo = { write: (text: string) => void stderr.write(text) };
  const app = await composeApp({ ...readConfig(environment), ...changes }, { logTo });
  try {
    await work(app);
  } finally {
    await closeApp(app);
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isForUser = [UsageError, ConfigError, AppError].some((kind) => error instanceof kind);
  const isArgumentError = "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
  return isForUser || isArgumentError ? error.message : redactedMessage(error);
}
