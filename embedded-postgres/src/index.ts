import { locatePackage } from "./binaries.ts";
import { type EmbeddedPostgres, type EmbeddedPostgresOptions, start } from "./start.ts";

export { withAdminClient } from "./admin-client.ts";
export { locatePackage } from "./binaries.ts";
export { EmbeddedPostgresError } from "./embedded-postgres-error.ts";
export { removeAbandonedDataFolder } from "./remove-abandoned.ts";
export { findServerUser } from "./server-user.ts";
export type { EmbeddedPostgres, EmbeddedPostgresOptions } from "./start.ts";

/**
 * Starts the PostgreSQL server of a data folder. Resolves when the server accepts connections. The server listens only
 * on 127.0.0.1. It uses a generated password, UTF8, locale C and, by default, fsync. Creating a database takes about a
 * second, and a restart takes 0.1 seconds.
 *
 * Only one process at a time can own a data folder. Call `stop()` before that process ends. If the process is killed,
 * the server continues to run. The next start then uses the running server, or replaces it if the PostgreSQL version or
 * the settings have changed.
 *
 * PostgreSQL does not run as root, so a root process starts it as an unprivileged user. If that user has no access to
 * the data folder (for example under /root), the cluster is in /var/lib/purser/clusters, on macOS in
 * /var/db/purser/clusters. In that case, removing the data folder does not remove the cluster.
 *
 * Throws `EmbeddedPostgresError`.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const sharedFolder = process.platform === "darwin" ? "/var/db/purser" : "/var/lib/purser";
  return start(options, { packageDir: locatePackage(), sharedFolder });
}
