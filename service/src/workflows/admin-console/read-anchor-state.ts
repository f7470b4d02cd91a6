import { type Static, Type } from "typebox";
import type { App } from "../../app.ts";
import { AuditCheckpointResource, presentAuditCheckpoint, readAnchoring } from "../../audit/checkpoints/checkpoints.ts";
import { listAnchorMismatches } from "../../events/queries.ts";
import { ListOf, NamedObject, Nullable, OneOf, Timestamp } from "../../foundation/wire/fields.ts";

/** While a chain does not match its anchor, an event is recorded once a day. */
const MISMATCH_MS = 25 * 3_600_000;
const MISMATCHES_MAX = 20;

/** Whether the audit trail is in the anchor (docs/rules/admins.md). */
export const AuditAnchorStateResource = NamedObject("AuditAnchorState", {
  status: OneOf(
    ["anchored", "pending", "late", "mismatch"],
    "`mismatch`: a chain of an account has not matched its checkpoint in the anchor in the last 25 hours. `late`: an entry of any chain has waited for the anchor for too long. `pending`: the latest checkpoint is not in the anchor yet. Otherwise `anchored`.",
  ),
  latest_checkpoint: Nullable(AuditCheckpointResource, "The newest checkpoint of the operators' own trail."),
  age_seconds: Nullable(Type.Integer(), "The age of the latest checkpoint."),
  unanchored_since: Nullable(
    Timestamp,
    "When the oldest entry was written that is not in the anchor yet, of any chain.",
  ),
  mismatches: ListOf(
    NamedObject("AuditAnchorMismatch", { tenant_id: Type.String(), chain: Type.String(), occurred_at: Timestamp }),
    "The chains that have not matched their anchor in the last 25 hours, at most 20.",
  ),
});

export async function readAnchorState(app: App): Promise<Static<typeof AuditAnchorStateResource>> {
  const now = app.clock.now().getTime();
  const { checkpoint, unanchoredSince, isLate } = await readAnchoring(app);
  const mismatches = await listAnchorMismatches(app.db, new Date(now - MISMATCH_MS), MISMATCHES_MAX);
  const isAnchored = checkpoint !== undefined && checkpoint.anchoredAt !== null;
  const withoutMismatch = isLate ? "late" : isAnchored ? "anchored" : "pending";
  return {
    status: mismatches.length > 0 ? "mismatch" : withoutMismatch,
    latest_checkpoint: checkpoint === undefined ? null : presentAuditCheckpoint(checkpoint),
    age_seconds: checkpoint === undefined ? null : Math.max(0, Math.floor((now - Date.parse(checkpoint.time)) / 1_000)),
    unanchored_since: unanchoredSince?.toISOString() ?? null,
    mismatches: mismatches.map(({ tenantId, subjectId, occurredAt }) => ({
      ...{ tenant_id: tenantId, chain: subjectId, occurred_at: occurredAt.toISOString() },
    })),
  };
}
