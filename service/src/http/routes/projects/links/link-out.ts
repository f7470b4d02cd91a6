import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { AppError } from "../../../../foundation/errors.ts";
import { isId, type LinkId } from "../../../../foundation/ids.ts";
import { LINK_ERRORS, LINK_FLOWS, LINK_STATUSES } from "../../../../foundation/vocabulary.ts";
import { ModeName, Nullable, Timestamp } from "../../../../foundation/wire/common.ts";
import type { LinkVisitor, SettledLink } from "../../../../modules/projects/index.ts";
import { networkOf } from "../../../auth/client-network.ts";

const LinkErrorName = Type.Enum([...LINK_ERRORS], {
  description: "Why it failed, in words of ours.",
});

export const LinkOut = Type.Object(
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

/** The link that a path names. An id of the wrong form is as absent as one that nobody has. */
export function linkIdOf(text: string): LinkId {
  if (isId("lnk", text)) return text;
  throw new AppError("link_not_found", { internal: "not the form of a link's id" });
}

/** Who completes a link by its one-time address, as the audit trail notes it. */
export function linkVisitorOf(request: FastifyRequest): LinkVisitor {
  return { network: networkOf(request.ip), requestId: request.id };
}

/** What whoever completed a link is told, who may be anybody. */
export const SettledLinkOut = Type.Object({
  link_id: Type.String(),
  provider: Type.String(),
  status: Type.Enum(["linked", "failed"]),
  error: Nullable(LinkErrorName),
});

export function presentSettled({ link }: SettledLink) {
  const { linkId, provider, error } = link;
  const status = link.status === "linked" ? ("linked" as const) : ("failed" as const);
  return { link_id: linkId, provider, status, error };
}

/** Where a browser goes from here, with what became of the link. Null: nowhere. */
export function returnAddressOf({ link, returnTo }: SettledLink): string | null {
  if (returnTo === null) return null;
  const address = new URL(returnTo);
  address.searchParams.set("link_id", link.linkId);
  address.searchParams.set("status", link.status);
  return address.href;
}
