import { Client, escapeIdentifier, escapeLiteral } from "pg";

const CONNECT_TIMEOUT_MS = 5_000;
const CONNECTIONS_MAX = 20;

/** A role and the database that it owns, by their names in the Postgres that they really are in. */
export interface PostgresTarget {
  readonly role: string;
  readonly database: string;
}

/** Creates the role and its database, which nobody else may connect to. */
export function createPlace(
  adminUrl: string,
  { role, database, password }: PostgresTarget & { readonly password: string },
): Promise<void> {
  return withClient(adminUrl, async (client) => {
    const [asRole, asDatabase] = [escapeIdentifier(role), escapeIdentifier(database)];
    await client.query(
      `create role ${asRole} login connection limit ${CONNECTIONS_MAX} password ${escapeLiteral(password)}`,
    );
    // An admin who is no superuser may only make a member's database, and only drop it again as one.
    await client.query(`grant ${asRole} to current_user`);
    // From the template that nobody connects to: from the other one nothing can be made while somebody does.
    await client.query(`create database ${asDatabase} owner ${asRole} template template0`);
    await client.query(`revoke all on database ${asDatabase} from public`);
  });
}

/** Drops both, whoever is connected. What is gone already is passed over, as after a deletion that was cut short. */
export function dropPlace(adminUrl: string, { role, database }: PostgresTarget): Promise<void> {
  return withClient(adminUrl, async (client) => {
    // Two deletions of one project at once are done one after the other. The lock ends with the connection.
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
  // A connection that breaks tells whoever is querying. Without a listener the event would end the process.
  client.on("error", () => {});
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
