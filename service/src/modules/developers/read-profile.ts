import type { App } from "../../app.ts";
import type { TenantId } from "../../foundation/ids.ts";
import { type DeveloperProfile, readDeveloperProfile } from "./queries.ts";

/** The profile of a developer, with how they sign in. Throws `developer_not_found`. */
export async function readProfile(
  { db }: Pick<App, "db">,
  tenantId: TenantId,
): Promise<DeveloperProfile> {
  return readDeveloperProfile(db, tenantId);
}
