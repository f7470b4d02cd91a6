import { type Insertable, type Kysely, type Selectable, sql, type Updateable } from "kysely";
import { invariant } from "../foundation/invariant.ts";
import type { Db, Tx } from "./database.ts";
import type { Schema } from "./schema.ts";

type Row<Name extends keyof Schema> = Selectable<Schema[Name]>;

/** The statements about rows that are found by the columns of a key. Each one ignores the other properties of `key`. */
export interface Table<Name extends keyof Schema, Key> {
  readonly find: (db: Db, key: Key) => Promise<Row<Name> | undefined>;
  /** Throws Kysely's `NoResultError` if there is no row. */
  readonly get: (db: Db, key: Key) => Promise<Row<Name>>;
  /** Also locks the row until the transaction ends (`for no key update`). */
  readonly lock: (tx: Tx, key: Key) => Promise<Row<Name> | undefined>;
  /** Throws Kysely's `NoResultError` if there is no row. */
  readonly lockAndGet: (tx: Tx, key: Key) => Promise<Row<Name>>;
  /** Inserts a row or several. */
  readonly insert: (tx: Tx, rows: Insertable<Schema[Name]> | readonly Insertable<Schema[Name]>[]) => Promise<void>;
  /** Returns false, and inserts nothing, if a row has the same primary key or another unique value. */
  readonly insertIfNew: (tx: Tx, row: Insertable<Schema[Name]>) => Promise<boolean>;
  /** Inserts a row, or updates its other columns if a row has this key, which is unique. */
  readonly put: (tx: Tx, row: Insertable<Schema[Name]>) => Promise<void>;
  /** Returns the row with its defaults. */
  readonly insertAndGet: (tx: Tx, row: Insertable<Schema[Name]>) => Promise<Row<Name>>;
  readonly update: (tx: Tx, key: Key, change: Updateable<Schema[Name]>) => Promise<void>;
  /** Returns the changed row. Throws Kysely's `NoResultError` if there is none. */
  readonly updateAndGet: (tx: Tx, key: Key, change: Updateable<Schema[Name]>) => Promise<Row<Name>>;
  /** Deletes all rows that have this key. */
  readonly remove: (tx: Tx, key: Key) => Promise<void>;
}

/**
 * Returns the statements about the rows of a table by the columns of a key. The key of a table with `tenantId` includes it. All
 * other statements are written with Kysely.
 */
export function tableOf<Name extends keyof Schema, Column extends keyof Row<Name> & string>(
  name: Name,
  columns: readonly Column[],
): Table<Name, Readonly<Pick<Row<Name>, Column>>> {
  type Key = Readonly<Pick<Row<Name>, Column>>;
  const hasKey = (key: Key) => {
    const conditions = columns.map((column) => {
      // Without one of its columns, a key would match rows of others.
      invariant(key[column] !== undefined && key[column] !== null, `the key has the column ${column}`);
      return sql`${sql.ref(column)} = ${key[column]}`;
    });
    return sql<boolean>`${sql.join(conditions, sql` and `)}`;
  };
  const select = (db: Db, key: Key) => untyped(db).selectFrom<string>(name).selectAll().where(hasKey(key));
  const insert = (tx: Tx, row: object) => untyped(tx).insertInto<string>(name).values(row);
  const update = (tx: Tx, key: Key, change: object) =>
    untyped(tx).updateTable<string>(name).set(change).where(hasKey(key));
  return {
    find: async (db, key) => (await select(db, key).executeTakeFirst()) as Row<Name> | undefined,
    get: async (db, key) => (await select(db, key).executeTakeFirstOrThrow()) as Row<Name>,
    lock: async (tx, key) => (await select(tx, key).forNoKeyUpdate().executeTakeFirst()) as Row<Name> | undefined,
    lockAndGet: async (tx, key) => (await select(tx, key).forNoKeyUpdate().executeTakeFirstOrThrow()) as Row<Name>,
    insert: async (tx, rows) => {
      await insert(tx, rows).execute();
    },
    insertIfNew: async (tx, row) => {
      const inserted = insert(tx, row).onConflict((conflict) => conflict.doNothing());
      return (await inserted.executeTakeFirstOrThrow()).numInsertedOrUpdatedRows === 1n;
    },
    put: async (tx, row) => {
      const others = Object.entries(row).filter(([column]) => !(columns as readonly string[]).includes(column));
      const inserted = insert(tx, row).onConflict((conflict) =>
        conflict.columns(columns).doUpdateSet(Object.fromEntries(others)),
      );
      await inserted.execute();
    },
    insertAndGet: async (tx, row) => (await insert(tx, row).returningAll().executeTakeFirstOrThrow()) as Row<Name>,
    update: async (tx, key, change) => {
      await update(tx, key, change).execute();
    },
    updateAndGet: async (tx, key, change) =>
      (await update(tx, key, change).returningAll().executeTakeFirstOrThrow()) as Row<Name>,
    remove: async (tx, key) => {
      await untyped(tx).deleteFrom<string>(name).where(hasKey(key)).execute();
    },
  };
}

/** Kysely's types cannot follow a table name that is a type parameter. `Table` has the types of arguments and results. */
function untyped(db: Db): Kysely<Record<string, Record<string, unknown>>> {
  return db as never;
}
