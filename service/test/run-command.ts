import { execFile } from "node:child_process";
import { join } from "node:path";
import { Readable } from "node:stream";
import { type Command, runCommand } from "../src/bin/command-line.ts";
import { newSecrets } from "../src/config/new-secrets.ts";

/** The script that npm scripts use to run a file with Node 24. */
const ON_NODE_24 = join(import.meta.dirname, "../../scripts/on-node-24.cjs");

export interface EndedCommand {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface CommandOptions {
  readonly databaseUrl: string;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** The text on standard input. */
  readonly input?: string;
}

/** Runs a command in this process, with the given database and folder. */
export async function runInProcess(
  command: Command,
  args: readonly string[],
  options: CommandOptions,
): Promise<EndedCommand> {
  let [stdout, stderr] = ["", ""];
  const code = await runCommand(command, args, {
    environment: environmentOf(options),
    stdin: Readable.from([options.input ?? ""]),
    print: (line) => {
      stdout += `${line}\n`;
    },
    stderr: {
      write: (text) => {
        stderr += text;
      },
    },
  });
  return { code, stdout, stderr };
}

/** Runs a file in `src/bin` in a new process, as an operator does. */
export function runAsOperator(bin: string, args: readonly string[], options: CommandOptions): Promise<EndedCommand> {
  const nodeArgs = [ON_NODE_24, join(import.meta.dirname, "../src/bin", bin), ...args];
  const env = environmentOf(options);
  return new Promise((resolve) => {
    const child = execFile(process.execPath, nodeArgs, { env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
    child.stdin?.end(options.input);
  });
}

function environmentOf({ databaseUrl, folder, environment }: CommandOptions) {
  return {
    ...newSecrets(),
    PURSER_PROFILE: "test",
    DATABASE_URL: databaseUrl,
    PURSER_CLAIMS_FILE: join(folder, "command-claims"),
    PURSER_AUDIT_ANCHOR_FILE: join(folder, "command-anchor.jsonl"),
    SMTP_URL: "smtp://127.0.0.1:9",
    ...environment,
  };
}
