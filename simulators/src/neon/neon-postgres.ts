import { Client, escapeIdentifier, escapeLiteral } from "pg";

const CONNECT_TIMEOUT_MS = 5_000;
const CONNECTIONS_MAX = 20;

/** The names of a role and of the database that it owns, in the local Postgres. */
export interface PostgresTarget {
  readonly role: string;
  readonly database: string;
}

/** Creates a role and its database. Other roles cannot connect to the database. */
export function createDatabase(
  adminUrl: string,
  { role, database, password }: PostgresTarget & { readonly password: string },
): Promise<void> {
  return withClient(adminUrl, async (client) => {
    const [asRole, asDatabase] = [escapeIdentifier(role), escapeIdentifier(database)];
    await client.query(
      `create role ${asRole} login connection limit ${CONNECTIONS_MAX} password ${escapeLiteral(password)}`,
    );
    // Without superuser rights, an admin can create and drop a database only of a role that it is a member of.
    await client.query(`grant ${asRole} to current_user`);
    // template1 cannot be copied while a client is connected to it. template0 accepts no connections.
    await client.query(`create database ${asDatabase} owner ${asRole} template template0`);
    await client.query(`revoke all on database ${asDatabase} from public`);
  });
}

/**
 * Drops role and database, even with open connections. Missing ones are ignored, so that a deletion can be repeated.
 */
export function dropDatabase(adminUrl: string, { role, database }: PostgresTarget): Promise<void> {
  return withClient(adminUrl, async (client) => {
    // Concurrent deletions of one project run one after the other. The lock ends with the connection.
    await client.query("select pg_advisory_lock(hashtext($1))", [database]);
    await client.query(`drop database if exists ${escapeIdentifier(database)} with (force)`);
    await client.query(`drop role if exists ${escapeIdentifier(role)}`);
  });
}

async function withClient(url: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  // A broken connection rejects its query. Without a listener the event would end the process.
  client.on("error", () => {});
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
