import { systemActor } from "../../../audit/actors.ts";
import type { Tx } from "../../../db/database.ts";
import { enqueueEvent } from "../../../outbox/enqueue.ts";
import type { ApiKey } from "../keys/queries.ts";
import { claimSpike } from "./queries.ts";

/** So many refused requests under one key in one minute are no accident. */
const SPIKE_COUNT = 50;
const HOUR_MS = 3_600_000;

/**
 * Tells a key's owner, at most once an hour, that many requests under it were refused within a minute.
 *
 * @param count how many there were in the minute of `at`
 */
export async function notifyAuthFailureSpike(
  tx: Tx,
  key: ApiKey,
  { count, at }: { readonly count: number; readonly at: Date },
): Promise<void> {
  if (count < SPIKE_COUNT) return;
  const since = new Date(at.getTime() - HOUR_MS);
  if (!(await claimSpike(tx, { tenantId: key.tenantId, keyId: key.keyId, at, since }))) return;
  await enqueueEvent(tx, systemActor(key), {
    type: "api_key.auth_failures_spike",
    subject: { type: "api_key", id: key.keyId },
    data: { key_id: key.keyId, name: key.name, mode: key.mode, count },
    occurredAt: at,
  });
}
