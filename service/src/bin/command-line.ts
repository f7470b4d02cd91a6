import type { Readable } from "node:stream";
import type { App } from "../app.ts";
import { closeApp, composeApp } from "../compose.ts";
import { type Config, ConfigError, readConfig } from "../config.ts";
import { redactedCause, redactedMessage } from "../foundation/redact.ts";

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
    terminal.stderr.write(`${describeForOperator(error)}\n`);
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

const UNDEFINED_TABLE = "42P01";

/** Returns what went wrong, with its cause and without credentials. */
export function describeForOperator(error: unknown): string {
  if (error instanceof UsageError || error instanceof ConfigError) return error.message;
  const isOld = error instanceof Error && "code" in error && error.code === UNDEFINED_TABLE;
  if (isOld) return `The database lacks a table (${redactedMessage(error)}): run npm run migrate.`;
  const [message, cause] = [redactedMessage(error), redactedCause(error)];
  return message === cause ? message : `${message} Cause: ${cause}`;
}
