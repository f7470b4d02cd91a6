import type { Tx } from "../db/database.ts";
import { afterCommit } from "../db/open-transaction.ts";
import type { AuditActor, AuditSubject } from "../db/schema.ts";
import type { Json } from "../foundation/canonical-json.ts";
import { type AuditId, newId, type TenantId } from "../foundation/ids.ts";
import { observers } from "../foundation/telemetry/activities.ts";
import type { AuditChain, Mode } from "../foundation/vocabulary.ts";
import { type AuditRecord, auditHash } from "./chains/chain.ts";
import { insertChainedEntries, lockHead } from "./chains/queries.ts";
import { insertEntry, insertPendingEntry } from "./entries/queries.ts";

/** Who makes a change, and the tenant, mode and request to which the change belongs. */
export interface Actor {
  readonly tenantId: TenantId;
  readonly mode: Mode;
  readonly actor: AuditActor;
  readonly requestId: string | null;
  /** The id of the request's dashboard session. It is not part of the audit entry. */
  readonly sessionId?: string;
}

export interface AuditEvent {
  readonly action: string;
  readonly subject: AuditSubject;
  /** Details of the change: ids, counts and names. Never secrets, and no more personal data than necessary. */
  readonly facts: Readonly<Record<string, Json>>;
  readonly occurredAt: Date;
  readonly chain?: AuditChain;
}

/**
 * Writes an audit entry in the same transaction as the change.
 *
 * An entry for the `tenant` chain is first stored as pending, and a job adds it to the chain about a second later. A
 * tenant's transactions therefore do not wait for the lock on the chain's head. Entries for the `provider_keys` chain
 * are added immediately, under that lock.
 */
export async function appendAuditEntry(tx: Tx, actor: Actor, event: AuditEvent): Promise<AuditId> {
  const record = auditRecordOf(actor, event);
  const { auditId, chain, tenantId } = record;
  if (chain === "tenant") {
    await insertPendingEntry(tx, record);
    return auditId;
  }
  await insertEntry(tx, record);
  const head = await lockHead(tx, { tenantId, chain });
  const position = { sequence: head.sequence + 1, prevHash: head.hash };
  await insertChainedEntries(tx, { tenantId, chain }, [{ ...position, auditId, hash: auditHash(record, position) }]);
  return auditId;
}

/** Returns the audit record of an event, with a new id. The action is counted when the transaction has committed. */
export function auditRecordOf(
  { tenantId, mode, actor, requestId }: Actor,
  { chain = "tenant", ...event }: AuditEvent,
): AuditRecord {
  const { meter } = observers;
  if (meter !== undefined) {
    const activity = { kind: "audited action", name: event.action, facts: {} } as const;
    afterCommit(() => meter(activity, 0));
  }
  return { ...event, auditId: newId("aud"), chain, tenantId, mode, actor, requestId };
}
