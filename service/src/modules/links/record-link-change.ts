import { type Actor, appendAuditEntry } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { recordEntryAndEvent } from "../../events/record-entry-and-event.ts";
import { presentLink } from "./link-resource.ts";
import type { Link } from "./queries.ts";

interface LinkChange<Action extends string> {
  readonly action: Action;
  readonly link: Link;
  readonly occurredAt: Date;
}

/** Writes the audit entry and the event for a link change, in the same transaction as the change. */
export async function recordLinkChange(
  tx: Tx,
  actor: Actor,
  change: LinkChange<"link.completed" | "link.failed" | "link.expired" | "link.revoked">,
): Promise<void> {
  await recordEntryAndEvent(tx, actor, entryOf(change), () =>
    presentLink({ link: change.link, completion: null }, change.occurredAt),
  );
}

/** Writes the audit entry for a link change, without an event. */
export async function appendLinkEntry(tx: Tx, actor: Actor, change: LinkChange<string>): Promise<void> {
  await appendAuditEntry(tx, actor, entryOf(change));
}

function entryOf({ action, link, occurredAt }: LinkChange<string>) {
  const { linkId, projectId, provider, flow, accountId, error } = link;
  const facts = { project_id: projectId, provider, flow, account_id: accountId, error };
  return { action, subject: { type: "link", id: linkId }, facts, occurredAt };
}

/** The browser that completes a link. It has no API credential, so the audit entry shows the developer as the actor. */
export interface LinkClient {
  readonly network: string;
  readonly requestId: string;
}
