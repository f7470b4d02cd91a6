import { execFile } from "node:child_process";
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { join } from "node:path";

export interface EndedCommand {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs one of `src/bin` as an operator does: a process of its own, over this database, in this folder. */
export function runCommand(
  bin: string,
  args: readonly string[],
  given: {
    readonly databaseUrl: string;
    readonly folder: string;
    readonly environment: Readonly<Record<string, string>>;
  },
): Promise<EndedCommand> {
  const path = join(import.meta.dirname, "../src/bin", bin);
  const env = {
    PURSER_PROFILE: "test",
    DATABASE_URL: given.databaseUrl,
    PURSER_STATEMENT_KEY: newPem(),
    PURSER_ACCESS_TOKEN_KEY: newPem(),
    PURSER_ADMIN_TOKEN_KEY: newPem(),
    PURSER_CAPTCHA_SECRET: randomBytes(32).toString("hex"),
    PURSER_CLAIMS_FILE: join(given.folder, "command-claims"),
    PURSER_AUDIT_ANCHOR_FILE: join(given.folder, "command-anchor.jsonl"),
    SMTP_URL: "smtp://127.0.0.1:9",
    STRIPE_SECRET_KEY: `sk_live_${randomBytes(16).toString("hex")}`,
    STRIPE_TEST_SECRET_KEY: `sk_test_${randomBytes(16).toString("hex")}`,
    ...given.environment,
  };
  return new Promise((resolve) => {
    execFile(process.execPath, [path, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

function newPem(): string {
  const { privateKey } = generateKeyPairSync("ed25519");
  return privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}
