import type { LinkStatus } from "../../../foundation/vocabulary.ts";
import type { Link } from "./queries.ts";

/** How people complete a link. Whoever has it can, so it goes to callers that may link, and into no list, event or log. */
export interface LinkOpening {
  readonly url: string;
  /** What the provider's redirect will carry. Null where a token is pasted. */
  readonly state: string | null;
}

/** A link as one caller may see it. */
export interface ShownLink {
  readonly link: Link;
  /** Null where it cannot be completed any more, or not by this caller. */
  readonly opening: LinkOpening | null;
}

/** Where a link stands: one that nobody has completed in time is over, whether or not that is written down yet. */
export function statusAt({ status, expiresAt }: Link, at: Date): LinkStatus {
  return status === "pending_auth" && expiresAt <= at ? "expired" : status;
}

/**
 * A link as the wire and its events show it (contract, section 3). It stands here and not at the edge because the event of a
 * change carries it too.
 */
export function presentLink({ link, opening }: ShownLink, at: Date) {
  const status = statusAt(link, at);
  const isOpen = status === "pending_auth";
  return {
    object: "link" as const,
    link_id: link.linkId,
    project_id: link.projectId,
    mode: link.mode,
    provider: link.provider,
    flow: link.flow,
    status,
    error: link.error,
    url: isOpen ? (opening?.url ?? null) : null,
    state: isOpen ? (opening?.state ?? null) : null,
    expires_at: isOpen || status === "expired" ? link.expiresAt.toISOString() : null,
    poll_url: `/api/v1/svc/projects/${link.projectId}/links/${link.linkId}`,
    next_action: isOpen ? { type: "open_url" as const, actor: "human" as const } : null,
    linked_at: link.linkedAt?.toISOString() ?? null,
    account_label: link.accountLabel,
    scopes: [...link.scopes],
    created_at: link.createdAt.toISOString(),
    updated_at: link.updatedAt.toISOString(),
  };
}
