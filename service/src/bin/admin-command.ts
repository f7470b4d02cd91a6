import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { Check } from "typebox/value";
import type { App } from "../app.ts";
import { EmailIn } from "../http/routes/developers/fields.ts";
import { createAdmin, disableAdmin, listAdmins } from "../modules/admins/index.ts";
import { type Terminal, UsageError, withApp } from "./command-line.ts";

const USAGE = `Makes, lists and shuts out the operators of this service. Reads the same environment as the service.

  npm run admin -- create --email ada@example.com
  npm run admin -- create --email ada@example.com --password-stdin < file
  npm run admin -- list
  npm run admin -- disable --email ada@example.com

create prints what the admin signs in with, once: keep it. Whoever has lost it is disabled, then created again.`;

interface Given {
  readonly print: Terminal["print"];
  readonly email: string | undefined;
  readonly password: string | undefined;
}

const commands: Readonly<Record<string, (app: App, given: Given) => Promise<void>>> = {
  create: async (app, { email, password, print }) => {
    const admin = await createAdmin(app, { email: requireEmail(email), password });
    print(`email        ${admin.email}`);
    if (password === undefined) print(`password     ${admin.password}`);
    print(`totp secret  ${admin.totpSecret}`);
    print(`totp url     ${admin.totpUrl}`);
  },
  list: async (app, { print }) => {
    for (const { adminId, email, disabledAt, lastLoginAt } of await listAdmins(app)) {
      const state = disabledAt === null ? "active  " : "disabled";
      print(`${adminId}  ${state}  ${lastLoginAt?.toISOString() ?? "never signed in"}  ${email}`);
    }
  },
  disable: async (app, { email, print }) => {
    const address = requireEmail(email);
    if (!(await disableAdmin(app, { email: address }))) {
      throw new UsageError(`Nobody who may sign in has the address ${address}.`);
    }
    print(`${address} is shut out. Their sessions have ended.`);
  },
};

/** `npm run admin` */
export async function adminCommand(argv: readonly string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      email: { type: "string" },
      "password-stdin": { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const [command = "", ...rest] = positionals;
  const run = Object.hasOwn(commands, command) ? commands[command] : undefined;
  if (values.help) return terminal.print(USAGE);
  if (run === undefined || rest.length > 0) throw new UsageError(USAGE);
  const password = values["password-stdin"] ? (await text(terminal.stdin)).trimEnd() : undefined;
  const given = { email: values.email, password, print: terminal.print };
  await withApp(terminal, (app) => run(app, given), { logLevel: "silent" });
}

function requireEmail(email: string | undefined): string {
  if (email !== undefined && Check(EmailIn, email)) return email;
  throw new UsageError("Name the admin's address: --email ada@example.com");
}
