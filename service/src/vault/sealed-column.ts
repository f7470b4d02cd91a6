import type { SealContext } from "../crypto/envelope.ts";
import type { Row, Schema } from "../db/schema.ts";

/** What names a row and its value's context, as text. */
export type SealedRow = Readonly<Record<string, string>>;

/**
 * A column of values that are sealed by the vault of the row's tenant, as much of it as a rotation of data keys has to
 * know. Whoever owns the table describes it beside the context that it seals with. Names are as in `db/schema.ts`; the
 * column's own is followed by `Under` in the one that tells the version of its data key.
 */
export interface SealedColumn {
  readonly table: keyof Schema;
  readonly column: string;
  /** Beside the tenant: the row's primary key, and what the context is made of. */
  readonly names: readonly string[];
  contextOf(row: SealedRow): Omit<SealContext, "tenantId">;
}

/** A column's value as text: of a closed list, or an id, where the schema says so. */
type AsText<Value> = Value extends string ? Value : string;

/** Describes a sealed column, so that `contextOf` is given just what `names` says. */
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
