import type { TenantId } from "../../foundation/ids.ts";

/** Stands in for the tenant where there is none, or not yet. It has no rows, and can get none. */
export const UNKNOWN_TENANT: TenantId = "dev_nobody";
