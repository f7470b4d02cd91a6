import type { TenantId } from "../../foundation/ids.ts";
import type { Optional } from "./columns.ts";

interface DueWorkTable {
  readonly tenantId: TenantId;
  readonly kind: string;
  readonly subject: string;
  readonly dueAt: Date;
  readonly firstDueAt: Date;
  readonly attempts: Optional<number>;
}

export interface DueWorkTables {
  readonly dueWork: DueWorkTable;
}
