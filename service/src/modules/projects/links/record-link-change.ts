import { type Actor, appendAuditEntry } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import { appendEvent } from "../../../events/append-event.ts";
import { presentLink } from "./link-resource.ts";
import type { Link } from "./queries.ts";

/** Writes the audit entry and the event for a link change, in the same transaction as the change. */
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
  await appendLinkEntry(tx, actor, { action, link, occurredAt });
  await appendEvent(tx, actor, {
    type: action,
    subject: { type: "link", id: link.linkId },
    data: presentLink({ link, completion: null }, occurredAt),
    occurredAt,
  });
}

/** Writes the audit entry for a link change, without an event. */
export async function appendLinkEntry(
  tx: Tx,
  actor: Actor,
  { action, link, occurredAt }: { readonly action: string; readonly link: Link; readonly occurredAt: Date },
): Promise<void> {
  const { projectId, provider, flow, accountId, error } = link;
  await appendAuditEntry(tx, actor, {
    action,
    subject: { type: "link", id: link.linkId },
    facts: { project_id: projectId, provider, flow, account_id: accountId, error },
    occurredAt,
  });
}

/** The browser that completes a link. It has no API credential, so the audit entry shows the developer as the actor. */
export interface LinkClient {
  readonly network: string;
  readonly requestId: string;
}
