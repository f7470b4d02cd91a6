import type { App } from "../../app.ts";
import { systemActor } from "../../audit/actors.ts";
import { type Actor, appendAuditEntry } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import { recordEntryAndEvent } from "../../events/events.ts";
import { AppError } from "../../foundation/errors.ts";
import type { LinkId } from "../../foundation/ids.ts";
import { tryEach } from "../../foundation/try-each.ts";
import type { LinkError } from "../../foundation/vocabulary.ts";
import { lockProject, type ProjectKey } from "../projects/queries.ts";
import { linkStatusAt, presentLink } from "./link-resource.ts";
import { linkNotFound } from "./link-rules.ts";
import {
  destroyLinkSecret,
  expiredStates,
  type Link,
  type LinkKey,
  linkRows,
  linkStateRows,
  listLinksInUse,
  listUnendedLinks,
} from "./queries.ts";
import { insertRevocationOfStored } from "./revocations/queries.ts";

interface LinkChange<Action extends string> {
  readonly action: Action;
  readonly link: Link;
  readonly occurredAt: Date;
}

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

function entryOf<Action extends string>({ action, link, occurredAt }: LinkChange<Action>) {
  const { linkId, projectId, provider, flow, accountId, error } = link;
  const facts = { project_id: projectId, provider, flow, account_id: accountId, error };
  return { action, subject: { type: "link", id: linkId }, facts, occurredAt };
}

/** The browser that completes a link. It has no API credential, so the audit entry shows the developer as the actor. */
export interface LinkClient {
  readonly network: string;
  readonly requestId: string;
}

/** The final state of a link. Only linked and pending links can be ended. */
type LinkEnd = { readonly status: "expired" | "revoked" } | { readonly status: "failed"; readonly error: LinkError };

/**
 * Ends a link and deletes its secrets. A job revokes the tokens of a revoked link at the provider, unless the developer has
 * pasted them. The tokens of an expired link are no longer valid. The caller must have locked the link or its project.
 */
export async function endLink(
  tx: Tx,
  actor: Actor,
  { link, end, at }: { readonly link: Link; readonly end: LinkEnd; readonly at: Date },
): Promise<Link> {
  const ended = await linkRows.updateAndGet(tx, link, { ...end, updatedAt: at });
  if (end.status === "revoked" && link.flow !== "api_token") {
    await insertRevocationOfStored(tx, link, at);
  }
  await destroyLinkSecret(tx, link);
  const action = `link.${end.status}` as const;
  await recordLinkChange(tx, actor, { action, link: ended, occurredAt: at });
  return ended;
}

interface RevokeLink {
  readonly actor: Actor;
  readonly key: ProjectKey;
  readonly linkId: LinkId;
}

/**
 * Revokes a linked or pending link and deletes its secrets. A link that has already ended is returned unchanged. Throws
 * `project_not_found` or `link_not_found`, or `link_in_use` if services use the link.
 */
export async function revokeLink(app: Pick<App, "db" | "clock">, { actor, key, linkId }: RevokeLink): Promise<Link> {
  const at = app.clock.now();
  return withTransaction(app.db, key.tenantId, async (tx) => {
    const project = await lockProject(tx, key);
    const link = await linkRows.lock(tx, { tenantId: key.tenantId, linkId });
    if (link?.projectId !== project.projectId) throw linkNotFound(linkId);
    if (!["pending_auth", "linked"].includes(linkStatusAt(link, at))) return link;

    const inUse = await listLinksInUse(tx, link);
    if (inUse.some((used) => used.linkId === linkId)) throw new AppError("link_in_use");
    return endLink(tx, actor, { link, end: { status: "revoked" }, at });
  });
}

/**
 * Revokes all links of a project that is being deleted. The caller must have locked the project and removed its
 * services.
 */
export async function revokeLinksOfProject(
  tx: Tx,
  actor: Actor,
  { project, at }: { readonly project: Pick<Link, "tenantId" | "projectId">; readonly at: Date },
): Promise<void> {
  for (const link of await listUnendedLinks(tx, project)) {
    await endLink(tx, actor, { link, end: { status: "revoked" }, at });
  }
}

/**
 * Sets pending links to `expired` after their `expiresAt`, and deletes their secrets. Also deletes expired OAuth states
 * and token form keys.
 */
export async function expireLinks(app: Pick<App, "db" | "clock">): Promise<void> {
  const at = app.clock.now();
  await tryEach(expiredStates(app.db, at), (state) =>
    withTransaction(app.db, state.tenantId, async (tx) => {
      await expireIfPending(tx, state, at);
      await linkStateRows.remove(tx, state);
    }),
  );
}

async function expireIfPending(tx: Tx, key: LinkKey, at: Date): Promise<void> {
  const link = await linkRows.lock(tx, key);
  if (link?.status !== "pending_auth") return;
  await endLink(tx, systemActor(link), { link, end: { status: "expired" }, at });
}
