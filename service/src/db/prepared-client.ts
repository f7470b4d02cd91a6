import { createHash } from "node:crypto";
import type { PostgresPoolClient } from "kysely";
import pg from "pg";
import { asAppError, asUnknownOutcome } from "./errors.ts";
import { PreparedQuery, type PreparedStatement, type QueryResult, valueText } from "./prepared-query.ts";
import { type RoundTrip, RoundTrips } from "./round-trips.ts";

const INT8 = 20;
const NUMERIC = 1700;
/** A connection holds its prepared statements until it closes, so the number of different statements is limited. */
const STATEMENTS_MAX = 400;

/**
 * Parses `int8` and `numeric` columns as `bigint`, because a double cannot represent all of their values. Every
 * `numeric` column in the schema has scale 0.
 */
export const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: "text" | "binary") => {
  if (oid === INT8 || oid === NUMERIC) return BigInt;
  return pg.types.getTypeParser(oid, format as "text");
};

export type PreparedClient = PostgresPoolClient & { readonly processID: number };

interface Timeouts {
  readonly statementTimeoutMs: number;
  readonly readTimeoutMs: number;
}

const NOTHING: QueryResult = { command: "SELECT", rowCount: 0, rows: [] };

/**
 * Wraps a connection for Kysely: prepares statements, sends some of them together, and converts connection failures to
 * `service_unavailable`.
 */
export function prepareClient(
  client: pg.PoolClient,
  timeouts: Timeouts,
  {
    columnName,
    onStatement,
    onRelease,
  }: {
    readonly columnName: (name: string) => string;
    /** Called with the text of each statement, before it is sent. */
    readonly onStatement: (text: string) => void;
    readonly onRelease: () => void;
  },
): PreparedClient {
  const nameOf = createStatementNames();
  const statementOf = (text: string, values: readonly unknown[] = []): PreparedStatement => {
    // A statement without values is rarely repeated, except those that start and end transactions.
    const isRepeated = values.length > 0 || /^(begin|commit|rollback)$/.test(text);
    const name = (isRepeated ? nameOf(text) : undefined) ?? "";
    // The values are converted before anything is sent, so that the connection remains usable if a value cannot be
    // converted.
    return { name, text, values: values.map(valueText) };
  };
  const roundTrips = new RoundTrips(statementOf("commit"));
  const reader = {
    known: new Map(),
    columnName,
    typeParser: (oid: number) => getTypeParser(oid, "text"),
  };
  /** The error that made the connection unusable, or undefined. */
  let outage: unknown;
  // The pool handles errors of idle connections only. Without this listener, a connection that breaks between two
  // statements of a transaction would crash the process.
  client.on("error", (error) => {
    outage ??= asAppError(error);
  });

  const send = ({ statements, resultIndex, mayWait }: RoundTrip) =>
    new Promise<QueryResult>((resolve, reject) => {
      // Statements that never wait for a lock get the shorter timeout, so that an unresponsive server is detected early.
      const timeoutMs = mayWait ? timeouts.statementTimeoutMs : timeouts.readTimeoutMs;
      const callback: PreparedQuery["callback"] = (error, result) =>
        result === undefined ? reject(error) : resolve(result);
      client.query(new PreparedQuery(statements, { reader, resultIndex, timeoutMs, callback }));
    });
  /** Remembers and returns the error if the connection cannot be used any more. Returns any other error unchanged. */
  const translate = (thrown: unknown, { commits }: RoundTrip): unknown => {
    const translated = commits ? asUnknownOutcome(thrown) : asAppError(thrown);
    if (translated !== thrown) outage = translated;
    return translated;
  };
  const query = async (text: string, values: readonly unknown[]) => {
    // A statement that timed out may still be running on the server, so nothing more is sent, not even a rollback.
    if (outage !== undefined) throw outage;
    onStatement(text);
    const roundTrip = roundTrips.next(statementOf(text, values));
    if (roundTrip === undefined) return NOTHING;
    const result = await send(roundTrip).catch((thrown: unknown) => {
      throw translate(thrown, roundTrip);
    });
    roundTrips.succeeded(roundTrip);
    return result;
  };
  const release = (discard = false) => {
    roundTrips.reset();
    client.release(discard || outage !== undefined);
    onRelease();
  };
  const processID: unknown = Reflect.get(client, "processID");
  return { query, release, processID } as unknown as PreparedClient;
}

/**
 * Returns a function that names the prepared statements of one connection. It returns undefined for each new statement
 * above the limit, which must not be prepared.
 */
export function createStatementNames(): (text: string) => string | undefined {
  const names = new Map<string, string>();
  return (text) => {
    const known = names.get(text);
    if (known !== undefined) return known;
    if (names.size >= STATEMENTS_MAX) return undefined;
    const name = createHash("sha256").update(text).digest("hex").slice(0, 32);
    names.set(text, name);
    return name;
  };
}
