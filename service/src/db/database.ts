import { CamelCasePlugin, Kysely, type PluginTransformResultArgs, PostgresDialect, type Transaction } from "kysely";
import pg from "pg";
import { type ConnectionShare, currentConnectionShare } from "../foundation/connection-share.ts";
import { invariant } from "../foundation/invariant.ts";
import { asAppError } from "./errors.ts";
import { FairQueue } from "./fair-queue.ts";
import { isInTransaction } from "./open-transaction.ts";
import { createStatementNames, getTypeParser, type PreparedClient, prepareClient } from "./prepared-client.ts";
import type { Schema } from "./schema.ts";
import { type StatementGroup, startStatementGroup } from "./statement-group.ts";

/** The parameter type of queries that only read. A transaction can be passed too. */
export type Db = Kysely<Schema>;

/** The parameter type of queries that write or lock. They cannot run outside a transaction. */
export type Tx = Transaction<Schema>;

export interface DatabaseOptions {
  readonly url: string;
  /** The schemas in which tables are found. Default: `public`. */
  readonly searchPath?: string;
  /** Maximum number of connections per pool. Separate pools prevent requests from blocking authentication and jobs. */
  readonly connectionsMax: Readonly<Record<ConnectionShare["pool"], number>>;
  /** Timeout for a round trip of a transaction, including the time its statements wait for locks. */
  readonly statementTimeoutMs: number;
  /**
   * Timeout for a read outside a transaction, and for a rollback that is sent alone. These statements never wait for a
   * lock.
   */
  readonly readTimeoutMs: number;
  /** How long a caller waits for a free connection, and for a new connection to open. */
  readonly connectTimeoutMs: number;
  /** Called with the errors of idle connections. */
  readonly onError: (error: Error) => void;
}

/** Opens the connection pools. Queries throw `service_unavailable` if the database cannot be reached. */
export function openDatabase(options: DatabaseOptions): Db {
  const { usage, ...pool } = openPools(options);
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool }),
    plugins: [COLUMN_NAMES],
  });
  usages.set(db, usage);
  return db;
}

/** How many connections of a pool are in use, and how many callers wait for one. */
export interface PoolUsage {
  readonly pool: ConnectionShare["pool"];
  readonly connectionsMax: number;
  readonly inUse: number;
  readonly waiting: number;
}

const usages = new WeakMap<Db, () => PoolUsage[]>();

export function poolUsageOf(db: Db): PoolUsage[] {
  return usages.get(db)?.() ?? [];
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
  const open = (pool: ConnectionShare["pool"], connectionsMax: number) => ({
    pool,
    ...openFairPool(options, connectionsMax),
  });
  const pools = {
    requests: open("requests", requests),
    authentication: open("authentication", authentication),
    jobs: open("jobs", jobs),
  };
  return {
    options: {},
    connect: async (): Promise<PreparedClient> => {
      // If every connection were used by a transaction that waits for a second connection, all of them would wait
      // forever.
      invariant(!isInTransaction(), "a transaction uses only one connection");
      const { pool, owner } = currentConnectionShare();
      return pools[pool].connect(owner, startStatementGroup(pool));
    },
    usage: () =>
      Object.values(pools).map(({ pool, queue: { slotsMax: connectionsMax, slotsInUse: inUse, waiting } }) => ({
        ...{ pool, connectionsMax, inUse, waiting },
      })),
    end: async () => {
      await Promise.all(Object.values(pools).map((pool) => pool.end()));
    },
  };
}

function openFairPool(options: DatabaseOptions, connectionsMax: number) {
  const pool = new pg.Pool({
    connectionString: options.url,
    ...(options.searchPath !== undefined && { options: `-c search_path=${options.searchPath.replaceAll(" ", "")}` }),
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
  const connections = new WeakMap<pg.PoolClient, { client: PreparedClient; group: StatementGroup | undefined }>();
  // The server can accept a connection and close it with an error in the same packet. The event `connect` comes before
  // the error, so `prepareClient` adds its error listener in time.
  pool.on("connect", (client) => {
    const prepared = prepareClient(client, options, {
      columnName: COLUMN_NAMES.columnName,
      onStatement: (text) => connections.get(client)?.group?.add(text),
      onRelease: () => {
        connections.get(client)?.group?.end();
        queue.release();
      },
    });
    connections.set(client, { client: prepared, group: undefined });
  });
  return {
    queue,
    connect: async (owner: string, group: StatementGroup | undefined): Promise<PreparedClient> => {
      let isAcquired = false;
      try {
        await queue.acquire(owner);
        isAcquired = true;
        const connection = connections.get(await pool.connect());
        invariant(connection !== undefined, "every connection is prepared when it opens");
        connection.group = group;
        return connection.client;
      } catch (cause) {
        group?.end();
        if (isAcquired) queue.release();
        throw asAppError(cause);
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
  const nameOf = createStatementNames();
  const send: (...args: unknown[]) => unknown = client.query.bind(client);
  const query = (text: unknown, values: unknown, ...rest: unknown[]) =>
    typeof text === "string" && Array.isArray(values)
      ? send({ name: values.length > 0 ? nameOf(text) : undefined, text, values }, ...rest)
      : send(text, values, ...rest);
  Object.assign(client, { query });
}
