import { text } from "node:stream/consumers";
import { parseArgs } from "node:util";
import { Check } from "typebox/value";
import type { App } from "../app.ts";
import { fillAnchor, lostEntries, recordLoss } from "../audit/checkpoints/restored-anchor.ts";
import { blockchainNetworkOf } from "../foundation/blockchain-networks.ts";
import { EmailIn } from "../http/routes/developers/fields.ts";
import { createAdmin, disableAdmin, listAdmins } from "../modules/admins/admins.ts";
import { resumeNetwork } from "../modules/networks/networks.ts";
import { listCursors } from "../modules/networks/queries.ts";
import { type Terminal, UsageError, withApp } from "./command-line.ts";
import { doctorCommand } from "./doctor-command.ts";

const USAGE = `Creates, lists and disables admins of this server, and checks what it needs. Reads the same environment variables as the server.

  npm run admin -- create --email ada@example.com
  npm run admin -- create --email ada@example.com --password-stdin < file
  npm run admin -- list
  npm run admin -- disable --email ada@example.com
  npm run admin -- networks
  npm run admin -- networks resume base-sepolia
  npm run admin -- anchor
  npm run admin -- anchor record "restored the backup of 2026-11-29"
  npm run admin -- anchor fill
  npm run admin -- doctor [--json]

doctor checks the configuration, the stores, the keys and the vendors, and says how to mend each fault; its exit code is 1 if there is one. networks lists the networks in use; networks resume lets a network that was stopped be used again. anchor lists the chains of which the audit anchor has entries that the database does not have, as after a restore; anchor record writes this into these chains; anchor fill publishes the database's checkpoints to a new, empty anchor. create prints the admin's credentials once: save them. If they are lost, disable the admin and create the same address again.`;

interface CommandInput {
  readonly print: Terminal["print"];
  readonly email: string | undefined;
  readonly password: string | undefined;
  /** What follows the name of the command. */
  readonly rest: readonly string[];
}

const commands: Readonly<Record<string, (app: App, input: CommandInput) => Promise<void>>> = {
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
      print(`${adminId}  ${state}  ${lastLoginAt?.toISOString() ?? "never logged in"}  ${email}`);
    }
  },
  disable: async (app, { email, print }) => {
    const address = requireEmail(email);
    if (!(await disableAdmin(app, { email: address }))) {
      throw new UsageError(`No active admin has the address ${address}.`);
    }
    print(`${address} is disabled. The admin's sessions have ended.`);
  },
  networks: async (app, { rest: [action, name = "", ...more], print }) => {
    if (action === undefined) {
      for (const { network, blockNumber, readAt, stoppedAt } of await listCursors(app.db)) {
        const state = stoppedAt === null ? "in use " : "stopped";
        print(`${network.padEnd(17)}  ${state}  block ${blockNumber}, read ${readAt.toISOString()}`);
      }
      return;
    }
    const network = blockchainNetworkOf(name);
    if (action !== "resume" || network === undefined || more.length > 0) throw new UsageError(USAGE);
    if (!(await resumeNetwork(app, network))) throw new UsageError(`The network ${network} is not stopped.`);
    print(`${network} is resumed. The balances of its wallets are compared with the chain within the hour.`);
  },
  anchor: async (app, { rest: [action, reason, ...more], print }) => {
    if (action === "fill") return print(`${await fillAnchor(app)} checkpoints published`);
    const isUsage = action === undefined || (action === "record" && reason !== undefined);
    if (!isUsage || more.length > 0) throw new UsageError(USAGE);
    for await (const lost of lostEntries(app)) {
      const { key, lastSequence, checkpoint } = lost;
      const { sequence, time } = checkpoint;
      print(`${key.tenantId}  ${key.chain}  has ${lastSequence} entries, anchor has ${sequence} of ${time}`);
      if (reason !== undefined) await recordLoss(app, lost, reason);
    }
  },
};

/** The commands that are followed by further words. */
const WITH_ACTIONS = new Set(["networks", "anchor"]);

/** Runs `npm run admin`. Throws `UsageError` for unknown commands and missing options. */
export async function adminCommand(argv: readonly string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      email: { type: "string" },
      "password-stdin": { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const [command = "", ...rest] = positionals;
  if (command === "doctor" && rest.length === 0 && !values.help) return doctorCommand(terminal, values);
  const run = Object.hasOwn(commands, command) ? commands[command] : undefined;
  if (values.help) return terminal.print(USAGE);
  if (run === undefined || (!WITH_ACTIONS.has(command) && rest.length > 0)) throw new UsageError(USAGE);
  const password = values["password-stdin"] ? (await text(terminal.stdin)).trimEnd() : undefined;
  const input = { email: values.email, password, rest, print: terminal.print };
  await withApp(terminal, (app) => run(app, input), { logLevel: "silent" });
}

function requireEmail(email: string | undefined): string {
  if (email !== undefined && Check(EmailIn, email)) return email;
  throw new UsageError("Add the admin's address: --email ada@example.com");
}
