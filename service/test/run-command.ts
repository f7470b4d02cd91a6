import { execFile } from "node:child_process";
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { join } from "node:path";
import { Readable } from "node:stream";
import { type Command, runCommand } from "../src/bin/command-line.ts";

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
    PURSER_PROFILE: "test",
    DATABASE_URL: databaseUrl,
    PURSER_STATEMENT_KEY: newPem(),
    PURSER_ACCESS_TOKEN_KEY: newPem(),
    PURSER_ADMIN_TOKEN_KEY: newPem(),
    PURSER_CAPTCHA_SECRET: randomBytes(32).toString("hex"),
    PURSER_CLAIMS_FILE: join(folder, "command-claims"),
    PURSER_AUDIT_ANCHOR_FILE: join(folder, "command-anchor.jsonl"),
    SMTP_URL: "smtp://127.0.0.1:9",
    STRIPE_SECRET_KEY: `sk_live_${randomBytes(16).toString("hex")}`,
    STRIPE_TEST_SECRET_KEY: `sk_test_${randomBytes(16).toString("hex")}`,
    ...environment,
  };
}

function newPem(): string {
  const { privateKey } = generateKeyPairSync("ed25519");
  return privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}
