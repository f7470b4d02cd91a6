import type { App } from "../../app.ts";
import type { TenantId } from "../../foundation/ids.ts";
import { type DeveloperProfile, readDeveloperProfile } from "./queries.ts";

/** Returns a developer's profile with the account's login methods. Throws `developer_not_found`. */
export async function readProfile({ db }: Pick<App, "db">, tenantId: TenantId): Promise<DeveloperProfile> {
  return readDeveloperProfile(db, tenantId);
}
