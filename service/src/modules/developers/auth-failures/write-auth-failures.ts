import type { App } from "../../../app.ts";
import { systemActor } from "../../../audit/actors.ts";
import { sha256Hex } from "../../../crypto/signing.ts";
import type { Tx } from "../../../db/database.ts";
import type { ListedPage } from "../../../db/pages.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { appendEvent } from "../../../events/events.ts";
import type { RecordedFailure } from "../../../foundation/auth-failure-log.ts";
import type { TenantId } from "../../../foundation/ids.ts";
import { redactedMessage } from "../../../foundation/redact.ts";
import type { AuthFailureReason } from "../../../foundation/vocabulary.ts";
import { type ApiKey, apiKeyRows } from "../keys/queries.ts";
import {
  type AuthFailure,
  type AuthFailureList,
  addAuthFailure,
  claimSpikeNotice,
  listApiKeyLookups,
  listStoredFailures,
  selectFailuresOfMinute,
} from "./queries.ts";

const MINUTE_MS = 60_000;
const HASHES_AT_ONCE_MAX = 1_000;
/**
 * Maximum number of stored rows per key and minute. At this limit, failures from additional networks are combined into
 * one row per reason.
 */
const ROWS_MAX = 50;
const OTHER_NETWORKS = "other";

/** The request verification step in which each failure reason occurs (docs/rules/signing.md). */
const STEPS: Readonly<Record<AuthFailureReason, number>> = {
  header_missing: 1,
  mode_missing: 1,
  timestamp_skewed: 2,
  nonce_malformed: 3,
  nonce_replayed: 3,
  key_revoked: 4,
  key_expired: 4,
  network_not_allowed: 4,
  signature_mismatch: 5,
  signature_replayed: 5,
};

type Access = Pick<App, "db" | "clock" | "log" | "authFailures">;

/**
 * Flushes the failures buffered in this process to the database, and notifies owners whose keys have many failures.
 * Failures for unknown keys are discarded. Failures that cannot be written stay in the buffer until the next call.
 */
export async function writeAuthFailures(app: Access): Promise<void> {
  await app.authFailures.flush(async (recorded) => {
    const unwritten: RecordedFailure[] = [];
    for (let start = 0; start < recorded.length; start += HASHES_AT_ONCE_MAX) {
      unwritten.push(...(await writeSome(app, recorded.slice(start, start + HASHES_AT_ONCE_MAX))));
    }
    return unwritten;
  });
}

/** Returns one page of rejected requests. Writes the failures buffered in this process first, so that the page includes them. */
export async function listAuthFailures(app: Access, list: AuthFailureList): Promise<ListedPage<AuthFailure>> {
  await writeAuthFailures(app);
  return listStoredFailures(app.db, list);
}

/** Returns the failures that could not be written. */
async function writeSome(app: Access, recorded: readonly RecordedFailure[]): Promise<RecordedFailure[]> {
  const unwritten: RecordedFailure[] = [];
  const keepUnwritten = (failures: readonly RecordedFailure[]) => (error: unknown) => {
    unwritten.push(...failures);
    app.log.warn({ reason: redactedMessage(error) }, "could not store authentication failures, retrying later");
    return [];
  };
  const write = (tenantId: TenantId, failures: readonly RecordedFailure[], work: (tx: Tx) => Promise<void>) =>
    withTransaction(app.db, tenantId, work).catch(keepUnwritten(failures));

  const byTenant = Map.groupBy(recorded, ({ tenantId }) => tenantId);
  for (const [tenantId, own] of byTenant) {
    if (tenantId !== undefined) await write(tenantId, own, (tx) => writeOfSessions(tx, tenantId, own));
  }
  const ofKeys = byTenant.get(undefined) ?? [];
  const byHash = Map.groupBy(ofKeys, ({ keyHash }) => keyHash ?? "");
  if (byHash.size === 0) return unwritten;
  const owners = await listApiKeyLookups(app.db, [...byHash.keys()]).catch(keepUnwritten(ofKeys));
  for (const { keyHash, ...owner } of owners) {
    const own = byHash.get(keyHash) ?? [];
    await write(owner.tenantId, own, (tx) => writeOfKey(tx, owner, own));
  }
  return unwritten;
}

async function writeOfKey(
  tx: Tx,
  owner: Pick<ApiKey, "tenantId" | "keyId">,
  failures: readonly RecordedFailure[],
): Promise<void> {
  const key = await apiKeyRows.find(tx, owner);
  if (key === undefined) return;
  const explained = failures.map((failure) => ({ ...failure, reason: reasonOf(failure, key) }));
  for (const [minute, own] of byMinute(explained)) {
    const count = await writeMinute(tx, key, minute, own);
    const at = new Date(Math.max(...own.map(({ lastAt }) => lastAt.getTime())));
    await notifyAuthFailureSpike(tx, key, count, at);
  }
}

async function writeOfSessions(tx: Tx, tenantId: TenantId, failures: readonly RecordedFailure[]): Promise<void> {
  for (const [minute, own] of byMinute(failures)) {
    await writeMinute(tx, { tenantId, keyId: null, mode: "live" }, minute, own);
  }
}

function byMinute(failures: readonly RecordedFailure[]) {
  return Map.groupBy(failures, ({ lastAt }) => minuteOf(lastAt));
}

/** Returns the number of failures of the minute. */
async function writeMinute(
  tx: Tx,
  { tenantId, keyId, mode }: Pick<AuthFailure, "tenantId" | "keyId" | "mode">,
  minute: number,
  failures: readonly RecordedFailure[],
): Promise<number> {
  const from = new Date(minute * MINUTE_MS);
  const until = new Date((minute + 1) * MINUTE_MS);
  const written = await selectFailuresOfMinute(tx, { tenantId, keyId, from, until });
  const failureIds = new Set(written.failureIds);
  let { count } = written;
  for (const failure of failures) {
    const { reason } = failure;
    const idFor = (network: string) => failureIdOf([keyId ?? "session", reason, network, minute]);
    const isRowLimitReached = failureIds.size >= ROWS_MAX && !failureIds.has(idFor(failure.network));
    const network = isRowLimitReached ? OTHER_NETWORKS : failure.network;
    const { skewSeconds, requestId, firstAt, lastAt } = failure;
    const step = STEPS[reason];
    const details = { skewSeconds, requestId, firstAt, lastAt, step, reason, network };
    const failureId = idFor(network);
    await addAuthFailure(tx, {
      tenantId,
      failureId,
      keyId,
      mode,
      ...details,
      count: failure.count,
    });
    failureIds.add(failureId);
    count += failure.count;
  }
  return count;
}

/**
 * Returns the failure reason to show to the key's owner. Revocation and expiry are checked before the signature. If the
 * key was already revoked or expired, returns `key_revoked` or `key_expired`, even if a signature failure was recorded.
 */
function reasonOf({ reason, lastAt }: RecordedFailure, key: ApiKey): AuthFailureReason {
  if (STEPS[reason] < STEPS.signature_mismatch) return reason;
  if (key.revokedAt !== null && key.revokedAt <= lastAt) return "key_revoked";
  const isExpired = [key.expiresAt, key.graceExpiresAt].some((end) => end !== null && end <= lastAt);
  return isExpired ? "key_expired" : reason;
}

/** Derives an ID that is the same in every process for failures with the same key, reason, network and minute. */
function failureIdOf(parts: readonly (string | number)[]): string {
  return `fail_${sha256Hex(JSON.stringify(parts)).slice(0, 26)}`;
}

function minuteOf(time: Date): number {
  return Math.floor(time.getTime() / MINUTE_MS);
}

/** Number of rejected requests per key and minute that triggers a notification to the key's owner. */
const SPIKE_COUNT = 50;
const HOUR_MS = 3_600_000;

/**
 * Sends the event `api_key.auth_failures_spike` if many requests with the key were rejected within one minute. Sends it
 * at most once per hour for each key.
 *
 * @param count the number of requests rejected in the minute that contains `at`
 */
async function notifyAuthFailureSpike(tx: Tx, key: ApiKey, count: number, at: Date): Promise<void> {
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
