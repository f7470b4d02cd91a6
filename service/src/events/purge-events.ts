import type { Db } from "../db/database.ts";
import { purgeByTenant } from "../db/purge-by-tenant.ts";
import type { Clock } from "../foundation/clock.ts";
import { deleteEvents, listOldEvents, type OldEvent } from "./queries.ts";

const RETENTION_MS = 30 * 24 * 3_600_000;

/** Deletes events that are older than 30 days. */
export async function purgeEvents({ db, clock }: { readonly db: Db; readonly clock: Clock }): Promise<void> {
  const before = new Date(clock.now().getTime() - RETENTION_MS);
  await purgeByTenant<OldEvent>(
    db,
    (page) => listOldEvents(db, { before, ...page }),
    (tx, tenantId, events) => deleteEvents(tx, { tenantId, eventIds: events.map(({ eventId }) => eventId) }),
  );
}
