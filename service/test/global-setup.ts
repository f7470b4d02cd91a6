import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, readdir, rm, statfs, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  removeAbandonedDataFolder,
  startEmbeddedPostgres,
  withAdminClient,
} from "@purser/embedded-postgres";
import type { TestProject } from "vitest/node";
import { endProcessesOf } from "../../embedded-postgres/test/folder-processes.ts";
import { migrate } from "../src/db/migrate.ts";
import { reportVendorTally, startVendorTally } from "./vendors/vendor-tally.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The test server's addresses, each to be completed with a database's name. */
    readonly postgres: {
      readonly superuserUrl: string;
      readonly ownerUrl: string;
      readonly serviceUrl: string;
    };
    /** The run's own folder for temporary files, which is removed at its end. */
    readonly runFolder: string;
  }
}

const DATA_DIR_PREFIX = "purser-test-";

/** Where Linux has a file system in memory. */
const MEMORY = "/dev/shm";
/** A run takes about half of it. */
const MEMORY_BYTES_MIN = 8 * 1024 ** 3;

export const TEMPLATE = "purser_template";

/**
 * Starts one Postgres for the run, and makes the migrated database that each test file gets its own copy of. At the end,
 * says how the adapters' requests stood up to the vendors' descriptions.
 *
 * @public Vitest calls it by its name.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await Promise.all([tmpdir(), MEMORY].map(removeKilledRuns));
  const dataDir = await mkdtemp(join(await findFolder(), DATA_DIR_PREFIX));
  // The server runs as somebody else when the tests run as root, and has to get in.
  await chmod(dataDir, 0o755);
  // Workers and what they start inherit it. So what a test starts in a temporary folder names the run's folder on its
  // command line, and the end of this run, or the next run, finds it.
  process.env["TMPDIR"] = dataDir;
  const postgres = await startEmbeddedPostgres({
    dataDir,
    fsync: false,
    // Hundreds of databases that live for seconds: nothing in them is worth cleaning up.
    settings: { max_connections: "300", autovacuum: "off" },
  });
  const password = randomBytes(16).toString("hex");
  await withAdminClient(postgres, "postgres", async (client) => {
    await client.query("create role purser_service nologin");
    await client.query(`create role test_owner login createdb createrole password '${password}'`);
    await client.query("grant purser_service to test_owner with admin option");
    await client.query(
      `create role test_service login password '${password}' in role purser_service`,
    );
    await client.query(`create database ${TEMPLATE} owner test_owner`);
  });
  const urlFor = (user: string) => `postgres://${user}:${password}@127.0.0.1:${postgres.port}/`;
  await migrate({ ownerUrl: `${urlFor("test_owner")}${TEMPLATE}` });
  project.provide("postgres", {
    superuserUrl: postgres.url(""),
    ownerUrl: urlFor("test_owner"),
    serviceUrl: urlFor("test_service"),
  });
  project.provide("runFolder", dataDir);
  const tallyFile = join(dataDir, "requests");
  await writeFile(tallyFile, "");
  startVendorTally(tallyFile);
  return async () => {
    try {
      await postgres.stop();
      await endProcessesOf(dataDir);
      await reportVendorTally(tallyFile, project);
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  };
}

/** Where the run's files go: each test file's database has 700 files, which are made several times as fast in memory. */
async function findFolder(): Promise<string> {
  if (process.env["TMPDIR"] !== undefined) return tmpdir();
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }));
  const freeBytes = Math.min(bavail * bsize, process.availableMemory());
  return freeBytes >= MEMORY_BYTES_MIN ? MEMORY : tmpdir();
}

/**
 * Ends what runs of the tests left that were killed, and removes their folders from this one. Runs that are alive are left
 * alone. Exported for its test.
 */
export async function removeKilledRuns(folder: string): Promise<void> {
  const names = (await readdir(folder).catch(() => [])).filter((name) =>
    name.startsWith(DATA_DIR_PREFIX),
  );
  // Settled: what cannot be removed does not keep this run from starting.
  await Promise.allSettled(
    names.map((name) => removeAbandonedDataFolder(join(folder, name), endProcessesOf)),
  );
}
