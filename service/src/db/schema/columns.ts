import type { ColumnType } from "kysely";
import type { TenantId } from "../../foundation/ids.ts";
import type { Mode } from "../../foundation/vocabulary.ts";

/** Rows that belong to a tenant. */
export interface OfTenant {
  readonly tenantId: TenantId;
}

/** Rows that belong to a tenant's live or test mode. */
export interface OfMode extends OfTenant {
  readonly mode: Mode;
}

export interface CreatedOfTenant extends OfTenant {
  readonly createdAt: Date;
}

export interface ChangingOfTenant extends CreatedOfTenant {
  readonly updatedAt: Date;
}

export type CreatedOfMode = OfMode & CreatedOfTenant;
export type ChangingOfMode = OfMode & ChangingOfTenant;

/**
 * A JSON column. It is read as a value and written as JSON text, because the driver would write arrays as SQL arrays.
 */
export type JsonColumn<Value> = ColumnType<Value, string, string>;

/** A column that an insert can omit. */
export type Optional<Value> = ColumnType<Value, Value | undefined, Value>;

/** Encrypted bytes (see `crypto/envelope.ts`). */
export type Sealed = Buffer;

/**
 * The version of the data key with which a value is encrypted. Each encrypted column has a second column of this type,
 * whose name has the suffix `Under`. The database computes the version from the encrypted bytes.
 */
export type SealedUnder = ColumnType<number | null, never, never>;
