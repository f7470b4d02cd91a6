import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { Check } from "typebox/value";
import type { App } from "../app.ts";
import { composeApp } from "../compose.ts";
import { ConfigError, readConfig } from "../config.ts";
import { AppError } from "../foundation/errors.ts";
import { redactedMessage } from "../foundation/redact.ts";
import { EmailIn } from "../http/routes/developers/fields.ts";
import { createAdmin, disableAdmin, listAdmins } from "../modules/admins/index.ts";

const USAGE = `Makes, lists and shuts out the operators of this service. Reads the same environment as the service.

  npm run admin -- create --email ada@example.com
  npm run admin -- create --email ada@example.com --password-stdin < file
  npm run admin -- list
  npm run admin -- disable --email ada@example.com

create prints what the admin signs in with, once: keep it. Whoever has lost it is disabled, then created again.`;

/** What somebody typed wrong. */
class UsageError extends Error {}

interface Given {
  readonly email: string | undefined;
  readonly password: string | undefined;
}

const commands: Readonly<Record<string, (app: App, given: Given) => Promise<void>>> = {
  create: async (app, { email, password }) => {
    const admin = await createAdmin(app, { email: requireEmail(email), password });
    console.log(`email        ${admin.email}`);
    if (password === undefined) console.log(`password     ${admin.password}`);
    console.log(`totp secret  ${admin.totpSecret}`);
    console.log(`totp url     ${admin.totpUrl}`);
  },
  list: async (app) => {
    for (const { adminId, email, disabledAt, lastLoginAt } of await listAdmins(app)) {
      const state = disabledAt === null ? "active  " : "disabled";
      console.log(
        `${adminId}  ${state}  ${lastLoginAt?.toISOString() ?? "never signed in"}  ${email}`,
      );
    }
  },
  disable: async (app, { email }) => {
    const address = requireEmail(email);
    if (!(await disableAdmin(app, { email: address }))) {
      throw new UsageError(`Nobody who may sign in has the address ${address}.`);
    }
    console.log(`${address} is shut out. Their sessions have ended.`);
  },
};

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(describe(error));
  process.exitCode = 1;
}

async function main(argv: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      email: { type: "string" },
      "password-stdin": { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const [command = "", ...rest] = positionals;
  const run = Object.hasOwn(commands, command) ? commands[command] : undefined;
  if (values.help) return console.log(USAGE);
  if (run === undefined || rest.length > 0) throw new UsageError(USAGE);
  const password = values["password-stdin"] ? (await text(process.stdin)).trimEnd() : undefined;
  await withApp((app) => run(app, { email: values.email, password }));
}

function requireEmail(email: string | undefined): string {
  if (email !== undefined && Check(EmailIn, email)) return email;
  throw new UsageError("Name the admin's address: --email ada@example.com");
}

async function withApp(work: (app: App) => Promise<void>): Promise<void> {
  const app = await composeApp({ ...readConfig(process.env), logLevel: "silent" });
  try {
    await work(app);
  } finally {
    await app.fastState.close();
    await app.db.destroy();
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isForPeople = [UsageError, ConfigError, AppError].some((kind) => error instanceof kind);
  const isUnreadable = "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
  return isForPeople || isUnreadable ? error.message : redactedMessage(error);
}
