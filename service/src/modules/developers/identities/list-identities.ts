import type { App } from "../../../app.ts";
import type { TenantId } from "../../../foundation/ids.ts";
import { type Identity, selectIdentities } from "./queries.ts";

/** The providers by which the developer can log in, in alphabetical order. */
export async function listIdentities(
  { db }: Pick<App, "db">,
  tenantId: TenantId,
): Promise<readonly Identity[]> {
  return selectIdentities(db, tenantId);
}
