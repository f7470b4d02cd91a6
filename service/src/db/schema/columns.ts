import type { ColumnType } from "kysely";

/** A column of JSON: read as a value, written as text, so that arrays and strings are not taken for SQL's own. */
export type JsonColumn<Value> = ColumnType<Value, string, string>;

/** A column that need not be given on insert. */
export type Optional<Value> = ColumnType<Value, Value | undefined, Value>;

/** Sealed bytes: see `crypto/envelope.ts`. */
export type Sealed = Buffer;

/** Under which version of the tenant's data key the column beside it is sealed. The database reads it from the bytes. */
export type SealedUnder = ColumnType<number | null, never, never>;
