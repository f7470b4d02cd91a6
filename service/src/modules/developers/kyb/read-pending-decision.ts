import type { App } from "../../../app.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { TenantId } from "../../../foundation/ids.ts";
import { findPendingDecision, type KybDecisionRow } from "./queries.ts";

/** The decision about a developer that waits for a second admin, for whoever is to be that. */
export function readPendingDecision(
  { db }: Pick<App, "db">,
  tenantId: TenantId,
): Promise<KybDecisionRow | undefined> {
  return withTransaction(db, tenantId, (tx) => findPendingDecision(tx, tenantId));
}
