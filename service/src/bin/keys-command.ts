import { parseArgs } from "node:util";
import type { App } from "../app.ts";
import { isId, OPERATOR_TENANT, type TenantId } from "../foundation/ids.ts";
import { type RewrapProgress, rewrapDataKeys } from "../vault/rewrap-data-keys.ts";
import { startDataKeyRotations } from "../vault/rotate-data-keys.ts";
import { ACTIVATION_DELAY_MS } from "../vault/vault.ts";
import { type Terminal, UsageError, withApp } from "./command-line.ts";

const USAGE = `Rotates keys now. The workers also rotate them on a schedule. Reads the same environment variables as the server.

  npm run keys -- rewrap                 re-encrypts every data key with the current key encryption key
  npm run keys -- rotate                 creates a new data key for every tenant
  npm run keys -- rotate --tenant dev_…  creates a new data key for this tenant

Both commands can run while the server runs, and can be stopped and started again at any time.`;

interface CommandInput {
  readonly print: Terminal["print"];
  readonly tenant: string | undefined;
}

const commands: Readonly<Record<string, (app: App, given: CommandInput) => Promise<void>>> = {
  rewrap: async (app, { tenant, print }) => {
    if (tenant !== undefined) throw new UsageError("rewrap has no --tenant option: it covers all tenants.");
    const report = (soFar: RewrapProgress) =>
      print(`${soFar.rewrapped} data keys re-encrypted, ${soFar.failed} failed`);
    const main = await rewrapDataKeys(app, {}, report);
    // The data keys of personal data are apart from the others.
    const personal = app.piiDb === null ? undefined : await rewrapDataKeys({ ...app, db: app.piiDb }, {}, report);
    const rewrapped = main.rewrapped + (personal?.rewrapped ?? 0);
    const failed = main.failed + (personal?.failed ?? 0);
    print(`Re-encrypted now: ${rewrapped}.`);
    if (failed > 0) throw new Error(`Could not re-encrypt ${failed} data keys. See the log for the reasons.`);
    print(`Every data key is encrypted with ${app.keyEncryptionKey.id}.`);
  },
  rotate: async (app, { tenant, print }) => {
    const tenantId = tenant === undefined ? undefined : requireTenant(tenant);
    // Data keys created after this time are skipped. Otherwise the loop would rotate the keys that it has just created.
    const madeBefore = new Date(app.clock.now().getTime() - ACTIVATION_DELAY_MS);
    let started = 0;
    for (;;) {
      const more = await startDataKeyRotations(app, { madeBefore, tenantId });
      if (more === 0) break;
      started += more;
      print(`${started} rotations started`);
    }
    if (started === 0) throw new UsageError("No data key is older than two minutes. Try again later.");
    print("The workers re-encrypt all values within minutes and delete the old data keys a day later.");
  },
};

/** Runs `npm run keys`. Throws `UsageError` for unknown commands and invalid options. */
export async function keysCommand(argv: readonly string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: { tenant: { type: "string" }, help: { type: "boolean", default: false } },
  });
  const [name = "", ...rest] = positionals;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (values.help) return terminal.print(USAGE);
  if (command === undefined || rest.length > 0) throw new UsageError(USAGE);
  await withApp(terminal, (app) => command(app, { tenant: values.tenant, print: terminal.print }));
}

function requireTenant(text: string): TenantId {
  if (text === OPERATOR_TENANT || isId("dev", text)) return text;
  throw new UsageError(`${text} is not a tenant id.`);
}
