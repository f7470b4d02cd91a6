import type { SealContext } from "../crypto/envelope.ts";
import type { Row, Schema } from "../db/schema.ts";

/** The columns that identify a row and the context of its value, as text. */
export type SealedRow = Readonly<Record<string, string>>;

/**
 * A column of values that are encrypted by the vault of the row's tenant, as the rotation of data keys needs to know
 * it. The module that owns the table declares it. Names are those of `db/schema.ts`. The column with the suffix `Under`
 * has the version of the data key.
 */
export interface SealedColumn {
  readonly table: keyof Schema;
  readonly column: string;
  /** The primary key of the row and the columns of its context, without the tenant. */
  readonly names: readonly string[];
  contextOf(row: SealedRow): Omit<SealContext, "tenantId">;
}

/** The type of a column as text: a union of strings if the schema declares one. */
type AsText<Value> = Value extends string ? Value : string;

/** Declares an encrypted column. The type of `contextOf` follows from `names`. */
export function sealedColumn<
  Table extends keyof Schema,
  Name extends keyof Row<Table> & string,
>(description: {
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
