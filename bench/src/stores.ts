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
import { readOrMakeSecrets } from "../../local/src/secrets.ts";

export interface Stores {
  /** The local profile's configuration over these stores, with limits that no load reaches. `name` keeps claims files apart. */
  configFor(name: string): Config;
  /** Hands a connection of the superuser to the service's database to the work. */
  asSuperuser(work: (client: Client) => Promise<void>): Promise<void>;
  /** Stops the database and removes everything. */
  close(): Promise<void>;
}

/** Nobody listens there: what the bench measures calls no vendor. */
const NOWHERE = {
  ...everyVendorAt("http://127.0.0.1:9"),
  STRIPE_SECRET_KEY: "sk_live_none",
  STRIPE_TEST_SECRET_KEY: "sk_test_none",
};

/** A migrated database of the bench's own, with fsync on, in a folder that goes with it. */
export async function openStores(): Promise<Stores> {
  const dataDir = await mkdtemp(join(tmpdir(), "purser-bench-"));
  // The server runs as somebody else when the bench runs as root, and has to get in.
  await chmod(dataDir, 0o755);
  const secrets = await readOrMakeSecrets(dataDir);
  const postgres = await startEmbeddedPostgres({ dataDir });
  const databases = await ensureDatabases(postgres, secrets);
  await migrate({ ownerUrl: databases.ownerUrl });
  const smtpUrl = "smtp://127.0.0.1:9";
  const config = localConfig({ dataDir, port: 0, secrets, databases, smtpUrl, vendors: NOWHERE });
  return {
    configFor: (name) => ({
      ...config,
      claimsFile: join(dataDir, `claims-${name}`),
      logLevel: "warn",
      settings: {
        ...config.settings,
        // A bench that shares its cores is late now and then, and a 503 would end it.
        storeTimeoutMs: 5_000,
        keyBucket: { capacity: 1_000_000_000, refillPerSecond: 1_000_000 },
      },
    }),
    asSuperuser: (work) =>
      withAdminClient(postgres, new URL(databases.serviceUrl).pathname.slice(1), work),
    close: async () => {
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
