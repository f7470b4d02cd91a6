import { createHash } from "node:crypto";
import {
  CamelCasePlugin,
  Kysely,
  type PluginTransformResultArgs,
  PostgresDialect,
  type PostgresPoolClient,
  type Transaction,
} from "kysely";
import pg from "pg";
import { type ConnectionShare, currentConnectionShare } from "../foundation/connection-share.ts";
import { invariant } from "../foundation/invariant.ts";
import { asUnavailable, asUnknownOutcome } from "./errors.ts";
import { FairQueue } from "./fair-queue.ts";
import { isInTransaction } from "./open-transaction.ts";
import { PreparedQuery, type QueryResult, type RowReader } from "./prepared-query.ts";
import type { Schema } from "./schema.ts";

/** What a query that only reads asks for. A transaction is one too. */
export type Db = Kysely<Schema>;

/** What a query that writes or locks asks for, so that no write can stand outside a transaction. */
export type Tx = Transaction<Schema>;

export interface DatabaseOptions {
  readonly url: string;
  /** Separate pools, so that busy requests cannot hold up authentication or jobs. */
  readonly connectionsMax: Readonly<Record<ConnectionShare["pool"], number>>;
  /** How long a statement inside a transaction may take, its waiting for locks included, before it is given up. */
  readonly statementTimeoutMs: number;
  /** How long a read outside a transaction may take, and the beginning and the end of one: none of them waits for a lock. */
  readonly readTimeoutMs: number;
  /** How long a caller waits for a free connection, and for a new connection to open. */
  readonly connectTimeoutMs: number;
  /** Told of connections that break while nobody uses them. */
  readonly onError: (error: Error) => void;
}

/** Opens the pools. Every failure to reach the database comes out of them as `service_unavailable`. */
export function openDatabase(options: DatabaseOptions): Db {
  return new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: openPools(options) }),
    plugins: [NAMES],
  });
}

/**
 * Statements are written in camel case and sent in snake case. Rows need no second pass: the connection names their columns
 * in camel case as it reads them.
 */
class Names extends CamelCasePlugin {
  readonly columnName = (name: string): string => this.camelCase(name);

  override async transformResult({ result }: PluginTransformResultArgs) {
    return result;
  }
}

const NAMES = new Names();

/** All pools as one: each call of `connect` is served by the pool of the caller's `ConnectionShare`. */
function openPools(options: DatabaseOptions) {
  const { requests, authentication, jobs } = options.connectionsMax;
  const pools = {
    requests: openFairPool(options, requests),
    authentication: openFairPool(options, authentication),
    jobs: openFairPool(options, jobs),
  };
  return {
    options: {},
    connect: async (): Promise<PreparedClient> => {
      // A transaction that waits for a second connection can wait for itself: every connection may be held by one that does.
      invariant(!isInTransaction(), "no second connection is asked for inside a transaction");
      const { pool, owner } = currentConnectionShare();
      return pools[pool].connect(owner);
    },
    end: async () => {
      await Promise.all(Object.values(pools).map((pool) => pool.end()));
    },
  };
}

function openFairPool(options: DatabaseOptions, connectionsMax: number) {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: connectionsMax,
    connectionTimeoutMillis: options.connectTimeoutMs,
    // The server's own bounds: a statement that was given up here ends there too, and a process that stands still in the
    // middle of a transaction does not hold its locks for ever.
    statement_timeout: options.statementTimeoutMs,
    idle_in_transaction_session_timeout: 2 * options.statementTimeoutMs,
    types: { getTypeParser },
  });
  pool.on("error", options.onError);
  const queue = new FairQueue(connectionsMax, options.connectTimeoutMs);
  const clients = new WeakMap<pg.PoolClient, PreparedClient>();
  // As soon as the connection is open, not when `connect` resolves: the server may close it in the packet that opened it.
  pool.on("connect", (client) => {
    clients.set(
      client,
      prepareClient(client, options, () => queue.release()),
    );
  });
  return {
    connect: async (owner: string): Promise<PreparedClient> => {
      await queue.acquire(owner);
      try {
        const client = clients.get(await pool.connect());
        invariant(client !== undefined, "every connection was prepared when it opened");
        return client;
      } catch (cause) {
        queue.release();
        throw asUnavailable(cause);
      }
    },
    end: () => pool.end(),
  };
}

/**
 * A pool of plain connections, for an engine that brings its own SQL. A transaction that stands still for longer than
 * `idleTransactionTimeoutMs` is ended, so that a process that stands still does not hold its locks for ever.
 */
export function openPlainPool({
  url,
  connectionsMax,
  idleTransactionTimeoutMs,
  onError,
}: Pick<DatabaseOptions, "url" | "onError"> & {
  readonly connectionsMax: number;
  readonly idleTransactionTimeoutMs: number;
}): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: connectionsMax,
    idle_in_transaction_session_timeout: idleTransactionTimeoutMs,
  });
  pool.on("error", onError);
  pool.on("connect", prepareStatements);
  // The engine adds its own listener later; the server may have closed the connection by then.
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

/** Has the connection prepare what it is sent with values: an engine's few statements come again and again. */
function prepareStatements(client: pg.PoolClient): void {
  const send: (...args: unknown[]) => unknown = client.query.bind(client);
  const query = (text: unknown, values: unknown, ...rest: unknown[]) =>
    typeof text === "string" && Array.isArray(values)
      ? send({ name: statementName(text, values), text, values }, ...rest)
      : send(text, values, ...rest);
  Object.assign(client, { query });
}

const INT8 = 20;
const NUMERIC = 1700;

/** Whole numbers that a double cannot hold come as bigint. Every `numeric` of our schema has scale 0. */
const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: "text" | "binary") => {
  if (oid === INT8 || oid === NUMERIC) return BigInt;
  return pg.types.getTypeParser(oid, format as "text");
};

type PreparedClient = PostgresPoolClient & { readonly processID: number };

/** What pg's own types leave out of a query's options. */
type TimedQuery = pg.QueryConfig & { readonly query_timeout: number };

interface TimedStatement extends Statement {
  readonly timeoutMs: number;
}

/** What is known of a connection while somebody uses it. */
interface Session {
  /** A transaction was asked for, and nothing of it has been sent. */
  beginIsDue: boolean;
  inTransaction: boolean;
  /** Why it cannot be used any more, once it cannot. */
  outage: unknown;
}

type Timeouts = Pick<DatabaseOptions, "statementTimeoutMs" | "readTimeoutMs">;

/** A connection as Kysely asks for it, with its statements prepared under a name and its outages in our words. */
function prepareClient(
  client: pg.PoolClient,
  timeouts: Timeouts,
  onRelease: () => void,
): PreparedClient {
  const session: Session = { beginIsDue: false, inTransaction: false, outage: undefined };
  const reader = {
    known: new Map(),
    columnName: NAMES.columnName,
    typeParser: (oid: number) => getTypeParser(oid, "text"),
  };
  // The pool listens to the connections that lie in it. One that breaks between two statements of a transaction would
  // end the process if nobody listened.
  client.on("error", (error) => {
    session.outage ??= asUnavailable(error);
  });

  const query = async (text: string, values: readonly unknown[]) => {
    // A statement that was given up may still be running there: nothing more is queued behind it, not even a rollback.
    if (session.outage !== undefined) throw session.outage;
    if (text === "begin") {
      session.beginIsDue = true;
      return NOTHING;
    }
    if (session.beginIsDue && (await begin(client, session, { text, values, reader, timeouts }))) {
      return NOTHING;
    }
    return runTimed(client, session, {
      text,
      values,
      reader,
      timeoutMs: timeoutOf(text, session, timeouts),
    });
  };
  const release = (discard = false) => {
    session.beginIsDue = false;
    session.inTransaction = false;
    client.release(discard || session.outage !== undefined);
    onRelease();
  };
  const processID: unknown = Reflect.get(client, "processID");
  return { query, release, processID } as unknown as PreparedClient;
}

interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly reader: RowReader;
}

interface FirstStatement extends Statement {
  readonly timeouts: Timeouts;
}

/**
 * Begins the transaction that was asked for, as its first statement comes: so that the two can be one message. True where
 * the statement went along.
 */
async function begin(
  client: pg.PoolClient,
  session: Session,
  { text, values, reader, timeouts }: FirstStatement,
): Promise<boolean> {
  session.beginIsDue = false;
  session.inTransaction = true;
  const isTenant = text === SET_TENANT;
  const message = isTenant ? beginFor(client, values) : "begin";
  const { readTimeoutMs: timeoutMs } = timeouts;
  await runTimed(client, session, { text: message, values: [], reader, timeoutMs });
  return isTenant;
}

/** Says whose rows a transaction may write, and whose secrets it may read. As its first statement it costs no round trip. */
export const SET_TENANT = "select set_config('purser.tenant_id', $1, true)";

const NOTHING = { command: "SELECT", rowCount: 0, rows: [] } as const;

/** Several statements in one message take no values beside them. */
function beginFor(client: pg.PoolClient, [tenantId]: readonly unknown[]): string {
  return `begin; ${SET_TENANT.replace("$1", () => client.escapeLiteral(String(tenantId)))}`;
}

/** What waits for no lock is given up soon, so that a stalled server is noticed while the caller still listens. */
function timeoutOf(text: string, { inTransaction }: Session, timeouts: Timeouts): number {
  const mayWait = inTransaction && text !== "commit";
  return mayWait ? timeouts.statementTimeoutMs : timeouts.readTimeoutMs;
}

async function runTimed(client: pg.PoolClient, session: Session, statement: TimedStatement) {
  try {
    return await (statement.values.length > 0 ? runPrepared : runPlain)(client, statement);
  } catch (thrown) {
    const isCommit = statement.text === "commit";
    const mended = isCommit ? asUnknownOutcome(thrown) : asUnavailable(thrown);
    if (mended !== thrown) session.outage = mended;
    throw mended;
  }
}

function runPrepared(
  client: pg.PoolClient,
  { text, values, reader, timeoutMs }: TimedStatement,
): Promise<QueryResult> {
  return new Promise((resolve, reject) => {
    const name = statementName(text, values) ?? "";
    const callback: PreparedQuery["callback"] = (error, result) =>
      result === undefined ? reject(error) : resolve(result);
    client.query(new PreparedQuery({ name, text, values }, { reader, timeoutMs, callback }));
  });
}

async function runPlain(
  client: pg.PoolClient,
  { text, reader, timeoutMs }: TimedStatement,
): Promise<pg.QueryResult> {
  const query: TimedQuery = { text, query_timeout: timeoutMs };
  const result = await client.query<Record<string, unknown>>(query);
  // Of several statements in one message there are several results, which nobody looks at.
  if (Array.isArray(result)) return result[0];
  const rename = (row: Record<string, unknown>) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [reader.columnName(name), value]),
    );
  return { ...result, rows: result.rows.map(rename) };
}

/** Past this many different statements the rest go unnamed: a connection keeps what it has prepared for as long as it lives. */
const STATEMENTS_MAX = 400;
const statementNames = new Map<string, string>();

function statementName(text: string, values: readonly unknown[]): string | undefined {
  const known = statementNames.get(text);
  if (known !== undefined) return known;
  if (statementNames.size >= STATEMENTS_MAX || values.length === 0) return undefined;
  const name = createHash("sha256").update(text).digest("hex").slice(0, 32);
  statementNames.set(text, name);
  return name;
}
