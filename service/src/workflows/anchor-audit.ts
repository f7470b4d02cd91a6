import type { App } from "../app.ts";
import { systemActor } from "../audit/actors.ts";
import type { ChainKey } from "../audit/chains/queries.ts";
import { type Anchorings, AnchorMismatchError, checkpointDue } from "../audit/checkpoints/checkpoint.ts";
import { withTransaction } from "../db/transaction.ts";
import { appendEvent } from "../events/events.ts";
import { redactedMessage } from "../foundation/redact.ts";

const EVENT_INTERVAL_MS = 24 * 3_600_000;

/**
 * Stores all due checkpoints in the audit anchor, which is outside the database. If an audit chain does not match its
 * checkpoint in the anchor, logs the reason on every run and records an event for the owner at most once per day.
 */
export async function anchorAudit(app: App, anchorings?: Anchorings): Promise<void> {
  const failed = await checkpointDue(app, anchorings);
  if (failed.length > 0) {
    const reason = redactedMessage(failed[0]?.error);
    app.log.error({ failed: failed.length, reason }, "could not anchor audit chains");
  }
  for (const { key, error } of failed) {
    if (!(error instanceof AnchorMismatchError)) continue;
    app.log.error(
      { ...key, reason: error.message },
      "audit chain does not match its anchor: investigate possible tampering",
    );
    await recordMismatch(app, key);
  }
}

async function recordMismatch({ db, clock, fastState }: App, { tenantId, chain }: ChainKey): Promise<void> {
  const at = clock.now();
  const key = `audit.anchor_mismatch ${tenantId} ${chain}`;
  const isDue = await fastState.claimOnce({ key, ttlMs: EVENT_INTERVAL_MS, nowMs: at.getTime() });
  if (!isDue) return;
  // The event is recorded in live mode, although the chain contains entries of live and test mode. An event can have
  // only one mode.
  await withTransaction(db, tenantId, (tx) =>
    appendEvent(tx, systemActor({ tenantId, mode: "live" }), {
      type: "audit.anchor_mismatch",
      subject: { type: "audit_chain", id: chain },
      data: { chain },
      occurredAt: at,
      sequence: null,
    }),
  );
}
