import { sql } from "kysely";
import type { Db } from "../../db/database.ts";
import { missingMigrations } from "../../db/migrate.ts";
import { invariant } from "../../foundation/invariant.ts";

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

/** The settings of the database server, and what this login may do. */
export interface DatabaseFacts {
  readonly version: string;
  /** For example 180001 for 18.1. */
  readonly versionNumber: number;
  /** How many connections are left for roles that are no superusers. */
  readonly connectionsMax: number;
  readonly synchronousCommit: string;
  readonly fsync: string;
  /** The isolation level of transactions that name none. */
  readonly isolation: string;
  readonly isReadOnly: boolean;
  readonly role: string;
  /** A superuser, or a role to which row-level security does not apply. */
  readonly isPrivileged: boolean;
  /** Owns the database or a table of it. */
  readonly isOwner: boolean;
  /** The roles that it is a member of. */
  readonly roles: readonly string[];
}

export async function readDatabaseFacts(db: Db): Promise<DatabaseFacts> {
  const { rows } = await sql<DatabaseFacts>`
    select current_setting('server_version') as version,
      current_setting('server_version_num')::integer as version_number,
      current_setting('max_connections')::integer
        - current_setting('superuser_reserved_connections')::integer as connections_max,
      current_setting('synchronous_commit') as synchronous_commit,
      current_setting('fsync') as fsync,
      current_setting('default_transaction_isolation') as isolation,
      pg_is_in_recovery() or current_setting('default_transaction_read_only')::boolean as is_read_only,
      login.rolname as role,
      login.rolsuper or login.rolbypassrls as is_privileged,
      pg_has_role(login.oid, database.datdba, 'member') or exists (
        select from pg_class where relnamespace = 'public'::regnamespace and pg_has_role(login.oid, relowner, 'member')
      ) as is_owner,
      array(select other.rolname::text from pg_roles as other where pg_has_role(login.oid, other.oid, 'member')) as roles
    from pg_roles as login, pg_database as database
    where login.rolname = current_user and database.datname = current_database()`.execute(db);
  const [facts] = rows;
  invariant(facts !== undefined, "the login is a role of the database");
  return facts;
}
