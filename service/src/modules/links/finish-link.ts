import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import { AppError } from "../../foundation/errors.ts";
import type { LinkError } from "../../foundation/vocabulary.ts";
import type { ProviderAccount, ProviderTokens } from "../../ports/service-provider.ts";
import type { TenantVault } from "../../vault/vault.ts";
import { isLinkable, isSameAccount } from "./link-rules.ts";
import { sealAccess } from "./link-secrets.ts";
import { endLink, recordLinkChange } from "./links.ts";
import {
  findActiveLink,
  type Link,
  linkRows,
  linkSecretRows,
  listLinksInUse,
  lockProjectOfLink,
  moveServices,
} from "./queries.ts";
import { insertRevocation } from "./revocations/queries.ts";

/** Maximum length of an account label, in Unicode code points. */
const LABEL_LENGTH_MAX = 200;

/** The tokens and account from the provider, or the reason why linking failed. */
export type LinkOutcome =
  | { readonly error: LinkError }
  | { readonly error: null; readonly tokens: ProviderTokens; readonly account: ProviderAccount };

export interface FinishLink {
  readonly actor: Actor;
  readonly vault: TenantVault;
  readonly link: Link;
  readonly outcome: LinkOutcome;
}

/**
 * Completes or fails a pending link. On success, the tokens are encrypted and stored, the previous link is revoked, and
 * the project's services from the provider move to this link. The link fails if the project can no longer be linked. It
 * also fails if the project has services in another account, because the new tokens cannot access them. Tokens that are not
 * stored are revoked by a job.
 *
 * Throws `invalid_state` if the link is not pending.
 */
export async function finishLink({ db, clock }: Pick<App, "db" | "clock">, command: FinishLink): Promise<Link> {
  const settled = await withTransaction(db, command.link.tenantId, (tx) =>
    settleLink(tx, { ...command, at: clock.now() }),
  );
  if (settled === undefined) throw invalidState("a link that has ended");
  return settled;
}

interface Settling extends FinishLink {
  readonly at: Date;
}

/** Returns undefined if the link is not pending. */
async function settleLink(tx: Tx, settling: Settling): Promise<Link | undefined> {
  const { link, outcome } = settling;
  // The project is locked first, as in every change to links and services. Otherwise a service could be added through
  // the link that is being replaced.
  const project = await lockProjectOfLink(tx, link);
  const current = await linkRows.lock(tx, link);
  if (current?.status !== "pending_auth") {
    await revokeIssued(tx, settling);
    return undefined;
  }

  if (outcome.error !== null) return failLink(tx, settling, outcome.error);
  const inUse = await listLinksInUse(tx, link);
  if (!isLinkable(project, inUse)) return failLink(tx, settling, "project_not_active");
  const account = accountOf(link, outcome.account);
  if (!inUse.every((used) => isSameAccount(used, account))) {
    return failLink(tx, settling, "other_account");
  }
  return activateLink(tx, settling, { ...account, tokens: outcome.tokens });
}

/**
 * Returns the `invalid_state` error for every problem with an OAuth state or with the URL of the form for pasting a
 * token. The reason (`internal`) is logged, but the response does not contain it.
 */
export function invalidState(internal: string): AppError {
  return new AppError("invalid_state", { internal });
}

type Account = Pick<Link, "accountId" | "accountLabel">;

function accountOf(link: Link, account: ProviderAccount): Account {
  return { accountId: account.accountId, accountLabel: readableLabel(link, account) };
}

/**
 * Returns the provider's account label, truncated and without control characters or characters that change the text
 * direction. If nothing remains, returns the account ID or the provider's ID.
 */
function readableLabel({ provider }: Link, { label, accountId }: ProviderAccount): string {
  const readable = label.toWellFormed().replace(/\p{C}/gu, "").trim();
  return Array.from(readable).slice(0, LABEL_LENGTH_MAX).join("") || (accountId ?? provider);
}

async function failLink(tx: Tx, settling: Settling, error: LinkError): Promise<Link> {
  const { actor, link, at } = settling;
  await revokeIssued(tx, settling);
  return endLink(tx, actor, { link, end: { status: "failed", error }, at });
}

/** Schedules the revocation of the tokens that the provider has issued, unless the developer has pasted them. */
async function revokeIssued(tx: Tx, { vault, link, outcome, at }: Settling): Promise<void> {
  if (outcome.error !== null || link.flow === "api_token") return;
  const version = 0;
  const accessSealed = sealAccess(vault, { linkId: link.linkId, version }, outcome.tokens);
  const account = accountOf(link, outcome.account);
  await insertRevocation(tx, { link, account, version, accessSealed, at });
}

async function activateLink(
  tx: Tx,
  { actor, vault, link, at }: Settling,
  { tokens, ...account }: Account & { readonly tokens: ProviderTokens },
): Promise<Link> {
  const previous = await findActiveLink(tx, link);
  if (previous !== undefined) {
    await endLink(tx, actor, { link: previous, end: { status: "revoked" }, at });
  }
  const linked = await linkRows.updateAndGet(tx, link, {
    status: "linked",
    ...account,
    linkedAt: at,
    updatedAt: at,
  });
  await moveServices(tx, link, link.linkId);
  await linkSecretRows.update(tx, link, {
    pendingSealed: null,
    accessSealed: sealAccess(vault, { linkId: link.linkId, version: 0 }, tokens),
    accessExpiresAt: tokens.expiresAt,
  });
  await recordLinkChange(tx, actor, { action: "link.completed", link: linked, occurredAt: at });
  return linked;
}
