import type { App } from "../../../app.ts";
import { systemActor } from "../../../audit/actors.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { tryEach } from "../../../foundation/try-each.ts";
import { listLapsed, markLapsed } from "./queries.ts";
import { recordKybChange } from "./record-kyb-change.ts";

const DEVELOPERS_MAX = 100;

/** Marks the verifications that are over, and announces each. Whoever reads one meanwhile is told the same already. */
export async function expireKyb({ db, clock }: Pick<App, "db" | "clock">): Promise<void> {
  const at = clock.now();
  await tryEach(await listLapsed(db, { at, limit: DEVELOPERS_MAX }), (tenantId) =>
    withTransaction(db, tenantId, async (tx) => {
      const changedTo = await markLapsed(tx, { tenantId, at });
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
