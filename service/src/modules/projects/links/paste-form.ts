import type { App } from "../../../app.ts";
import { sha256Hex } from "../../../crypto/signing.ts";
import type { Tx } from "../../../db/database.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { TenantId } from "../../../foundation/ids.ts";
import { openVault, type TenantVault } from "../../../vault/open-vault.ts";
import { findCatalogProvider } from "../catalog.ts";
import { invalidState } from "./finish-link.ts";
import { openPending, type PendingPaste } from "./link-secrets.ts";
import { findLinkSecret, findLinkState, getProjectName, type Link, type LinkKey, lockLink } from "./queries.ts";
import { requireProvider } from "./require-provider.ts";

/** The parameters of the token form's URL. Link IDs are not secret, so the URL also contains the secret `key`. */
export interface PasteAddress {
  readonly linkId: string;
  readonly key: string;
}

/** The data shown on the form where a user pastes a provider token. */
export interface PasteForm {
  /** The tenant that owns the project. The form shows its ID, so that users can check who receives their token. */
  readonly tenantId: TenantId;
  readonly projectName: string;
  /** The provider's display name. */
  readonly providerName: string;
  /** The URL of the provider's page for creating tokens. */
  readonly tokenPageUrl: string;
  /** A token that the provider's simulator accepts. Undefined in production. */
  readonly sandboxToken: string | undefined;
  /** The value of the form's hidden field `once`. Each submission replaces it, so a form can be submitted only once. */
  readonly once: string;
}

/** A pending link and the secrets of its token form. */
export interface WaitingPaste {
  readonly link: Link;
  readonly pending: PendingPaste;
  readonly projectName: string;
}

type LinkApp = Pick<App, "db" | "clock" | "keyEncryptionKey" | "vaults" | "providers">;

/** Returns the token form for a pending link. Throws `invalid_state` if the URL is unknown, used or expired. */
export async function getPasteForm(app: LinkApp, address: PasteAddress): Promise<PasteForm> {
  const { vault, ...key } = await findPaste(app, address);
  return formOf(app, await withTransaction(app.db, key.tenantId, (tx) => lockPaste(tx, vault, key)));
}

/**
 * Finds the provider link that the URL of a token form belongs to. Throws `invalid_state` if the URL is unknown, used
 * or expired.
 */
export async function findPaste(
  app: LinkApp,
  { linkId, key }: PasteAddress,
): Promise<LinkKey & { readonly vault: TenantVault }> {
  const found = await findLinkState(app.db, {
    stateHash: sha256Hex(key),
    at: app.clock.now(),
  });
  if (found === undefined || found.linkId !== linkId) {
    throw invalidState("a form whose key is wrong, used or expired");
  }
  return { ...found, vault: await openVault(app, found.tenantId) };
}

/**
 * Locks the link and decrypts the secrets of its token form. Throws `invalid_state` if the link is not pending, has no
 * token form, or has no attempts left.
 */
export async function lockPaste(tx: Tx, vault: TenantVault, key: LinkKey): Promise<WaitingPaste> {
  const link = await lockLink(tx, key);
  const sealed = (await findLinkSecret(tx, key))?.pendingSealed ?? null;
  if (link?.status !== "pending_auth" || sealed === null) {
    throw invalidState("the form of a link that has ended");
  }
  const pending = openPending(vault, link.linkId, sealed);
  // `findLinkState` also finds OAuth states, so the key in the form's URL could be an OAuth state. A link with an OAuth
  // state has no form.
  if (pending.flow !== "api_token") throw invalidState("the state of a consent page");
  if (pending.triesLeft === 0) throw invalidState("a form whose last attempt is being processed");
  return { link, pending, projectName: await getProjectName(tx, link) };
}

export function formOf(app: Pick<App, "providers">, { link, pending, projectName }: WaitingPaste): PasteForm {
  const { tenantId, provider } = link;
  const entry = findCatalogProvider(provider);
  const { tokenPageUrl, sandboxToken } = requireProvider(app, provider);
  return {
    tenantId,
    projectName,
    providerName: entry?.display_name ?? provider,
    tokenPageUrl,
    sandboxToken,
    once: pending.once,
  };
}
