import type { App } from "../../app.ts";
import { withTransaction } from "../../db/transaction.ts";
import type { TenantId } from "../../foundation/ids.ts";
import { type DeveloperProfile, getDeveloperProfile } from "./queries.ts";

/** The profile of a developer, with how they sign in. Throws `developer_not_found`. */
export async function readProfile(
  { db }: Pick<App, "db">,
  tenantId: TenantId,
): Promise<DeveloperProfile> {
  return withTransaction(db, tenantId, (tx) => getDeveloperProfile(tx, tenantId));
}
