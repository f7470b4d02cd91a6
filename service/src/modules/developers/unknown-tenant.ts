import type { TenantId } from "../../foundation/ids.ts";

/** The tenant id for transactions without a tenant, and for unknown addresses. It has no rows and cannot get any. */
export const UNKNOWN_TENANT: TenantId = "dev_nobody";
