import { parseArgs } from "node:util";
import type { App } from "../app.ts";
import { composeApp } from "../compose.ts";
import { ConfigError, readConfig } from "../config.ts";
import { isId, OPERATOR_TENANT, type TenantId } from "../foundation/ids.ts";
import { redactedMessage } from "../foundation/redact.ts";
import { PUBLISHED_MS } from "../vault/open-vault.ts";
import { rewrapDataKeys } from "../vault/rewrap-data-keys.ts";
import { beginDataKeyRotations } from "../vault/rotate-data-keys.ts";

const USAGE = `Rotates keys now, which the workers do by themselves in time. Reads the same environment as the service.

  npm run keys -- rewrap                 wraps every data key under the current key encryption key
  npm run keys -- rotate                 begins another data key for every tenant
  npm run keys -- rotate --tenant dev_…  begins one for this tenant

Both may be stopped and begun again, while the service runs.`;

/** What somebody typed wrong. */
class UsageError extends Error {}

const commands: Readonly<Record<string, (app: App, tenant: string | undefined) => Promise<void>>> =
  {
    rewrap: async (app, tenant) => {
      if (tenant !== undefined)
        throw new UsageError("rewrap takes no tenant: it is for all of them.");
      const { rewrapped, failed } = await rewrapDataKeys(app, (soFar) => {
        console.log(`${soFar.rewrapped} data keys wrapped anew, ${soFar.failed} failed`);
      });
      console.log(`Done: ${rewrapped} data keys are under ${app.keyEncryptionKey.id} now.`);
      if (failed > 0) throw new Error(`${failed} data keys are not. The log says why.`);
    },
    rotate: async (app, tenant) => {
      const tenantId = tenant === undefined ? undefined : requireTenant(tenant);
      // One that is younger has just been made for a rotation, by this command maybe.
      const madeBefore = new Date(app.clock.now().getTime() - PUBLISHED_MS);
      let begun = 0;
      for (;;) {
        const more = await beginDataKeyRotations(app, { madeBefore, tenantId });
        if (more === 0) break;
        begun += more;
        console.log(`${begun} rotations begun`);
      }
      if (begun === 0) throw new UsageError("No data key is older than two minutes there.");
      console.log(
        "The workers seal everything anew within minutes, and destroy the old data keys a day later.",
      );
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
    options: { tenant: { type: "string" }, help: { type: "boolean", default: false } },
  });
  const [name = "", ...rest] = positionals;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (values.help) return console.log(USAGE);
  if (command === undefined || rest.length > 0) throw new UsageError(USAGE);
  await withApp((app) => command(app, values.tenant));
}

async function withApp(work: (app: App) => Promise<void>): Promise<void> {
  const app = await composeApp(readConfig(process.env));
  try {
    await work(app);
  } finally {
    await app.fastState.close();
    await app.db.destroy();
  }
}

function requireTenant(text: string): TenantId {
  if (text === OPERATOR_TENANT || isId("dev", text)) return text;
  throw new UsageError(`${text} is no tenant.`);
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isForPeople = [UsageError, ConfigError].some((kind) => error instanceof kind);
  const isUnreadable = "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
  return isForPeople || isUnreadable ? error.message : redactedMessage(error);
}
