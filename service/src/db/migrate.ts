import { readdir, readFile } from "node:fs/promises";
import { initializeDataSourceSchemaPG } from "@dbos-inc/dbos-sdk/datasource";
import { ensureSystemDatabase } from "@dbos-inc/dbos-sdk/internal/system_database";
import { GlobalLogger } from "@dbos-inc/dbos-sdk/internal/telemetry/logs";
import pg from "pg";
import { isLockTimeout } from "./errors.ts";

const MIGRATIONS = new URL("./migrations/", import.meta.url);

/** The number of the advisory lock: the bytes of "purser". No other code uses it. */
const ADVISORY_LOCK = 0x707572736572;
const LOCK_POLL_MS = 50;

/**
 * How long a statement of a migration waits for the lock of a table. While it waits, every later statement on the table waits
 * behind it, also those of requests.
 */
const LOCK_TIMEOUT_MS = 2_000;
/** Between two attempts, the statements of requests run. */
const LOCK_PAUSE_MS = 1_000;
const LOCK_ATTEMPTS_MAX = 20;
/** A file with this ending is applied without a transaction, because it creates or drops an index concurrently. */
const CONCURRENTLY = ".concurrently.sql";

/**
 * Purser's server logs in to PostgreSQL as a member of this role. The role owns nothing, is not a superuser, and is
 * subject to row-level security.
 */
const SERVICE_ROLE = "purser_service";

/** Thrown if the database has a schema that this build's migrations do not continue. */
export class OldSchemaError extends Error {
  override readonly name = "OldSchemaError";

  constructor() {
    super("An earlier version of Purser created this database, and this version cannot migrate it: use an empty one.");
  }
}

/** Thrown if another transaction held the lock of a table during all attempts. Nothing of the file is applied. */
export class TableLockedError extends Error {
  override readonly name = "TableLockedError";

  constructor(file: string, cause: unknown) {
    super(`${file} could not lock a table: another transaction has used it for too long. End it, and migrate again.`, {
      cause,
    });
  }
}

interface Migrate {
  readonly ownerUrl: string;
  readonly folder?: URL;
  readonly lockAttemptsMax?: number;
}

/**
 * Applies the missing migrations, each file in one transaction. Connects as the database owner. If two processes start
 * at the same time, the second waits for the first and applies nothing. Throws `TableLockedError` after `lockAttemptsMax`
 * attempts, each of which waits two seconds for a lock.
 *
 * @param folder the folder of the migrations
 * @returns the names of the applied files
 */
export async function migrate({
  ownerUrl,
  folder = MIGRATIONS,
  lockAttemptsMax = LOCK_ATTEMPTS_MAX,
}: Migrate): Promise<string[]> {
  const client = new pg.Client({ connectionString: ownerUrl });
  client.on("error", () => {});
  await client.connect();
  try {
    await waitForLock(client);
    const applied = await applyPending(client, folder, lockAttemptsMax);
    await migrateWorkflowTables(client, ownerUrl);
    return applied;
  } finally {
    await client.end();
  }
}

/** Returns this build's migrations that have not been applied. */
export async function missingMigrations(
  query: (text: string) => Promise<readonly { name: string }[]>,
): Promise<string[]> {
  const applied = new Set((await query("select name from schema_migrations")).map(({ name }) => name));
  return (await migrationFiles(MIGRATIONS)).filter((file) => !applied.has(file));
}

/**
 * Polls for the lock, because a statement that waits for the lock would hold a snapshot. The process that has the lock
 * runs DBOS's `create index concurrently`, which waits until all older snapshots are released. Each process would wait
 * for the other.
 */
async function waitForLock(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query("select pg_try_advisory_lock($1) as locked", [ADVISORY_LOCK]);
    if (rows[0]?.locked === true) return;
    await new Promise((resolve) => setTimeout(resolve, LOCK_POLL_MS));
  }
}

async function applyPending(client: pg.Client, folder: URL, lockAttemptsMax: number): Promise<string[]> {
  await ensureServiceRole(client);
  await client.query(
    "create table if not exists schema_migrations (name text primary key, applied_at timestamptz not null default now())",
  );
  await client.query(`grant usage on schema public to ${SERVICE_ROLE}`);
  await client.query(`grant select on schema_migrations to ${SERVICE_ROLE}`);

  const { rows } = await client.query<{ name: string }>("select name from schema_migrations");
  const applied = new Set(rows.map(({ name }) => name));
  const files = await migrationFiles(folder);
  const [first = ""] = files;
  if (applied.size > 0 && !applied.has(first)) throw new OldSchemaError();
  const pending = files.filter((file) => !applied.has(file));
  for (const file of pending) {
    const text = await readFile(new URL(file, folder), "utf8");
    await applyFile(client, { file, text }, lockAttemptsMax).catch((error: unknown) => {
      if (error instanceof TableLockedError) throw error;
      throw new Error(`${file} was not applied.`, { cause: error });
    });
  }
  return pending;
}

interface Pending {
  readonly file: string;
  readonly text: string;
}

async function applyFile(client: pg.Client, pending: Pending, attemptsMax: number): Promise<void> {
  if (pending.file.endsWith(CONCURRENTLY)) {
    await dropUnfinishedIndex(client, pending);
    return applyAndRecord(client, pending);
  }
  for (let attempt = 1; ; attempt += 1) {
    try {
      await client.query(`begin; set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
      await applyAndRecord(client, pending);
      await client.query("commit");
      return;
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      await client.query("rollback");
      if (attempt >= attemptsMax) throw new TableLockedError(pending.file, error);
      await new Promise((resolve) => setTimeout(resolve, LOCK_PAUSE_MS));
    }
  }
}

/** A migration that was killed while it created an index concurrently has left an invalid or unrecorded one. */
async function dropUnfinishedIndex(client: pg.Client, { text }: Pending): Promise<void> {
  const [, index] = /^create (?:unique )?index concurrently (?:if not exists )?(\w+)/im.exec(text) ?? [];
  if (index !== undefined) await client.query(`drop index concurrently if exists ${index}`);
}

async function applyAndRecord(client: pg.Client, { file, text }: Pending): Promise<void> {
  await client.query(text);
  await client.query("insert into schema_migrations (name) values ($1)", [file]);
}

/**
 * Migrates the schema `dbos`, which DBOS owns and versions. Calls the functions that `DBOS.migrate` calls internally,
 * because `DBOS.migrate` itself writes to standard output.
 */
async function migrateWorkflowTables(client: pg.Client, ownerUrl: string): Promise<void> {
  await ensureSystemDatabase(ownerUrl, new GlobalLogger(undefined, { logLevel: "warn" }));
  const execute = async (text: string) => (await client.query(text)).rows;
  await client.query("begin");
  await initializeDataSourceSchemaPG(execute, "dbos", SERVICE_ROLE);
  await client.query(`grant select, insert, update, delete on all tables in schema dbos to ${SERVICE_ROLE}`);
  await client.query(`grant usage on all sequences in schema dbos to ${SERVICE_ROLE}`);
  await client.query(`grant execute on all functions in schema dbos to ${SERVICE_ROLE}`);
  await client.query("commit");
}

async function migrationFiles(folder: URL): Promise<string[]> {
  return (await readdir(folder)).filter((file) => file.endsWith(".sql")).sort();
}

/**
 * Creates the role if it does not exist. Roles belong to the whole PostgreSQL server, so a migration of another
 * database may create the role at the same time. The resulting error is ignored.
 */
async function ensureServiceRole(client: pg.Client): Promise<void> {
  await client.query(`
    do $$ begin
      if not exists (select from pg_roles where rolname = '${SERVICE_ROLE}') then
        create role ${SERVICE_ROLE} nologin nosuperuser nobypassrls;
      end if;
    exception when duplicate_object or unique_violation then null;
    end $$`);
}
