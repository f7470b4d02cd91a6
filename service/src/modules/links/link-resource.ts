import { type Static, Type } from "typebox";
import { LINK_ERRORS, LINK_FLOWS, LINK_STATUSES, type LinkStatus } from "../../foundation/vocabulary.ts";
import { ListOf, ModeName, NamedObject, Nullable, OneOf, Text, Timestamp } from "../../foundation/wire/fields.ts";
import { toWire } from "../../foundation/wire/to-wire.ts";
import type { Link } from "./queries.ts";

/**
 * The secrets that complete a link. Anyone who has them can complete it. They appear only in responses to callers that
 * can link providers, never in lists, events or logs.
 */
export interface LinkCompletion {
  readonly url: string;
  /** The `state` parameter of the provider's redirect. Null if the link is completed with a pasted token. */
  readonly state: string | null;
}

/** A link as shown to one caller. */
export interface LinkView {
  readonly link: Link;
  /** Null if the link cannot be completed, or if this caller is not allowed to complete it. */
  readonly completion: LinkCompletion | null;
}

/**
 * Returns the link's status at the given time. A pending link counts as expired once `expiresAt` is reached, even if
 * the job that stores the new status has not run yet.
 */
export function linkStatusAt({ status, expiresAt }: Link, at: Date): LinkStatus {
  return status === "pending_auth" && expiresAt <= at ? "expired" : status;
}

const LinkErrorName = Type.Enum([...LINK_ERRORS]);
const WHY_LINK_FAILED =
  "Why the link failed. Null if it did not fail. `access_denied`: the user denied access. `exchange_failed`: the provider did not exchange the authorization code for tokens. `token_refused`: the token that the user entered is invalid. `provider_refused`: the provider returned another error. `provider_unavailable`: the provider did not respond. `other_account`: the project has services in a different account at this provider. `project_not_active`: the project is no longer active.";

/** The API representation of a link (docs/rules/links.md). */
export const LinkResource = NamedObject("Link", {
  object: Type.Literal("link"),
  link_id: Type.String(),
  project_id: Type.String(),
  mode: ModeName,
  provider: Type.String(),
  flow: OneOf(
    LINK_FLOWS,
    "How the link is completed. `oauth`: a user gives consent on the provider's page. `api_token`: a user enters an API token for the provider in a form. `instant`: the provider creates an account immediately, without a user's action.",
  ),
  status: OneOf(
    LINK_STATUSES,
    "Status of the link. `pending_auth` until a user completes the link, then `linked`, `failed`, `expired` or `revoked`.",
  ),
  error: Nullable(LinkErrorName, WHY_LINK_FAILED),
  url: Nullable(
    Type.String(),
    "URL of the page on which a user completes the link. If `flow` is `oauth`, it is the provider's consent page. If `flow` is `api_token`, it is a form on this server in which the user enters an API token for the provider. Keep the URL secret: anyone who has it can complete the link. Null unless `status` is `pending_auth`. Always null in lists and for callers that cannot link providers.",
  ),
  state: Nullable(
    Type.String(),
    "The OAuth `state` value that identifies this link when the provider redirects the user to Purser. Null if `url` is null or `flow` is `api_token`.",
  ),
  expires_at: Nullable(
    Timestamp,
    "When the link expires if it is not completed: ten minutes after it was created. Null unless `status` is `pending_auth` or `expired`.",
  ),
  poll_url: Text("URL path to poll for the status of this link."),
  next_action: Nullable(
    Type.Object({ type: Type.Literal("open_url"), actor: Type.Literal("human") }),
    "The action that a user must take, which is to open `url`. Null unless `status` is `pending_auth`.",
  ),
  linked_at: Nullable(Timestamp, "When the link was completed. Null if it has not been completed."),
  account_label: Nullable(
    Type.String(),
    "The provider's name for the linked account, for example an email address or an organization. Null until the link is completed.",
  ),
  scopes: ListOf(
    Type.String(),
    "The OAuth scopes from the request that started the link. They can differ from the scopes that the provider granted.",
  ),
  created_at: Timestamp,
  updated_at: Timestamp,
});

export function presentLink({ link, completion }: LinkView, at: Date): Static<typeof LinkResource> {
  const status = linkStatusAt(link, at);
  const isOpen = status === "pending_auth";
  return toWire(LinkResource, link, {
    status,
    url: isOpen ? (completion?.url ?? null) : null,
    state: isOpen ? (completion?.state ?? null) : null,
    expires_at: isOpen || status === "expired" ? link.expiresAt.toISOString() : null,
    poll_url: `/api/v1/svc/projects/${link.projectId}/links/${link.linkId}`,
    next_action: isOpen ? { type: "open_url", actor: "human" } : null,
  });
}

/**
 * The response to the user's browser after a link was completed or has failed. It contains few fields, because the
 * browser has no API credentials.
 */
export const FinishedLinkResource = NamedObject("FinishedLink", {
  link_id: Type.String(),
  provider: Type.String(),
  status: Type.Enum(["linked", "failed"]),
  error: Nullable(LinkErrorName, WHY_LINK_FAILED),
});

export function presentFinishedLink({ link }: { readonly link: Link }): Static<typeof FinishedLinkResource> {
  const { linkId, provider, error } = link;
  const status = link.status === "linked" ? ("linked" as const) : ("failed" as const);
  return { link_id: linkId, provider, status, error };
}
