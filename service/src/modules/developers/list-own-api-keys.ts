import type { App } from "../../app.ts";
import { withTransaction } from "../../db/transaction.ts";
import type { TenantId } from "../../foundation/ids.ts";
import type { Mode } from "../../foundation/vocabulary.ts";
import { type ApiKey, listApiKeys } from "./queries.ts";

/** The tenant's keys, newest first, the revoked ones among them. Keys stand behind the wall for secrets, so they are read in a transaction. */
export async function listOwnApiKeys(
  app: Pick<App, "db">,
  command: { readonly tenantId: TenantId; readonly modes: readonly Mode[] },
): Promise<ApiKey[]> {
  return withTransaction(app.db, command.tenantId, (tx) => listApiKeys(tx, command));
}
