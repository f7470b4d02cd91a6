import { locatePackage } from "./binaries.ts";
import { type EmbeddedPostgres, type EmbeddedPostgresOptions, start } from "./start.ts";

export { withAdminClient } from "./admin-client.ts";
export { EmbeddedPostgresError } from "./embedded-postgres-error.ts";
export { removeAbandonedDataFolder } from "./remove-abandoned.ts";
export type { EmbeddedPostgres, EmbeddedPostgresOptions } from "./start.ts";

/**
 * Starts the PostgreSQL of a data folder and answers when it takes connections: on 127.0.0.1 only, with a generated
 * password, UTF8, locale C, fsync on. A new database takes about a second, a restart a tenth of one.
 *
 * One process owns a data folder at a time. The server outlives an owner that is killed, and the next start adopts
 * it; so a process that ends should call `stop()`, and one that is killed loses nothing.
 *
 * As root the server runs as `nobody`. A data folder that `nobody` cannot reach (under /root, or in a fresh folder
 * of `mkdtemp`, both of mode 0700) then keeps its cluster under /var/lib/purser/clusters, and removing the data
 * folder does not remove that.
 *
 * Throws `EmbeddedPostgresError`, whose message says what to do.
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const sharedFolder = process.platform === "darwin" ? "/var/db/purser" : "/var/lib/purser";
  return start(options, { packageDir: locatePackage(), sharedFolder });
}
