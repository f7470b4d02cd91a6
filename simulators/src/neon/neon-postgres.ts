import { Client, escapeIdentifier, escapeLiteral } from "pg";

const CONNECT_TIMEOUT_MS = 5_000;
const CONNECTIONS_MAX = 20;

/** The names of a role and its database in the local Postgres. */
export interface PostgresTarget {
  readonly role: string;
  readonly database: string;
}

/** Creates a role and its database, to which other roles cannot connect. */
export function createDatabase(
  adminUrl: string,
  { role, database, password }: PostgresTarget & { readonly password: string },
): Promise<void> {
  return withClient(adminUrl, async (client) => {
    const [asRole, asDatabase] = [escapeIdentifier(role), escapeIdentifier(database)];
    await createLogin(client, { role, password });
    // template1 cannot be copied while a client is connected to it. template0 accepts no connections.
    await client.query(`create database ${asDatabase} owner ${asRole} template template0`);
    await client.query(`revoke all on database ${asDatabase} from public`);
  });
}

/**
 * Creates a further login of a project, or changes the password of an existing one. Like Neon, then makes the project's
 * first role the owner of the database again, even if a user has changed the owner.
 */
export function applyLogin(
  adminUrl: string,
  { role: owner, database }: PostgresTarget,
  login: { readonly role: string; readonly password: string },
): Promise<void> {
  return withClient(adminUrl, async (client) => {
    const { role, password } = login;
    const [asRole, asDatabase] = [escapeIdentifier(role), escapeIdentifier(database)];
    const { rowCount } = await client.query("select from pg_roles where rolname = $1", [role]);
    if (rowCount === 0) {
      await createLogin(client, login);
      await client.query(`grant all on database ${asDatabase} to ${asRole}`);
    } else {
      await client.query(`alter role ${asRole} password ${escapeLiteral(password)}`);
    }
    await client.query(`alter database ${asDatabase} owner to ${escapeIdentifier(owner)}`);
  });
}

/** Like a role of Neon, a login can create roles. */
async function createLogin(
  client: Client,
  { role, password }: { readonly role: string; readonly password: string },
): Promise<void> {
  const asRole = escapeIdentifier(role);
  await client.query(
    `create role ${asRole} login createrole connection limit ${CONNECTIONS_MAX} password ${escapeLiteral(password)}`,
  );
  // An admin without superuser rights can create and drop a role's database only as a member of that role.
  await client.query(`grant ${asRole} to current_user`);
}

/**
 * Drops the roles and the database, even while clients are connected. A missing role or database is not an error, so a
 * deletion can be retried.
 */
export function dropDatabase(adminUrl: string, { database }: PostgresTarget, logins: readonly string[]): Promise<void> {
  return withClient(adminUrl, async (client) => {
    // Serializes concurrent deletions of the same project. The lock is released when the connection is closed.
    await client.query("select pg_advisory_lock(hashtext($1))", [database]);
    await client.query(`drop database if exists ${escapeIdentifier(database)} with (force)`);
    // Roles that the logins have created have them as members.
    const { rows: groups } = await client.query<{ name: string }>(
      `select distinct role.rolname as name from pg_auth_members
       join pg_roles role on role.oid = roleid join pg_roles login on login.oid = member
       where login.rolname = any($1) and not role.rolcanlogin`,
      [logins],
    );
    for (const role of [...groups.map(({ name }) => name), ...logins]) {
      await client.query(`drop role if exists ${escapeIdentifier(role)}`);
    }
  });
}

async function withClient(url: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
  });
  // The error event is ignored, because the running query rejects if the connection breaks. Without a listener, the
  // event would end the process.
  client.on("error", () => {});
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
