import pg from "pg";
import type { ProviderEnv } from "../../../ports/service-provider.ts";
import type { VendorError } from "../../../ports/vendor-error.ts";
import { neonError } from "./neon-api.ts";
import { isLoopback } from "./neon-env.ts";

const CONNECT_TIMEOUT_MS = 5_000;
const QUERY_TIMEOUT_MS = 10_000;
/** A running program may use the tables whose owner is changed. */
const LOCK_TIMEOUT_MS = 3_000;

/** SQLSTATE codes of refused credentials: invalid password, and invalid authorization. */
const REFUSED: ReadonlySet<unknown> = new Set(["28P01", "28000"]);
/** Neon's proxy reports its own errors with this code, whatever they are. */
const PROXY_ERROR = "XX000";
/** SQLSTATE codes that a later attempt may not meet: lock not available, statement cancelled, cannot connect now. */
const PASSING: ReadonlySet<unknown> = new Set(["55P03", "57014", "57P01", "57P03", "53300"]);

/**
 * Returns whether the database accepts the credentials. `domain` is the domain of Neon's hosts; other hosts are never
 * connected to.
 */
export async function canConnect(domain: string, env: ProviderEnv): Promise<boolean> {
  const client = await openClient(domain, env);
  await client?.end().catch(() => {});
  return client !== undefined;
}

/**
 * Lets both logins change the tables of the database: both become members of the role `group` without a login, which owns
 * what the former login owned. Does nothing that an earlier call has done. Throws `unavailable` if the database refuses
 * the former login, because a new password may not yet be known to it.
 */
export async function shareTables(
  domain: string,
  group: string,
  { former, next }: { readonly former: ProviderEnv; readonly next: ProviderEnv },
): Promise<void> {
  await inClient(domain, former, (client) => joinGroup(client, group, next["PGUSER"] ?? ""));
}

/**
 * Ends the login's other connections, and lets the group of the logins own what the login owns. Throws `unavailable` like
 * `shareTables`.
 */
export async function endLogin(domain: string, group: string, env: ProviderEnv): Promise<void> {
  await inClient(domain, env, async (client) => {
    await client.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where usename = session_user and pid <> pg_backend_pid()`,
    );
    await giveTables(client, group);
  });
}

/** Returns undefined if the database refuses the credentials. */
async function openClient(domain: string, env: ProviderEnv): Promise<pg.Client | undefined> {
  const uri = env["DATABASE_URL_UNPOOLED"] ?? "";
  if (!isInDomain(uri, domain)) {
    throw neonError("refused", "connect", "the host does not belong to Neon");
  }
  const client = new pg.Client({
    ...(isLoopback(domain) ? { connectionString: uri } : verified(uri)),
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
  });
  // The running query rejects if the connection breaks. Without a listener, the event would end the process.
  client.on("error", () => {});
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    if (isRefusal(error)) return undefined;
    throw neonError("unavailable", "connect", "the database does not accept connections");
  }
}

/** Settings that connect only with TLS and a valid certificate. An `sslmode` in the URI would replace them. */
function verified(uri: string): pg.ClientConfig {
  const url = new URL(uri);
  url.searchParams.delete("sslmode");
  return { connectionString: url.href, ssl: { rejectUnauthorized: true } };
}

function isRefusal(error: unknown): boolean {
  if (!(error instanceof pg.DatabaseError)) return false;
  const { code, message } = error;
  return REFUSED.has(code) || (code === PROXY_ERROR && message.startsWith("password authentication failed"));
}

function isInDomain(uri: string, domain: string): boolean {
  if (!URL.canParse(uri)) return false;
  const { hostname } = new URL(uri);
  return hostname === domain || hostname.endsWith(`.${domain}`);
}

async function inClient(domain: string, env: ProviderEnv, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = await openClient(domain, env);
  if (client === undefined) {
    throw neonError("unavailable", "connect", "the former login is not accepted");
  }
  try {
    await work(client);
  } catch (error) {
    throw queryError(codeOf(error));
  } finally {
    await client.end().catch(() => {});
  }
}

/** A `VendorError` with the SQLSTATE only, because a message of the database can contain the developer's data. */
function queryError(code: unknown): VendorError {
  const isPassing = typeof code !== "string" || PASSING.has(code);
  return neonError(isPassing ? "unavailable" : "refused", "query", `the database: ${String(code)}`);
}

function codeOf(error: unknown): unknown {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

async function joinGroup(client: pg.Client, group: string, next: string): Promise<void> {
  const asGroup = pg.escapeIdentifier(group);
  await inTransaction(client, async () => {
    if (!(await hasRole(client, group))) await client.query(`create role ${asGroup} nologin`);
    const { rows } = await client.query<{ login: string }>(
      `select login from unnest(array[session_user, $2]) as login
       where not pg_has_role(login, $1, 'usage')`,
      [group, next],
    );
    for (const { login } of rows) {
      await client.query(`grant ${asGroup} to ${pg.escapeIdentifier(login)}`);
    }
    // Otherwise only the owner of the database could create tables in this schema, which is the first login.
    const { rowCount: grantable } = await client.query(
      `select from pg_namespace where nspname = 'public'
         and has_schema_privilege(session_user, oid, 'create with grant option')`,
    );
    if (grantable !== 0) await client.query(`grant all on schema public to ${asGroup}`);
    await client.query(`reassign owned by session_user to ${asGroup}`);
  });
}

async function giveTables(client: pg.Client, group: string): Promise<void> {
  if (!(await hasRole(client, group))) return;
  await inTransaction(client, async () => {
    await client.query(`reassign owned by session_user to ${pg.escapeIdentifier(group)}`);
  });
}

async function hasRole(client: pg.Client, name: string): Promise<boolean> {
  const { rowCount } = await client.query("select from pg_roles where rolname = $1", [name]);
  return rowCount !== 0;
}

async function inTransaction(client: pg.Client, work: () => Promise<void>): Promise<void> {
  await client.query("begin");
  try {
    await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await work();
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => {});
    throw error;
  }
}
