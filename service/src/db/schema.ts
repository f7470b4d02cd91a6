import type { Selectable } from "kysely";
import type { DB } from "./schema.generated.ts";

export type * from "./column-types.ts";

/** All tables that `db/migrations` creates, with the types of their columns. */
export type Schema = Readonly<DB>;

/** A row as returned by a query. */
export type Row<Table extends keyof Schema> = Readonly<Selectable<Schema[Table]>>;
