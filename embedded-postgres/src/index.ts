import { locatePackage } from "./binaries.ts";
import { type EmbeddedPostgres, type EmbeddedPostgresOptions, start } from "./start.ts";

export { withAdminClient } from "./admin-client.ts";
export { EmbeddedPostgresError } from "./embedded-postgres-error.ts";
export { removeAbandonedDataFolder } from "./remove-abandoned.ts";
export type { EmbeddedPostgres, EmbeddedPostgresOptions } from "./start.ts";

/**
 * Starts the PostgreSQL of a data folder. Resolves when it accepts connections. It listens on 127.0.0.1 only, with a
 * generated password, UTF8, locale C and fsync on. A new database takes about a second, a restart 0.1 seconds.
 *
 * One process owns a data folder at a time. If the owner is killed, the server continues, and the next start adopts it.
 * Call `stop()` before the process ends.
 *
 * If this process is root, the server runs as the Unix user `nobody`. If this user cannot reach the data folder (under /root, or in a
 * new folder of `mkdtemp`, both with mode 0700), the cluster is under /var/lib/purser/clusters. Removing the data folder
 * does not remove it then.
 *
 * Throws `EmbeddedPostgresError`.
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const sharedFolder = process.platform === "darwin" ? "/var/db/purser" : "/var/lib/purser";
  return start(options, { packageDir: locatePackage(), sharedFolder });
}
