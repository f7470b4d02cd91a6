import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import { AppError } from "../../foundation/errors.ts";
import type { LinkId } from "../../foundation/ids.ts";
import { lockProject, type ProjectKey } from "../projects/queries.ts";
import { endLink } from "./end-link.ts";
import { linkNotFound } from "./get-link.ts";
import { statusAt } from "./link-resource.ts";
import { type Link, linkRows, listLinksInUse, listUnendedLinks } from "./queries.ts";

export interface RevokeLink {
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
    if (!["pending_auth", "linked"].includes(statusAt(link, at))) return link;

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
