import type { App } from "../../../app.ts";
import { systemActor } from "../../../audit/actors.ts";
import { itemsOf } from "../../../db/pages.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { tryEach } from "../../../foundation/try-each.ts";
import { type ExpiredKyb, listExpiredKyb, markKybExpired } from "./queries.ts";
import { recordKybChange } from "./record-kyb-change.ts";

const DEVELOPERS_MAX = 100;

/**
 * Sets the status of expired KYB (know-your-business) verifications to `expired` and sends an event for each. API
 * responses show the expiry even before this job runs (see `kybStatusAt`).
 */
export async function expireKyb({ db, clock }: Pick<App, "db" | "clock">): Promise<void> {
  const at = clock.now();
  const expired = itemsOf<ExpiredKyb>((after) => listExpiredKyb(db, { at, after, limit: DEVELOPERS_MAX }));
  await tryEach(expired, ({ tenantId }) =>
    withTransaction(db, tenantId, async (tx) => {
      const changedTo = await markKybExpired(tx, { tenantId, at });
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
