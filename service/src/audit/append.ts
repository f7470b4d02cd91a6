import type { Tx } from "../db/database.ts";
import type { AuditActor, AuditSubject } from "../db/schema.ts";
import type { Json } from "../foundation/canonical-json.ts";
import { type AuditId, newId, type TenantId } from "../foundation/ids.ts";
import type { AuditChain, Mode } from "../foundation/vocabulary.ts";
import { type AuditRecord, auditHash } from "./chains/chain.ts";
import { insertChainedEntries, lockHead } from "./chains/queries.ts";
import { insertEntry, insertPendingEntry } from "./entries/queries.ts";

/** Who did what, as every command that changes something carries it down from the edge. */
export interface Actor {
  readonly tenantId: TenantId;
  readonly mode: Mode;
  readonly actor: AuditActor;
  readonly requestId: string | null;
  /** The dashboard session that asks. It is not recorded. */
  readonly sessionId?: string;
}

export interface AuditEvent {
  readonly action: string;
  readonly subject: AuditSubject;
  /** What happened, in ids, counts and names. Never a secret, and of personal data only what the trail is for. */
  readonly facts: Readonly<Record<string, Json>>;
  readonly occurredAt: Date;
  readonly chain?: AuditChain;
}

/**
 * Writes an entry in the transaction of what it tells of, so that neither is there without the other.
 *
 * An entry of the `tenant` chain is linked about a second later by the chainer, so that a busy tenant's transactions do
 * not wait for one another. One of the `provider_keys` chain is linked at once, under the head's lock.
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
  const place = { sequence: head.sequence + 1, prevHash: head.hash };
  await insertChainedEntries(tx, { tenantId, chain }, [
    { ...place, auditId, hash: auditHash(record, place) },
  ]);
  return auditId;
}

/** What is written of an event, under an id of its own. */
export function auditRecordOf(
  { tenantId, mode, actor, requestId }: Actor,
  { chain = "tenant", ...event }: AuditEvent,
): AuditRecord {
  return { ...event, auditId: newId("aud"), chain, tenantId, mode, actor, requestId };
}
