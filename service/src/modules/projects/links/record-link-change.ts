import { type Actor, appendAuditEntry } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import { enqueueEvent } from "../../../outbox/enqueue.ts";
import { presentLink } from "./link-resource.ts";
import type { Link } from "./queries.ts";

/** Tells the audit trail and whoever listens what became of a link, in the transaction in which it becomes that. */
export async function recordLinkChange(
  tx: Tx,
  actor: Actor,
  {
    action,
    link,
    occurredAt,
  }: {
    readonly action: "link.completed" | "link.failed" | "link.expired" | "link.revoked";
    readonly link: Link;
    readonly occurredAt: Date;
  },
): Promise<void> {
  await auditChainEntry(tx, actor, { action, link, occurredAt });
  await enqueueEvent(tx, actor, {
    type: action,
    subject: { type: "link", id: link.linkId },
    data: presentLink({ link, opening: null }, occurredAt),
    occurredAt,
  });
}

/** Tells the audit trail alone. */
export async function auditChainEntry(
  tx: Tx,
  actor: Actor,
  {
    action,
    link,
    occurredAt,
  }: { readonly action: string; readonly link: Link; readonly occurredAt: Date },
): Promise<void> {
  const { projectId, provider, flow, accountId, error } = link;
  await appendAuditEntry(tx, actor, {
    action,
    subject: { type: "link", id: link.linkId },
    facts: { project_id: projectId, provider, flow, account_id: accountId, error },
    occurredAt,
  });
}

/** Whoever completes a link by its one-time address: the developer, as far as anybody can tell. */
export interface LinkClient {
  readonly network: string;
  readonly requestId: string;
}
