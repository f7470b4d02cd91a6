import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, readdir, rm, statfs, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeAbandonedDataFolder, startEmbeddedPostgres, withAdminClient } from "@purser/embedded-postgres";
import type { TestProject } from "vitest/node";
import { buildDashboard, isDashboardOutdated } from "../../dashboard/build-dashboard.ts";
import { areDocsOutdated, buildDocs } from "../../docs/build-docs.ts";
import { endProcessesUsing } from "../../embedded-postgres/test/folder-processes.ts";
import { migrate } from "../src/db/migrate.ts";
import { checkProducedEvents } from "./events/produced-events.ts";
import { reportVendorTally, startVendorTally } from "./vendors/vendor-tally.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The URLs of the test run's PostgreSQL server, one per role. Append a database name to connect. */
    readonly postgres: {
      readonly superuserUrl: string;
      readonly ownerUrl: string;
      readonly serviceUrl: string;
      readonly piiUrl: string;
    };
    /** The folder for this run's temporary files. It is deleted at the end of the run. */
    readonly runFolder: string;
  }
}

const DATA_DIR_PREFIX = "purser-test-";

/** Linux's in-memory file system. */
const MEMORY = "/dev/shm";
/** Minimum free memory for creating the run's folder in `/dev/shm`. A test run needs about half of it. */
const MEMORY_BYTES_MIN = 8 * 1024 ** 3;

export const TEMPLATE = "purser_template";

/**
 * Starts one PostgreSQL server for the test run and creates the migrated database that test files copy. At the end of
 * the run, prints whether the adapters' requests matched the vendors' API descriptions.
 *
 * @public Vitest calls this export by name.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  await Promise.all([tmpdir(), MEMORY].map(removeKilledRuns));
  if (await isDashboardOutdated()) await buildDashboard();
  if (await areDocsOutdated()) await buildDocs();
  const dataDir = await mkdtemp(join(await findFolder(), DATA_DIR_PREFIX));
  // If the tests run as root, PostgreSQL runs as a different user, which needs access to the folder.
  await chmod(dataDir, 0o755);
  // Workers and their child processes inherit TMPDIR, so the temporary folders of tests are inside this folder. A
  // process that a test starts there has the folder's path in its command line. `endProcessesUsing` finds leftover
  // processes by that path.
  process.env["TMPDIR"] = dataDir;
  const postgres = await startEmbeddedPostgres({
    dataDir,
    fsync: false,
    // Autovacuum is off: the databases are too short-lived to benefit from it.
    settings: { max_connections: "300", autovacuum: "off" },
  });
  const password = randomBytes(16).toString("hex");
  await withAdminClient(postgres, "postgres", async (client) => {
    await client.query("create role purser_service nologin");
    await client.query("create role purser_pii nologin");
    await client.query(`create role test_owner login createdb createrole password '${password}'`);
    await client.query("grant purser_service to test_owner with admin option");
    await client.query(`create role test_service login password '${password}' in role purser_service`);
    await client.query(`create role test_pii login password '${password}' in role purser_pii`);
    await client.query(`create database ${TEMPLATE} owner test_owner`);
  });
  const urlFor = (user: string) => `postgres://${user}:${password}@127.0.0.1:${postgres.port}/`;
  await migrate({ ownerUrl: `${urlFor("test_owner")}${TEMPLATE}` });
  project.provide("postgres", {
    superuserUrl: postgres.url(""),
    ownerUrl: urlFor("test_owner"),
    serviceUrl: urlFor("test_service"),
    piiUrl: urlFor("test_pii"),
  });
  project.provide("runFolder", dataDir);
  const tallyFile = join(dataDir, "requests");
  await writeFile(tallyFile, "");
  startVendorTally(tallyFile);
  return async () => {
    try {
      await checkProducedEvents(postgres, project);
      await postgres.stop();
      await endProcessesUsing(dataDir);
      await reportVendorTally(tallyFile, project);
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  };
}

/**
 * Returns the folder in which the run's folder is created: `/dev/shm` if enough memory is free and TMPDIR is not set,
 * otherwise the usual temporary folder. Each database has 700 files, and creating files in memory is several times
 * faster.
 */
async function findFolder(): Promise<string> {
  if (process.env["TMPDIR"] !== undefined) return tmpdir();
  const { bavail, bsize } = await statfs(MEMORY).catch(() => ({ bavail: 0, bsize: 0 }));
  const freeBytes = Math.min(bavail * bsize, process.availableMemory());
  return freeBytes >= MEMORY_BYTES_MIN ? MEMORY : tmpdir();
}

/**
 * Cleans up after test runs that were killed: stops the processes that they left running in `folder`, and deletes their
 * folders. Active test runs are not affected. Exported for its test.
 */
export async function removeKilledRuns(folder: string): Promise<void> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.startsWith(DATA_DIR_PREFIX));
  // A folder that cannot be deleted does not prevent this run from starting.
  await Promise.allSettled(names.map((name) => removeAbandonedDataFolder(join(folder, name), endProcessesUsing)));
}
