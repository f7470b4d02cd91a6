import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedPostgres, withAdminClient } from "@purser/embedded-postgres";
import { everyVendorAt } from "@purser/service/config/vendors.ts";
import type { Config } from "@purser/service/config.ts";
import { migrate } from "@purser/service/db/migrate.ts";
import type { Client } from "pg";
import { ensureDatabases } from "../../local/src/databases.ts";
import { localConfig } from "../../local/src/local-config.ts";
import { readOrCreateSecrets } from "../../local/src/secrets.ts";

export interface Stores {
  /**
   * Returns the local profile's configuration for a server on this database, with a high rate limit per key and long
   * timeouts. `name` is part of the name of the file in which the server stores nonces.
   */
  configFor(name: string): Config;
  /** URL that connects as the owner of the tables. */
  readonly ownerUrl: string;
  /** URL of the database in which simulated vendors store their objects. */
  readonly simulatorsUrl: string;
  /** Runs `work` with a superuser connection to Purser's database. */
  asSuperuser(work: (client: Client) => Promise<void>): Promise<void>;
  /** Stops the database and removes its folder. */
  close(): Promise<void>;
}

/** No server listens at these URLs. Only the saga benchmark calls a vendor, and it sets that vendor's URL itself. */
const UNREACHABLE_VENDORS = {
  ...everyVendorAt("http://127.0.0.1:9"),
  STRIPE_SECRET_KEY: "sk_live_none",
  STRIPE_TEST_SECRET_KEY: "sk_test_none",
};

/**
 * The timeout is long, because the servers share the machine's cores and can be slow. A timeout would cause a 503, which
 * would end the run.
 */
const TIMEOUT_MS = 5_000;

/** Starts a migrated PostgreSQL database, with fsync enabled, in a temporary folder. `settings` are PostgreSQL's. */
export async function openStores(settings: Readonly<Record<string, string>> = {}): Promise<Stores> {
  const dataDir = await mkdtemp(join(tmpdir(), "purser-bench-"));
  // If this process runs as root, PostgreSQL runs as another user, which must be able to enter the folder.
  await chmod(dataDir, 0o755);
  const secrets = await readOrCreateSecrets(dataDir);
  const postgres = await startEmbeddedPostgres({ dataDir, settings });
  const databases = await ensureDatabases(postgres, secrets);
  await migrate({ ownerUrl: databases.ownerUrl });
  const smtpUrl = "smtp://127.0.0.1:9";
  const config = localConfig({
    dataDir,
    port: 0,
    secrets,
    databases,
    smtpUrl,
    vendors: UNREACHABLE_VENDORS,
  });
  return {
    configFor: (name) => ({
      ...config,
      claimsFile: join(dataDir, `claims-${name}`),
      logLevel: "warn",
      timeouts: { ...config.timeouts, storeMs: TIMEOUT_MS, statementMs: TIMEOUT_MS },
      settings: {
        ...config.settings,
        storeTimeoutMs: TIMEOUT_MS,
        costlyReadsPerMinute: null,
        keyBucket: { capacity: 1_000_000_000, refillPerSecond: 1_000_000 },
      },
    }),
    ownerUrl: databases.ownerUrl,
    simulatorsUrl: databases.simulatorsUrl,
    asSuperuser: (work) => withAdminClient(postgres, new URL(databases.serviceUrl).pathname.slice(1), work),
    close: async () => {
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
