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
 * A database whose statements run in the transaction that is open on this connection, so that they can be rolled back.
 * Its own transactions are savepoints; they must not overlap.
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
