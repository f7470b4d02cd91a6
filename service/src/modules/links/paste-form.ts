import type { App } from "../../app.ts";
import { developerActor } from "../../audit/actors.ts";
import { newSecretToken } from "../../crypto/secret-token.ts";
import { equalInConstantTime, sha256Hex } from "../../crypto/signing.ts";
import type { Tx } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import type { TenantId } from "../../foundation/ids.ts";
import type { ServiceProvider } from "../../ports/service-provider.ts";
import { openVault, type TenantVault } from "../../vault/vault.ts";
import { findCatalogProvider } from "../catalog/catalog.ts";
import { projectRows } from "../projects/queries.ts";
import { finishLink, invalidState, type LinkOutcome } from "./finish-link.ts";
import { linkFailureOf, requireProvider } from "./link-rules.ts";
import { type PendingPaste, readPending, sealPending } from "./link-secrets.ts";
import type { LinkClient } from "./links.ts";
import { findLinkState, type Link, type LinkKey, linkRows, linkSecretRows } from "./queries.ts";
import type { FinishedLink } from "./receive-oauth-callback.ts";

/** The parameters of the token form's URL. Link IDs are not secret, so the URL also contains the secret `key`. */
interface PasteAddress {
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
interface WaitingPaste {
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
async function findPaste(
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
async function lockPaste(tx: Tx, vault: TenantVault, key: LinkKey): Promise<WaitingPaste> {
  const link = await linkRows.lock(tx, key);
  const pending = await readPending(tx, vault, link);
  if (link === undefined || pending === undefined) throw invalidState("the form of a link that has ended");
  // `findLinkState` also finds OAuth states, so the key in the form's URL could be an OAuth state. A link with an OAuth
  // state has no form.
  if (pending.flow !== "api_token") throw invalidState("the state of a consent page");
  if (pending.triesLeft === 0) throw invalidState("a form whose last attempt is being processed");
  return { link, pending, projectName: (await projectRows.get(tx, link)).name };
}

function formOf(app: Pick<App, "providers">, { link, pending, projectName }: WaitingPaste): PasteForm {
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

export interface SubmitPastedToken {
  readonly address: PasteAddress;
  /** The submitted value of the form's hidden field `once`. */
  readonly once: string;
  readonly token: string;
  readonly client: LinkClient;
}

/**
 * The completed or failed link, or the form for another attempt. `stale` means that this form was already submitted.
 */
export type PasteResult =
  | ({ readonly outcome: "settled" } & FinishedLink)
  | { readonly outcome: "refused" | "unavailable" | "stale"; readonly form: PasteForm };

/**
 * Completes a link with a pasted token, after asking the provider which account the token belongs to. A failed attempt
 * returns a new form, because each form can be submitted only once. The link fails after five failed attempts. Throws
 * `invalid_state` if the form's URL is unknown, used or expired.
 */
export async function submitPastedToken(
  app: LinkApp,
  { address, once, token, client }: SubmitPastedToken,
): Promise<PasteResult> {
  const { vault, ...key } = await findPaste(app, address);
  const { isFresh, ...waiting } = await withTransaction(app.db, key.tenantId, (tx) =>
    claimAttempt(tx, vault, { key, once }),
  );
  const { link, pending, projectName } = waiting;
  if (!isFresh) return { outcome: "stale", form: formOf(app, waiting) };

  const outcome = await checkToken(requireProvider(app, link.provider), token);
  if (outcome.error !== null && pending.triesLeft > 0) {
    const isRefused = outcome.error === "token_refused";
    return { outcome: isRefused ? "refused" : "unavailable", form: formOf(app, waiting) };
  }
  const settled = await finishLink(app, {
    actor: developerActor(link, client),
    vault,
    link,
    outcome,
  });
  return { outcome: "settled", link: settled, projectName, returnTo: pending.returnTo };
}

/**
 * Counts the attempt and replaces the value of the form's hidden field `once`. Call it before the provider is called:
 * then only one of several concurrent submissions continues.
 */
async function claimAttempt(
  tx: Tx,
  vault: TenantVault,
  { key, once }: { readonly key: LinkKey; readonly once: string },
): Promise<WaitingPaste & { readonly isFresh: boolean }> {
  const waiting = await lockPaste(tx, vault, key);
  const { link, pending } = waiting;
  if (!equalInConstantTime(Buffer.from(once), Buffer.from(pending.once))) {
    return { ...waiting, isFresh: false };
  }
  const next = { ...pending, once: newSecretToken().token, triesLeft: pending.triesLeft - 1 };
  await linkSecretRows.update(tx, link, { pendingSealed: sealPending(vault, link.linkId, next) });
  return { ...waiting, pending: next, isFresh: true };
}

async function checkToken(provider: ServiceProvider, accessToken: string): Promise<LinkOutcome> {
  // Other characters cannot be sent to the provider, and are in no token.
  if (!/^[!-~]+$/.test(accessToken)) return { error: "token_refused" };
  try {
    const account = await provider.identify(accessToken);
    return { error: null, account, tokens: { accessToken, refreshToken: null, expiresAt: null } };
  } catch (thrown) {
    return linkFailureOf(thrown, "token_refused");
  }
}
