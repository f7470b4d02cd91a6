import type { App } from "../../../app.ts";
import { systemActor } from "../../../audit/actors.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { tryEach } from "../../../foundation/try-each.ts";
import { expiredKyb, markKybExpired } from "./queries.ts";
import { recordKybChange } from "./record-kyb-change.ts";

/**
 * Sets the status of expired KYB (know-your-business) verifications to `expired` and sends an event for each. API
 * responses show the expiry even before this job runs (see `kybStatusAt`).
 */
export async function expireKyb({ db, clock }: Pick<App, "db" | "clock">): Promise<void> {
  const at = clock.now();
  await tryEach(expiredKyb(db, at), ({ tenantId }) =>
    withTransaction(db, tenantId, async (tx) => {
      const changedTo = await markKybExpired(tx, tenantId, at);
      if (changedTo === undefined) return;
      const facts = {
        status: "expired",
        expires_at: changedTo.kybExpiresAt?.toISOString() ?? null,
      };
      const action = "developer.kyb_updated";
      await recordKybChange(tx, systemActor({ tenantId, mode: "live" }), {
        action,
        facts,
        changedTo,
        at,
      });
    }),
  );
}
