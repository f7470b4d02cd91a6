import type { App } from "../../app.ts";
import { codeChallengeOf } from "../../crypto/secret-token.ts";
import { sha256Hex } from "../../crypto/signing.ts";
import type { ListedPage, Page } from "../../db/pages.ts";
import { withTransaction } from "../../db/transaction.ts";
import { openVault } from "../../vault/vault.ts";
import { getProjectRow, type ProjectKey, projectRows } from "../projects/queries.ts";
import { type LinkCompletion, type LinkView, linkStatusAt } from "./link-resource.ts";
import { linkNotFound } from "./link-rules.ts";
import { type PendingSecret, readPending } from "./link-secrets.ts";
import { findLink, findLinkState, type Link, linkRows, listLinkRows } from "./queries.ts";
import { callbackUrlOf, type FinishedLink } from "./receive-oauth-callback.ts";

export interface GetLink {
  readonly key: ProjectKey;
  readonly linkId: string;
  /**
   * If true, the result includes the secrets that complete a pending link. Set it only if the caller can link
   * providers.
   */
  readonly canComplete: boolean;
}

type LinkApp = Pick<App, "db" | "clock" | "settings" | "keyEncryptionKey" | "vaults" | "providers">;

/** Returns one of the project's links. Throws `project_not_found` or `link_not_found`. */
export async function getLink(app: LinkApp, { key, linkId, canComplete }: GetLink): Promise<LinkView> {
  const project = await getProjectRow(app.db, key);
  const link = await findLink(app.db, project, linkId);
  if (link === undefined) throw linkNotFound(linkId);
  return { link, completion: canComplete ? await loadCompletion(app, link) : null };
}

async function loadCompletion(app: LinkApp, link: Link): Promise<LinkCompletion | null> {
  if (linkStatusAt(link, app.clock.now()) !== "pending_auth") return null;
  const vault = await openVault(app, link.tenantId);
  const pending = await withTransaction(app.db, link.tenantId, (tx) => readPending(tx, vault, link));
  return pending === undefined ? null : completionOf(app, link, pending);
}

/** Returns null if the provider's OAuth app is no longer configured, or if its account is still being requested. */
function completionOf(
  { settings, providers }: Pick<LinkApp, "settings" | "providers">,
  { linkId, provider }: Link,
  pending: PendingSecret,
): LinkCompletion | null {
  if (pending.flow === "api_token") {
    return { url: `${settings.publicUrl}/connect/${linkId}?key=${pending.key}`, state: null };
  }
  const { state, codeVerifier } = pending;
  if (pending.url !== undefined) return { url: pending.url, state };
  const adapter = providers.get(provider);
  // The provider may still complete the link without a user.
  if (adapter?.requestAccount !== undefined) return null;
  const url = adapter?.oauth?.authorizationUrl({
    state,
    codeChallenge: codeChallengeOf(codeVerifier),
    redirectUri: callbackUrlOf(settings),
  });
  return url === undefined ? null : { url, state };
}

/** Returns one page of the project's links, newest first. Throws `project_not_found`. */
export async function listLinks(
  { db }: Pick<App, "db">,
  { key, ...page }: Page<string> & { readonly key: ProjectKey },
): Promise<ListedPage<Link>> {
  return listLinkRows(db, await getProjectRow(db, key), page);
}

/**
 * Returns the link whose OAuth callback used this state, if its status is `linked` or `failed`. Undefined if there is
 * no such link, or if the state has expired.
 */
export async function getCompletedLink(
  { db, clock }: Pick<App, "db" | "clock">,
  state: string,
): Promise<FinishedLink | undefined> {
  const key = await findLinkState(db, { stateHash: sha256Hex(state), at: clock.now(), isUsed: true });
  const link = key && (await linkRows.find(db, key));
  if (link?.status !== "linked" && link?.status !== "failed") return undefined;
  return { link, projectName: (await projectRows.get(db, link)).name, returnTo: null };
}
