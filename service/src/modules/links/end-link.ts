import type { Actor } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import type { LinkError } from "../../foundation/vocabulary.ts";
import { destroyLinkSecret, type Link, linkRows } from "./queries.ts";
import { recordLinkChange } from "./record-link-change.ts";
import { insertRevocationOfStored } from "./revocations/queries.ts";

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
