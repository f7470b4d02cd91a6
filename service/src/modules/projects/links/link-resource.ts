import { type Static, Type } from "typebox";
import type { LinkStatus } from "../../../foundation/vocabulary.ts";
import { LINK_ERRORS, LINK_FLOWS, LINK_STATUSES } from "../../../foundation/vocabulary.ts";
import { ModeName, Nullable, Timestamp } from "../../../foundation/wire/common.ts";
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

const LinkErrorName = Type.Enum([...LINK_ERRORS], {
  description: "Why it failed, in words of ours.",
});

export const LinkResource = Type.Object(
  {
    object: Type.Literal("link"),
    link_id: Type.String(),
    project_id: Type.String(),
    mode: ModeName,
    provider: Type.String(),
    flow: Type.Enum([...LINK_FLOWS]),
    status: Type.Enum([...LINK_STATUSES]),
    error: Nullable(LinkErrorName),
    url: Nullable(
      Type.String({
        description:
          "Where somebody completes it: the provider's consent page, or the form that a token is pasted into. Only while it waits, to callers that may link, and in no list.",
      }),
    ),
    state: Nullable(
      Type.String({ description: "What the provider's redirect will carry. As `url`." }),
    ),
    expires_at: Nullable(Timestamp),
    poll_url: Type.String(),
    next_action: Nullable(
      Type.Object({ type: Type.Literal("open_url"), actor: Type.Literal("human") }),
    ),
    linked_at: Nullable(Timestamp),
    account_label: Nullable(
      Type.String({ description: "What people call the account: an address, or an organization." }),
    ),
    scopes: Type.Array(Type.String(), { description: "Those that were asked for." }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { $id: "Link" },
);

/** The body of answers and of link events. */
export function presentLink({ link, opening }: ShownLink, at: Date): Static<typeof LinkResource> {
  const status = statusAt(link, at);
  const isOpen = status === "pending_auth";
  return {
    object: "link",
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
    next_action: isOpen ? { type: "open_url", actor: "human" } : null,
    linked_at: link.linkedAt?.toISOString() ?? null,
    account_label: link.accountLabel,
    scopes: [...link.scopes],
    created_at: link.createdAt.toISOString(),
    updated_at: link.updatedAt.toISOString(),
  };
}

/** The answer to the person who completes a link, who has no credential. */
export const SettledLinkResource = Type.Object(
  {
    link_id: Type.String(),
    provider: Type.String(),
    status: Type.Enum(["linked", "failed"]),
    error: Nullable(LinkErrorName),
  },
  { $id: "SettledLink" },
);

export function presentSettledLink({
  link,
}: {
  readonly link: Link;
}): Static<typeof SettledLinkResource> {
  const { linkId, provider, error } = link;
  const status = link.status === "linked" ? ("linked" as const) : ("failed" as const);
  return { link_id: linkId, provider, status, error };
}
