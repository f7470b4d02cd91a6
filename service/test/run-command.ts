import { execFile } from "node:child_process";
import { join } from "node:path";
import { Readable } from "node:stream";
import { type Command, runCommand } from "../src/bin/command-line.ts";
import { newSecrets } from "../src/config/new-secrets.ts";

/** What every npm script begins with. */
const ON_NODE_24 = join(import.meta.dirname, "../../scripts/on-node-24.cjs");

export interface EndedCommand {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface Given {
  readonly databaseUrl: string;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** What standard input holds. */
  readonly input?: string;
}

/** Runs a command in this process, over this database, in this folder. */
export async function runInProcess(
  command: Command,
  args: readonly string[],
  given: Given,
): Promise<EndedCommand> {
  let [stdout, stderr] = ["", ""];
  const code = await runCommand(command, args, {
    environment: environmentOf(given),
    stdin: Readable.from([given.input ?? ""]),
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

/** Runs one of `src/bin` as an operator does, in a process of its own. */
export function runAsOperator(
  bin: string,
  args: readonly string[],
  given: Given,
): Promise<EndedCommand> {
  const words = [ON_NODE_24, join(import.meta.dirname, "../src/bin", bin), ...args];
  const env = environmentOf(given);
  return new Promise((resolve) => {
    const child = execFile(process.execPath, words, { env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
    child.stdin?.end(given.input);
  });
}

function environmentOf({ databaseUrl, folder, environment }: Given) {
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
