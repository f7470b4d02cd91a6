import type { Actor } from "../../../audit/append.ts";
import type { Tx } from "../../../db/database.ts";
import { AppError } from "../../../foundation/errors.ts";
import type { LinkError } from "../../../foundation/vocabulary.ts";
import type { ProviderAccount, ProviderTokens } from "../../../ports/service-provider.ts";
import type { TenantVault } from "../../../vault/open-vault.ts";
import { endLink } from "./end-link.ts";
import { isLinkable } from "./is-linkable.ts";
import { isSameAccount } from "./is-same-account.ts";
import { sealAccess } from "./link-secrets.ts";
import {
  getLinkInForce,
  type Link,
  listLinksInUse,
  lockLink,
  lockProjectOfLink,
  moveServices,
  updateLink,
  updateLinkSecret,
} from "./queries.ts";
import { recordLinkChange } from "./record-link-change.ts";

/** In characters as people count them, more or less. */
const LABEL_LENGTH_MAX = 200;

/** What came of asking the provider. */
export type LinkOutcome =
  | { readonly error: LinkError }
  | { readonly error: null; readonly tokens: ProviderTokens; readonly account: ProviderAccount };

export interface SettleLink {
  readonly actor: Actor;
  readonly vault: TenantVault;
  readonly link: Link;
  readonly outcome: LinkOutcome;
  readonly at: Date;
}

/**
 * Ends what `beginLink` began. A good outcome puts the link in force: its tokens are sealed, the link that was in force is
 * revoked, and the services that were reached through it are reached through this one. Where those live in another account
 * the link fails instead, since its tokens would not open them; it fails too where the project may no longer be linked.
 *
 * Throws `invalid_state` for a link that was settled, or superseded, before.
 */
export async function settleLink(tx: Tx, settling: SettleLink): Promise<Link> {
  const { link, outcome } = settling;
  // The project first, as everybody who changes links or services does: nothing is added under a link that goes.
  const project = await lockProjectOfLink(tx, link);
  const current = await lockLink(tx, link);
  if (current?.status !== "pending_auth") throw invalidState("settled or superseded before");

  if (outcome.error !== null) return failLink(tx, settling, outcome.error);
  const inUse = await listLinksInUse(tx, link);
  if (!isLinkable(project, inUse)) return failLink(tx, settling, "project_not_active");
  const { accountId } = outcome.account;
  const account = { accountId, accountLabel: readableLabel(link, outcome.account) };
  if (!inUse.every((used) => isSameAccount(used, account))) {
    return failLink(tx, settling, "other_account");
  }
  return putInForce(tx, settling, { ...account, tokens: outcome.tokens });
}

/** One answer for whatever is wrong with a state, or with the key of a form. */
export function invalidState(internal: string): AppError {
  return new AppError("invalid_state", { internal });
}

type Account = Pick<Link, "accountId" | "accountLabel">;

/**
 * What the vendor calls the account, as it can be stored, and shown beside other text: without control characters and those
 * that turn text round, and cut short. Where nothing is left of it, the account's id, or the provider.
 */
function readableLabel({ provider }: Link, { label, accountId }: ProviderAccount): string {
  const readable = label.toWellFormed().replace(/\p{C}/gu, "").trim();
  return Array.from(readable).slice(0, LABEL_LENGTH_MAX).join("") || (accountId ?? provider);
}

function failLink(tx: Tx, { actor, link, at }: SettleLink, error: LinkError): Promise<Link> {
  return endLink(tx, actor, { link, end: { status: "failed", error }, at });
}

async function putInForce(
  tx: Tx,
  { actor, vault, link, at }: SettleLink,
  { tokens, ...account }: Account & { readonly tokens: ProviderTokens },
): Promise<Link> {
  const former = await getLinkInForce(tx, link);
  if (former !== undefined) {
    await endLink(tx, actor, { link: former, end: { status: "revoked" }, at });
  }
  const linked = await updateLink(tx, link, {
    status: "linked",
    ...account,
    linkedAt: at,
    updatedAt: at,
  });
  await moveServices(tx, link, link.linkId);
  await updateLinkSecret(tx, link, {
    pendingSealed: null,
    accessSealed: sealAccess(vault, { linkId: link.linkId, version: 0 }, tokens),
    accessExpiresAt: tokens.expiresAt,
  });
  await recordLinkChange(tx, actor, { action: "link.completed", link: linked, occurredAt: at });
  return linked;
}
