import type { SealContext } from "../crypto/envelope.ts";
import type { Row, Schema } from "../db/schema.ts";

/** A row's values in the columns that `SealedColumn.names` lists, as text. */
export type SealedRow = Readonly<Record<string, string>>;

/**
 * Describes a column of encrypted values for the rotation of data keys. Each module declares the encrypted columns of
 * its own tables, with the table and column names of `db/schema.ts`. A second column, with the suffix `Under`, contains
 * the version of the data key.
 */
export interface SealedColumn {
  readonly table: keyof Schema;
  readonly column: string;
  /** The columns of the primary key and the encryption context, except `tenantId`. */
  readonly names: readonly string[];
  contextOf(row: SealedRow): Omit<SealContext, "tenantId">;
}

/** The type of a column's value after it is read as text: string types do not change, other types become `string`. */
type AsText<Value> = Value extends string ? Value : string;

/** Declares an encrypted column. The parameter type of `contextOf` is derived from `names`. */
export function sealedColumn<Table extends keyof Schema, Name extends keyof Row<Table> & string>(description: {
  readonly table: Table;
  readonly column: keyof Schema[Table] & string;
  readonly names: readonly Name[];
  contextOf(
    row: {
      readonly [Column in Name]: AsText<Row<Table>[Column]>;
    },
  ): Omit<SealContext, "tenantId">;
}): SealedColumn {
  return description;
}
