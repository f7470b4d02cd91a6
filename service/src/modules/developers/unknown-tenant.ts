import type { TenantId } from "../../foundation/ids.ts";

/**
 * The tenant ID for transactions that belong to no tenant, and for unknown email addresses. No rows can exist for it.
 */
export const UNKNOWN_TENANT: TenantId = "dev_nobody";
