import { closeApp, composeApp } from "../../compose.ts";
import type { Environment } from "../../config/reader.ts";
import { type Config, ConfigError, readConfig } from "../../config.ts";
import { attempt, type Check, found } from "./check.ts";
import { checkAuditAnchor, checkKeyEncryptionKey } from "./check-keys.ts";
import { checkDatabase, checkFastState } from "./check-stores.ts";
import { checkNodes, checkVendors } from "./check-vendors.ts";

/**
 * Checks the configuration, and everything outside the process that it names. A system that is down is a fault, and the
 * other checks go on. Only an invalid configuration ends them.
 */
export async function examine(environment: Environment): Promise<readonly Check[]> {
  try {
    const config = readConfig(environment);
    const summary = `${config.profile}, ${config.roles.join(" and ")}`;
    return [found("configuration", true, summary), ...(await attempt("configuration", () => checkSystems(config)))];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems.map((problem) => found("configuration", false, problem));
  }
}

const UNUSABLE: ReadonlySet<string> = new Set(["database", "migrations"]);

async function checkSystems(config: Config): Promise<Check[]> {
  const app = await composeApp({ ...config, logLevel: "silent" });
  try {
    const [database, fastState] = await Promise.all([checkDatabase(app, config), checkFastState(config)]);
    const isUsable = !database.some(({ check, status }) => status === "fault" && UNUSABLE.has(check));
    // They read the database, so they would report its fault again.
    const ofTables = isUsable ? await Promise.all([checkKeyEncryptionKey(app), checkAuditAnchor(app)]) : [];
    // One after the other, so that the work for one does not use up the time of another on a slow machine.
    return [
      database,
      fastState,
      ...ofTables,
      ...(await Promise.all([checkVendors(app, config), checkNodes(config)])),
    ].flat();
  } finally {
    await closeApp(app);
  }
}
