import { CamelCasePlugin, Kysely, PostgresDialect } from "kysely";
import type { Client } from "pg";
import type { Db } from "../src/db/database.ts";
import type { Schema } from "../src/db/schema.ts";

const AS_SAVEPOINTS: Readonly<Record<string, string>> = {
  begin: "savepoint inner_transaction",
  commit: "release savepoint inner_transaction",
  rollback: "rollback to savepoint inner_transaction",
};

/**
 * A database whose every statement goes into the transaction that is open on this connection, so that what is tried there
 * can be taken back. Its own transactions are savepoints of that one, and follow one another.
 */
export function openWithinTransaction(client: Client): Db {
  const connection = {
    query: (text: string, values: readonly unknown[]) =>
      client.query(AS_SAVEPOINTS[text] ?? text, [...values]),
    release: () => {},
  };
  const pool = { connect: async () => connection, end: async () => {}, options: {} };
  return new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: pool as never }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
}
