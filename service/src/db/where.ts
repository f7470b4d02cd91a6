import {
  type DeleteQueryBuilder,
  type DeleteResult,
  type ExpressionBuilder,
  type JoinBuilder,
  type Kysely,
  type SelectQueryBuilder,
  sql,
  type UpdateQueryBuilder,
  type UpdateResult,
} from "kysely";
import { invariant } from "../foundation/invariant.ts";
import type { Db, Tx } from "./database.ts";
import type { Row, Schema } from "./schema.ts";

/** Values of columns. Null is none of them, because a comparison with null matches no row. */
export type Values<Name extends keyof Schema> = {
  readonly [Column in keyof Row<Name>]?: NonNullable<Row<Name>[Column]>;
};

/** Starts a query for the rows of a table that have these values, with all their columns. */
export function rowsWhere<Name extends keyof Schema>(
  db: Db,
  table: Name,
  values: Values<Name>,
): SelectQueryBuilder<Schema, Name, Row<Name>> {
  return untyped(db).selectFrom<string>(table).selectAll(table).where(have(table, values)) as never;
}

/** Starts a query for the rows of a table that have these values, without columns. */
export function selectWhere<Name extends keyof Schema>(
  db: Db,
  table: Name,
  values: Values<Name>,
): SelectQueryBuilder<Schema, Name, unknown> {
  return untyped(db).selectFrom<string>(table).where(have(table, values)) as never;
}

/** Starts a statement that changes the rows of a table that have these values. */
export function updateWhere<Name extends keyof Schema>(
  tx: Tx,
  table: Name,
  values: Values<Name>,
): UpdateQueryBuilder<Schema, Name, Name, UpdateResult> {
  return untyped(tx).updateTable<string>(table).where(have(table, values)) as never;
}

/** Starts a statement that deletes the rows of a table that have these values. */
export function deleteWhere<Name extends keyof Schema>(
  tx: Tx,
  table: Name,
  values: Values<Name>,
): DeleteQueryBuilder<Schema, Name, DeleteResult> {
  return untyped(tx).deleteFrom<string>(table).where(have(table, values)) as never;
}

function have(table: string, values: object) {
  return ({ and, eb }: ExpressionBuilder<Untyped, string>) =>
    and(
      Object.entries(values).map(([column, value]) => {
        // Without one of its values, a condition would match rows of others.
        invariant(value !== undefined && value !== null, `the condition has a value of ${column}`);
        return eb(`${table}.${column}`, "=", value);
      }),
    );
}

type Untyped = Record<string, Record<string, unknown>>;

/** Kysely's types cannot follow a table name that is a type parameter. */
function untyped(db: Db): Kysely<Untyped> {
  return db as never;
}

type Column = { [Name in keyof Schema]: keyof Row<Name> & string }[keyof Schema];

/** A condition of a join: two tables, or their aliases, have the same values in these columns. */
export function sameColumns(left: string, right: string, columns: readonly Column[]) {
  return <DB, Tables extends keyof DB>(join: JoinBuilder<DB, Tables>): JoinBuilder<DB, Tables> =>
    columns.reduce(
      (condition, column) => condition.onRef(`${left}.${column}`, "=", `${right}.${column}`),
      join as unknown as JoinBuilder<Untyped, string>,
    ) as never;
}

/** Locks a name until the transaction ends. Other transactions that lock it wait. */
export async function lockName(tx: Tx, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx);
}

/** Returns true if the query, which needs no columns, has a row. */
export async function exists<DB, Tables extends keyof DB, Columns>(
  query: SelectQueryBuilder<DB, Tables, Columns>,
): Promise<boolean> {
  const row = await query.clearSelect().select(sql.lit(1).as("one")).limit(1).executeTakeFirst();
  return row !== undefined;
}

/** Returns the number of the query's rows. It needs no columns. */
export async function countRows<DB, Tables extends keyof DB, Columns>(
  query: SelectQueryBuilder<DB, Tables, Columns>,
): Promise<number> {
  const counted = query.clearSelect().select(sql<string>`count(*)`.as("count")).$castTo<{ count: string }>();
  return Number((await counted.executeTakeFirstOrThrow()).count);
}
