import type { App } from "../../../app.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { TenantId } from "../../../foundation/ids.ts";
import { findPendingDecision, type KybDecisionRow } from "./queries.ts";

/** Returns the developer's KYB decision that is waiting for a second admin, if there is one. */
export function readPendingDecision({ db }: Pick<App, "db">, tenantId: TenantId): Promise<KybDecisionRow | undefined> {
  return withTransaction(db, tenantId, (tx) => findPendingDecision(tx, tenantId));
}
