import { systemActor } from "../../../audit/actors.ts";
import type { Tx } from "../../../db/database.ts";
import { appendEvent } from "../../../events/append-event.ts";
import type { ApiKey } from "../keys/queries.ts";
import { claimSpikeNotice } from "./queries.ts";

/** Number of rejected requests per key and minute that triggers a notification to the key's owner. */
const SPIKE_COUNT = 50;
const HOUR_MS = 3_600_000;

/**
 * Sends the event `api_key.auth_failures_spike` if many requests with the key were rejected within one minute. Sends it
 * at most once per hour for each key.
 *
 * @param count the number of requests rejected in the minute that contains `at`
 */
export async function notifyAuthFailureSpike(
  tx: Tx,
  key: ApiKey,
  { count, at }: { readonly count: number; readonly at: Date },
): Promise<void> {
  if (count < SPIKE_COUNT) return;
  const since = new Date(at.getTime() - HOUR_MS);
  if (!(await claimSpikeNotice(tx, { tenantId: key.tenantId, keyId: key.keyId, at, since }))) return;
  await appendEvent(tx, systemActor(key), {
    type: "api_key.auth_failures_spike",
    subject: { type: "api_key", id: key.keyId },
    data: { key_id: key.keyId, name: key.name, mode: key.mode, count },
    occurredAt: at,
    sequence: null,
  });
}
