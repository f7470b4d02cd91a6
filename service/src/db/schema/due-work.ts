import type { OfTenant, Optional } from "./columns.ts";

export interface DueWorkTables {
  readonly dueWork: OfTenant & {
    readonly kind: string;
    readonly subject: string;
    readonly dueAt: Date;
    readonly firstDueAt: Date;
    readonly attempts: Optional<number>;
  };
}
