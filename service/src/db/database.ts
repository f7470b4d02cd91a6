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

/** The parameter type of queries that only read. A transaction can be passed too. */
export type Db = Kysely<Schema>;

/** The parameter type of queries that write or lock. They cannot run outside a transaction. */
export type Tx = Transaction<Schema>;

export interface DatabaseOptions {
  readonly url: string;
  /** Maximum number of connections per pool. Separate pools prevent requests from blocking authentication and jobs. */
  readonly connectionsMax: Readonly<Record<ConnectionShare["pool"], number>>;
  /** Timeout for a statement in a transaction, including the time it waits for locks. */
  readonly statementTimeoutMs: number;
  /**
   * Timeout for a read outside a transaction, and for starting or committing a transaction. These statements never wait
   * for a lock.
   */
  readonly readTimeoutMs: number;
  /** How long a caller waits for a free connection, and for a new connection to open. */
  readonly connectTimeoutMs: number;
  /** Called with the errors of idle connections. */
  readonly onError: (error: Error) => void;
}

/** Opens the connection pools. Queries throw `service_unavailable` if the database cannot be reached. */
export function openDatabase(options: DatabaseOptions): Db {
  return new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: openPools(options) }),
    plugins: [COLUMN_NAMES],
  });
}

/**
 * Converts names from camel case to snake case in statements. Rows are not converted here: the connection already
 * returns them with camel-case column names.
 */
class ColumnNames extends CamelCasePlugin {
  readonly columnName = (name: string): string => this.camelCase(name);

  override async transformResult({ result }: PluginTransformResultArgs) {
    return result;
  }
}

const COLUMN_NAMES = new ColumnNames();

/** Combines the pools: each call of `connect` uses the pool in the caller's `ConnectionShare`. */
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
      // If every connection were used by a transaction that waits for a second connection, all of them would wait
      // forever.
      invariant(!isInTransaction(), "a transaction uses only one connection");
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
    // PostgreSQL enforces the timeouts too: it cancels statements that this process no longer waits for, and ends idle
    // transactions if this process is paused.
    statement_timeout: options.statementTimeoutMs,
    idle_in_transaction_session_timeout: 2 * options.statementTimeoutMs,
    types: { getTypeParser },
  });
  pool.on("error", options.onError);
  const queue = new FairQueue(connectionsMax, options.connectTimeoutMs);
  const clients = new WeakMap<pg.PoolClient, PreparedClient>();
  // The server can accept a connection and close it with an error in the same packet. The event `connect` comes before
  // the error, so `prepareClient` adds its error listener in time.
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
        invariant(client !== undefined, "every connection is prepared when it opens");
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
 * Opens a pool of plain connections for the workflow engine, which sends its own SQL. The server ends a transaction
 * that is idle for longer than `idleTransactionTimeoutMs`, so that a paused process does not hold locks.
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
  // The engine adds its own error listener later. If the server closes the connection before that, the error must not
  // crash the process.
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

/**
 * Makes the connection use prepared statements for queries with values, because the engine repeats the same few
 * queries.
 */
function prepareStatements(client: pg.PoolClient): void {
  const statementName = createStatementNames();
  const send: (...args: unknown[]) => unknown = client.query.bind(client);
  const query = (text: unknown, values: unknown, ...rest: unknown[]) =>
    typeof text === "string" && Array.isArray(values)
      ? send({ name: statementName(text, values), text, values }, ...rest)
      : send(text, values, ...rest);
  Object.assign(client, { query });
}

const INT8 = 20;
const NUMERIC = 1700;

/**
 * Parses `int8` and `numeric` columns as `bigint`, because a double cannot represent all of their values. Every
 * `numeric` column in the schema has scale 0.
 */
const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: "text" | "binary") => {
  if (oid === INT8 || oid === NUMERIC) return BigInt;
  return pg.types.getTypeParser(oid, format as "text");
};

type PreparedClient = PostgresPoolClient & { readonly processID: number };

/** Adds an option that pg's types do not declare. */
type TimedQuery = pg.QueryConfig & { readonly query_timeout: number };

interface TimedStatement extends Statement {
  /** Empty if the statement is not prepared. */
  readonly name: string;
  readonly timeoutMs: number;
}

/** The state of a connection while it is in use. */
interface Session {
  /** The statement that starts the requested transaction, until it is sent. */
  pendingBegin: string | undefined;
  inTransaction: boolean;
  /** The error that made the connection unusable, or undefined. */
  outage: unknown;
}

type Timeouts = Pick<DatabaseOptions, "statementTimeoutMs" | "readTimeoutMs">;

/** Wraps a connection for Kysely: prepares statements and converts connection failures to `service_unavailable`. */
function prepareClient(
  client: pg.PoolClient,
  timeouts: Timeouts,
  onRelease: () => void,
): PreparedClient {
  const statementName = createStatementNames();
  const session: Session = { pendingBegin: undefined, inTransaction: false, outage: undefined };
  const reader = {
    known: new Map(),
    columnName: COLUMN_NAMES.columnName,
    typeParser: (oid: number) => getTypeParser(oid, "text"),
  };
  // The pool handles errors of idle connections only. Without this listener, a connection that breaks between two
  // statements of a transaction would crash the process.
  client.on("error", (error) => {
    session.outage ??= asUnavailable(error);
  });

  const query = async (text: string, values: readonly unknown[]) => {
    // A statement that timed out may still be running on the server, so nothing more is sent, not even a rollback.
    if (session.outage !== undefined) throw session.outage;
    if (text === "begin" || text.startsWith("start transaction")) {
      session.pendingBegin = text;
      return NOTHING;
    }
    if (
      session.pendingBegin !== undefined &&
      (await begin(client, session, { text, values, reader, timeouts }))
    ) {
      return NOTHING;
    }
    return runTimed(client, session, {
      name: statementName(text, values) ?? "",
      text,
      values,
      reader,
      timeoutMs: timeoutOf(text, session, timeouts),
    });
  };
  const release = (discard = false) => {
    session.pendingBegin = undefined;
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
 * Sends the pending start of a transaction. If the transaction's first statement sets the tenant, sends both in one
 * message and returns true. Otherwise returns false, and the caller sends the first statement.
 */
async function begin(
  client: pg.PoolClient,
  session: Session,
  { text, values, reader, timeouts }: FirstStatement,
): Promise<boolean> {
  const start = session.pendingBegin ?? "begin";
  session.pendingBegin = undefined;
  session.inTransaction = true;
  const isTenant = text === SET_TENANT || text === SET_TENANT_AND_LOCK_TIMEOUT;
  const message = isTenant ? `${start}; ${withLiterals(client, text, values)}` : start;
  const { readTimeoutMs: timeoutMs } = timeouts;
  await runTimed(client, session, { name: "", text: message, values: [], reader, timeoutMs });
  return isTenant;
}

/**
 * Sets the tenant whose rows a transaction can write and whose secrets it can read. If this is the first statement of a
 * transaction, it is sent in one message with `begin`.
 */
export const SET_TENANT = "select set_config('purser.tenant_id', $1, true)";
/** Also limits how long each statement of the transaction waits for a lock. */
export const SET_TENANT_AND_LOCK_TIMEOUT = `${SET_TENANT}, set_config('lock_timeout', $2, true)`;

const NOTHING = { command: "SELECT", rowCount: 0, rows: [] } as const;

/** Replaces the parameters with literals, because a message with several statements cannot have parameters. */
function withLiterals(client: pg.PoolClient, text: string, values: readonly unknown[]): string {
  return text.replace(/\$(\d)/g, (_parameter, position) =>
    client.escapeLiteral(String(values[Number(position) - 1])),
  );
}

/** Statements that never wait for a lock get the shorter timeout, so that an unresponsive server is detected early. */
function timeoutOf(text: string, { inTransaction }: Session, timeouts: Timeouts): number {
  const mayWait = inTransaction && text !== "commit";
  return mayWait ? timeouts.statementTimeoutMs : timeouts.readTimeoutMs;
}

async function runTimed(client: pg.PoolClient, session: Session, statement: TimedStatement) {
  try {
    return await (statement.values.length > 0 ? runPrepared : runPlain)(client, statement);
  } catch (thrown) {
    const isCommit = statement.text === "commit";
    const translated = isCommit ? asUnknownOutcome(thrown) : asUnavailable(thrown);
    if (translated !== thrown) session.outage = translated;
    throw translated;
  }
}

function runPrepared(
  client: pg.PoolClient,
  { name, text, values, reader, timeoutMs }: TimedStatement,
): Promise<QueryResult> {
  return new Promise((resolve, reject) => {
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
  // For a text with several statements, pg returns an array of results. No caller reads the results, so only the first
  // one is returned.
  if (Array.isArray(result)) return result[0];
  const rename = (row: Record<string, unknown>) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [reader.columnName(name), value]),
    );
  return { ...result, rows: result.rows.map(rename) };
}

/** A connection holds its prepared statements until it closes, so the number of different statements is limited. */
const STATEMENTS_MAX = 400;

/**
 * Returns a function that names the statements of one connection. It returns undefined for a statement that must not be
 * prepared: one without values, and each new statement above the limit.
 */
function createStatementNames() {
  const names = new Map<string, string>();
  return (text: string, values: readonly unknown[]): string | undefined => {
    const known = names.get(text);
    if (known !== undefined) return known;
    if (names.size >= STATEMENTS_MAX || values.length === 0) return undefined;
    const name = createHash("sha256").update(text).digest("hex").slice(0, 32);
    names.set(text, name);
    return name;
  };
}
