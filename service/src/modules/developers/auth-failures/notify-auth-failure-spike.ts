import { systemActor } from "../../../audit/actors.ts";
import type { Tx } from "../../../db/database.ts";
import { enqueueEvent } from "../../../outbox/enqueue.ts";
import type { ApiKey } from "../keys/queries.ts";
import { claimSpikeNotice } from "./queries.ts";

/** Refused requests of one key within one minute from which the owner is notified. */
const SPIKE_COUNT = 50;
const HOUR_MS = 3_600_000;

/**
 * Sends the event `api_key.auth_failures_spike`, at most once an hour for a key, if many of its requests were refused
 * within one minute.
 *
 * @param count the refused requests in the minute of `at`
 */
export async function notifyAuthFailureSpike(
  tx: Tx,
  key: ApiKey,
  { count, at }: { readonly count: number; readonly at: Date },
): Promise<void> {
  if (count < SPIKE_COUNT) return;
  const since = new Date(at.getTime() - HOUR_MS);
  if (!(await claimSpikeNotice(tx, { tenantId: key.tenantId, keyId: key.keyId, at, since })))
    return;
  await enqueueEvent(tx, systemActor(key), {
    type: "api_key.auth_failures_spike",
    subject: { type: "api_key", id: key.keyId },
    data: { key_id: key.keyId, name: key.name, mode: key.mode, count },
    occurredAt: at,
  });
}
