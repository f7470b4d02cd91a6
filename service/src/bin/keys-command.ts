import { parseArgs } from "node:util";
import type { App } from "../app.ts";
import { isId, OPERATOR_TENANT, type TenantId } from "../foundation/ids.ts";
import { PUBLISHED_MS } from "../vault/open-vault.ts";
import { rewrapDataKeys } from "../vault/rewrap-data-keys.ts";
import { beginDataKeyRotations } from "../vault/rotate-data-keys.ts";
import { type Terminal, UsageError, withApp } from "./command-line.ts";

const USAGE = `Rotates keys now, which the workers do by themselves in time. Reads the same environment as the service.

  npm run keys -- rewrap                 wraps every data key under the current key encryption key
  npm run keys -- rotate                 begins another data key for every tenant
  npm run keys -- rotate --tenant dev_…  begins one for this tenant

Both may be stopped and begun again, while the service runs.`;

interface Given {
  readonly print: Terminal["print"];
  readonly tenant: string | undefined;
}

const commands: Readonly<Record<string, (app: App, given: Given) => Promise<void>>> = {
  rewrap: async (app, { tenant, print }) => {
    if (tenant !== undefined)
      throw new UsageError("rewrap takes no tenant: it is for all of them.");
    const { rewrapped, failed } = await rewrapDataKeys(app, (soFar) => {
      print(`${soFar.rewrapped} data keys wrapped anew, ${soFar.failed} failed`);
    });
    print(`Done: ${rewrapped} data keys are under ${app.keyEncryptionKey.id} now.`);
    if (failed > 0) throw new Error(`${failed} data keys are not. The log says why.`);
  },
  rotate: async (app, { tenant, print }) => {
    const tenantId = tenant === undefined ? undefined : requireTenant(tenant);
    // One that is younger has just been made for a rotation, by this command maybe.
    const madeBefore = new Date(app.clock.now().getTime() - PUBLISHED_MS);
    let begun = 0;
    for (;;) {
      const more = await beginDataKeyRotations(app, { madeBefore, tenantId });
      if (more === 0) break;
      begun += more;
      print(`${begun} rotations begun`);
    }
    if (begun === 0) throw new UsageError("No data key is older than two minutes there.");
    print(
      "The workers seal everything anew within minutes, and destroy the old data keys a day later.",
    );
  },
};

/** `npm run keys` */
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
  throw new UsageError(`${text} is no tenant.`);
}
