import type { App } from "../../../app.ts";
import type { TenantId } from "../../../foundation/ids.ts";
import { type Identity, selectIdentities } from "./queries.ts";

/** Returns the developer's linked identities, ordered by provider name. */
export async function listIdentities({ db }: Pick<App, "db">, tenantId: TenantId): Promise<readonly Identity[]> {
  return selectIdentities(db, tenantId);
}
