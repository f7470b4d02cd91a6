import { systemActor } from "../../../audit/actors.ts";
import type { Tx } from "../../../db/database.ts";
import type { DueWork } from "../../../due-work/due-work.ts";
import { appendEvent } from "../../../events/events.ts";
import type { ApiKeyId, TenantId } from "../../../foundation/ids.ts";
import { apiKeyRows } from "./queries.ts";

/**
 * Sends the event `api_key.grace_ending` once for each replaced key, an hour before its grace period ends. Skips keys
 * that are revoked and keys whose grace period is over.
 */
export const notifyGraceEndings: DueWork = {
  kind: "notify-grace-endings",
  everyMs: 30_000,
  retryMs: { first: 30_000, max: 3_600_000 },
  stopsAtFailure: false,
  run: async ({ clock }, { tenantId, subject }) => {
    return (tx) => appendGraceEnding(tx, { tenantId, keyId: subject as ApiKeyId }, clock.now());
  },
};

async function appendGraceEnding(
  tx: Tx,
  owned: { readonly tenantId: TenantId; readonly keyId: ApiKeyId },
  at: Date,
): Promise<void> {
  const key = await apiKeyRows.find(tx, owned);
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
