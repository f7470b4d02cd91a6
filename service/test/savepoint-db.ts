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
 * Returns a database handle that runs every statement in the connection's open transaction. By rolling that transaction
 * back, the caller undoes all statements. A transaction on the handle is a savepoint, and only one savepoint can be
 * open at a time.
 */
export function openWithinTransaction(client: Client): Db {
  const connection = {
    query: (text: string, values: readonly unknown[]) => client.query(AS_SAVEPOINTS[text] ?? text, [...values]),
    release: () => {},
  };
  const pool = { connect: async () => connection, end: async () => {}, options: {} };
  return new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: pool as never }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
}
