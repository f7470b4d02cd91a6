import type { ColumnType } from "kysely";

/**
 * A JSON column. It is read as a value and written as JSON text, because the driver would write arrays as SQL arrays.
 */
export type JsonColumn<Value> = ColumnType<Value, string, string>;

/** A column that an insert can omit. */
export type Optional<Value> = ColumnType<Value, Value | undefined, Value>;

/** Encrypted bytes (see `crypto/envelope.ts`). */
export type Sealed = Buffer;

/**
 * The type of a column that is named like an encrypted column with the suffix `Under`. It contains the version of the
 * data key with which the other column is encrypted. The database computes the version from the encrypted bytes.
 */
export type SealedUnder = ColumnType<number | null, never, never>;
