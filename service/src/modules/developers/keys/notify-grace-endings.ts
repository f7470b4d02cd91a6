import type { App } from "../../../app.ts";
import { systemActor } from "../../../audit/actors.ts";
import type { Tx } from "../../../db/database.ts";
import { itemsOf } from "../../../db/pages.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { appendEvent } from "../../../events/append-event.ts";
import { tryEach } from "../../../foundation/try-each.ts";
import { deleteGraceNotice, findApiKey, type GraceNotice, listDueGraceNotices } from "./queries.ts";

const NOTICES_MAX = 1_000;

/**
 * Sends the event `api_key.grace_ending` once for each replaced key, an hour before its grace period ends. Skips keys
 * that are revoked and keys whose grace period is over.
 */
export async function notifyGraceEndings(app: Pick<App, "db" | "clock">): Promise<void> {
  const at = app.clock.now();
  const due = itemsOf<GraceNotice>((after) => listDueGraceNotices(app.db, { at, after, limit: NOTICES_MAX }));
  await tryEach(due, (notice) =>
    withTransaction(app.db, notice.tenantId, async (tx) => {
      if (await deleteGraceNotice(tx, notice)) await appendGraceEnding(tx, notice, at);
    }),
  );
}

async function appendGraceEnding(tx: Tx, notice: GraceNotice, at: Date): Promise<void> {
  const key = await findApiKey(tx, notice);
  if (key === undefined || key.revokedAt !== null) return;
  if (key.graceExpiresAt === null || key.graceExpiresAt <= at) return;
  await appendEvent(tx, systemActor(key), {
    type: "api_key.grace_ending",
    subject: { type: "api_key", id: key.keyId },
    data: {
      key_id: key.keyId,
      name: key.name,
      mode: key.mode,
      replaced_by: key.replacedBy,
      grace_expires_at: key.graceExpiresAt.toISOString(),
    },
    occurredAt: at,
    sequence: null,
  });
}
