import { type EmbeddedPostgres, withAdminClient } from "@purser/embedded-postgres";
import type { Client } from "pg";
import type { KeysInUse, LocalSecrets } from "./secrets.ts";

export interface LocalDatabases {
  /** Connects to the service's database as its owner. Used for migrations. */
  readonly ownerUrl: string;
  /** Connects to the service's database as a role to which row-level security applies. */
  readonly serviceUrl: string;
  /** Connects to the service's database as the role that can read personal data. */
  readonly piiUrl: string;
  /** Connects to the database in which the simulators store their data. */
  readonly simulatorsUrl: string;
  /**
   * Connects as the role with which the Neon simulator creates databases. This role cannot connect to the service's or
   * the simulators' database.
   */
  readonly sandboxUrl: string;
}

const SERVICE_DATABASE = "purser";
const SIMULATORS_DATABASE = "purser_simulators";

/**
 * Returns the IDs of the keys with which rows in the database are encrypted or signed. Connects as the superuser,
 * because row-level security hides rows from other roles.
 */
export async function findKeysInUse(postgres: EmbeddedPostgres): Promise<KeysInUse> {
  const exists = await withAdminClient(postgres, "postgres", (client) => hasDatabase(client, SERVICE_DATABASE));
  if (!exists) return {};
  return withAdminClient(postgres, SERVICE_DATABASE, async (client) => ({
    keyEncryptionKey: await listDistinctValues(client, "tenant_data_keys", "key_encryption_key_id"),
    statementKey: await listDistinctValues(client, "audit_checkpoints", "key_id"),
  }));
}

/** Creates missing roles and databases, sets the roles' passwords, and returns the connection URLs. */
export async function ensureDatabases(
  postgres: EmbeddedPostgres,
  { ownerPassword, servicePassword, piiPassword, sandboxPassword }: LocalSecrets,
): Promise<LocalDatabases> {
  await withAdminClient(postgres, "postgres", async (client) => {
    await ensureRole(client, "purser_service", "nologin");
    await ensureRole(client, "purser_owner", `login createrole password '${ownerPassword}'`);
    await ensureRole(client, "purser_app", `login password '${servicePassword}'`);
    await client.query("grant purser_service to purser_app");
    await ensureRole(client, "purser_pii", "nologin");
    await ensureRole(client, "purser_pii_app", `login password '${piiPassword}'`);
    await client.query("grant purser_pii to purser_pii_app");
    await ensureRole(client, "purser_sandbox", `login createdb createrole password '${sandboxPassword}'`);
    await ensureDatabase(client, SERVICE_DATABASE);
    await ensureDatabase(client, SIMULATORS_DATABASE);
    // The Neon simulator creates databases and their users on this server. These users must not be able to connect to
    // the service's or the simulators' database.
    for (const database of [SERVICE_DATABASE, SIMULATORS_DATABASE]) {
      await client.query(`revoke connect, temporary on database ${database} from public`);
    }
    await client.query(`grant connect on database ${SERVICE_DATABASE} to purser_app, purser_pii_app`);
  });
  const urlFor = (user: string, password: string, database: string) =>
    `postgres://${user}:${password}@${postgres.host}:${postgres.port}/${database}`;
  return {
    ownerUrl: urlFor("purser_owner", ownerPassword, SERVICE_DATABASE),
    serviceUrl: urlFor("purser_app", servicePassword, SERVICE_DATABASE),
    piiUrl: urlFor("purser_pii_app", piiPassword, SERVICE_DATABASE),
    simulatorsUrl: urlFor("purser_owner", ownerPassword, SIMULATORS_DATABASE),
    sandboxUrl: urlFor("purser_sandbox", sandboxPassword, "postgres"),
  };
}

/**
 * Building the SQL from strings is safe: names and attributes are constants in this file, and the passwords in the
 * attributes are generated hexadecimal digits.
 */
async function ensureRole(client: Client, name: string, attributes: string): Promise<void> {
  const { rowCount } = await client.query("select from pg_roles where rolname = $1", [name]);
  await client.query(`${rowCount === 0 ? "create" : "alter"} role ${name} with ${attributes}`);
}

async function ensureDatabase(client: Client, name: string): Promise<void> {
  if (!(await hasDatabase(client, name))) {
    await client.query(`create database ${name} owner purser_owner`);
  }
}

async function hasDatabase(client: Client, name: string): Promise<boolean> {
  const { rowCount } = await client.query("select from pg_database where datname = $1", [name]);
  return rowCount !== 0;
}

async function listDistinctValues(client: Client, table: string, column: string): Promise<string[]> {
  const found = await client.query("select where to_regclass($1) is not null", [table]);
  if (found.rowCount === 0) return [];
  const { rows } = await client.query<{ value: string }>(`select distinct ${column} as value from ${table}`);
  return rows.map(({ value }) => value);
}
