import { sql } from "kysely";
import type { Db } from "../../db/database.ts";
import { missingMigrations } from "../../db/migrate.ts";

/** Returns the database server's current time. */
export async function readDatabaseTime(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
  return rows[0]?.now ?? new Date(Number.NaN);
}

/** Returns the names of migrations in this build that have not been applied to the database. */
export async function listMissingMigrations(db: Db): Promise<string[]> {
  return missingMigrations(async () => {
    const { rows } = await sql<{ name: string }>`select name from schema_migrations`.execute(db);
    return rows;
  });
}
