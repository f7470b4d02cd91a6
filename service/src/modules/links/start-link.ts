import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import { codeChallengeOf, newSecretToken } from "../../crypto/secret-token.ts";
import { sha256Hex } from "../../crypto/signing.ts";
import type { Tx } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import { AppError } from "../../foundation/errors.ts";
import { type LinkId, newId } from "../../foundation/ids.ts";
import type { SaveResponse } from "../../idempotency/claim.ts";
import type { RequestedAccount, ServiceProvider } from "../../ports/service-provider.ts";
import { openVault, type TenantVault } from "../../vault/vault.ts";
import { findCatalogProvider } from "../catalog/catalog.ts";
import { getDeveloper } from "../developers/queries.ts";
import { lockProject, type Project, type ProjectKey } from "../projects/queries.ts";
import { finishLink, type LinkOutcome } from "./finish-link.ts";
import { isLinkable, linkFailureOf, requireProvider } from "./link-rules.ts";
import { type PendingConsent, type PendingSecret, readPending, sealPending } from "./link-secrets.ts";
import { appendLinkEntry, endLink } from "./links.ts";
import {
  findActiveLink,
  insertPendingLink,
  type Link,
  type LinkKey,
  linkRows,
  linkSecretRows,
  listLinksInUse,
  listPendingLinks,
  replaceLinkState,
} from "./queries.ts";
import { redeem } from "./receive-oauth-callback.ts";

const MINUTES_TO_COMPLETE = 10;
const TRIES_MAX = 5;

export interface StartLink {
  readonly actor: Actor;
  readonly key: ProjectKey;
  /** A provider ID from the catalog. */
  readonly provider: string;
  /** The requested OAuth scopes. They are stored with the link; the provider decides which ones it grants. */
  readonly scopes: readonly string[];
  /**
   * The URL that the browser is redirected to when the link is completed or has failed. Null if Purser shows its own
   * page.
   */
  readonly returnTo: string | null;
  /** The version of the provider's terms that the caller accepts. If undefined, the terms are not checked. */
  readonly acceptedTermsVersion: string | undefined;
  /** If true, starts a new link even if the provider is already linked. */
  readonly force: boolean;
}

type LinkApp = Pick<App, "db" | "clock" | "keyEncryptionKey" | "vaults" | "providers">;

/**
 * The ID of the new or existing link. This result is stored for idempotent retries, so it must not contain the link's
 * secret URL.
 */
export interface StartedLink {
  readonly linkId: LinkId;
}

/**
 * Starts linking a project to a provider. A provider that creates accounts is asked for one with the developer's address,
 * so the link is usually completed when this returns. Throws the errors of `startLink`.
 */
export async function linkProvider(
  app: App,
  command: StartLink,
  saveResponse: SaveResponse<StartedLink>,
): Promise<StartedLink> {
  const started = await startLink(app, command, saveResponse);
  if (app.providers.get(command.provider)?.requestAccount === undefined) return started;
  const { actor } = command;
  const { tenantId } = command.key;
  const { email } = await getDeveloper(app.db, tenantId);
  await requestAccount(app, { actor, tenantId, linkId: started.linkId, email });
  return started;
}

/**
 * Starts linking a project to a provider account. The user completes the link on the provider's consent page if an
 * OAuth app is configured for the provider, otherwise by pasting a token into a form. For a provider that creates
 * accounts, `requestAccount` continues. The project's earlier pending links to the provider expire. If the provider is
 * already linked, that link is returned unchanged unless `force` is set.
 */
async function startLink(
  app: LinkApp,
  command: StartLink,
  saveResponse: SaveResponse<StartedLink>,
): Promise<StartedLink> {
  const { key, force } = command;
  const vault = await openVault(app, key.tenantId);
  const at = app.clock.now();
  return withTransaction(app.db, key.tenantId, async (tx) => {
    const project = await lockProject(tx, key);
    const projectProvider = { ...project, provider: command.provider };
    if (!isLinkable(project, await listLinksInUse(tx, projectProvider))) throw notLinkable();
    throwIfOtherTerms(command);
    const active = await findActiveLink(tx, projectProvider);
    const { linkId } =
      active !== undefined && !force
        ? active
        : await createPendingLink(tx, command, {
            project,
            vault,
            provider: requireProvider(app, command.provider),
            at,
          });
    await saveResponse(tx, { linkId });
    return { linkId };
  });
}

interface CreatePendingLink {
  readonly project: Project;
  readonly vault: TenantVault;
  readonly provider: ServiceProvider;
  readonly at: Date;
}

async function createPendingLink(
  tx: Tx,
  command: StartLink,
  { project, vault, provider, at }: CreatePendingLink,
): Promise<Link> {
  const { tenantId, projectId, mode } = project;
  const projectProvider = { tenantId, projectId, provider: command.provider };
  for (const link of await listPendingLinks(tx, projectProvider)) {
    await endLink(tx, command.actor, { link, end: { status: "expired" }, at });
  }
  const linkId = newId("lnk");
  const pending = newPendingSecret(provider, command);
  const link = await insertPendingLink(
    tx,
    {
      ...projectProvider,
      linkId,
      mode,
      flow: provider.requestAccount === undefined ? pending.flow : "instant",
      status: "pending_auth",
      scopes: command.scopes,
      acceptedTermsVersion: command.acceptedTermsVersion ?? null,
      createdAt: at,
      updatedAt: at,
      expiresAt: new Date(at.getTime() + MINUTES_TO_COMPLETE * 60_000),
    },
    {
      pendingSealed: sealPending(vault, linkId, pending),
      stateHash: sha256Hex(pending.flow === "oauth" ? pending.state : pending.key),
    },
  );
  await appendLinkEntry(tx, command.actor, { action: "link.begun", link, occurredAt: at });
  return link;
}

function notLinkable(): AppError {
  return new AppError("conflict", {
    detail: "The project must have the status `active`, or `delete_failed` and services from this provider.",
  });
}

function throwIfOtherTerms({ provider, acceptedTermsVersion }: StartLink): void {
  if (acceptedTermsVersion === undefined) return;
  const terms = findCatalogProvider(provider)?.terms;
  if (terms === undefined || terms.version === acceptedTermsVersion) return;
  throw new AppError("tos_acceptance_required", {
    detail: `The current version of the provider's terms is ${terms.version}. Read the terms at ${terms.url}, then send this version as accept_terms_version.`,
  });
}

function newPendingSecret({ oauth }: ServiceProvider, { returnTo }: StartLink): PendingSecret {
  return oauth === null
    ? {
        flow: "api_token",
        key: newSecretToken().token,
        once: newSecretToken().token,
        triesLeft: TRIES_MAX,
        returnTo,
      }
    : { flow: "oauth", state: newSecretToken().token, codeVerifier: newSecretToken().token, returnTo };
}

type RequestApp = Pick<App, "db" | "clock" | "settings" | "keyEncryptionKey" | "vaults" | "providers">;

interface Waiting {
  readonly link: Link;
  readonly pending: PendingConsent;
}

/**
 * Requests an account for a pending link whose flow is `instant`. The link is completed or fails, or its flow becomes
 * `oauth` because the developer already has an account and must give consent. Does nothing for other links. Call it
 * outside a transaction.
 */
async function requestAccount(
  app: RequestApp,
  { actor, email, ...key }: LinkKey & { readonly actor: Actor; readonly email: string },
): Promise<void> {
  const vault = await openVault(app, key.tenantId);
  const waiting = await findWaiting(app, vault, key);
  const request = waiting && app.providers.get(waiting.link.provider)?.requestAccount;
  if (waiting === undefined || request === undefined) return;

  const requested = await ask(request, waiting, email);
  if ("type" in requested && requested.type === "consent") {
    return awaitConsent(app, { actor, vault }, waiting, requested);
  }
  const outcome: LinkOutcome =
    "type" in requested ? await redeem(app, { ...waiting, answer: { code: requested.code } }) : requested;
  await finishLink(app, { actor, vault, link: waiting.link, outcome });
}

function findWaiting(app: RequestApp, vault: TenantVault, key: LinkKey): Promise<Waiting | undefined> {
  return withTransaction(app.db, key.tenantId, async (tx) => {
    const link = await linkRows.find(tx, key);
    if (link?.flow !== "instant") return undefined;
    const pending = await readPending(tx, vault, link);
    return pending?.flow === "oauth" ? { link, pending } : undefined;
  });
}

async function ask(
  request: NonNullable<ServiceProvider["requestAccount"]>,
  { link, pending: { state, codeVerifier } }: Waiting,
  email: string,
): Promise<RequestedAccount | Extract<LinkOutcome, { readonly error: string }>> {
  try {
    return await request({
      requestId: link.linkId,
      email,
      scopes: link.scopes,
      state,
      codeChallenge: codeChallengeOf(codeVerifier),
      expiresAt: link.expiresAt,
    });
  } catch (thrown) {
    return linkFailureOf(thrown, "provider_refused");
  }
}

/**
 * Stores the consent page, and the state with which the provider will redirect the user back. The link fails if the state
 * is not new: the redirect could then complete another link.
 */
async function awaitConsent(
  app: RequestApp,
  { actor, vault }: { readonly actor: Actor; readonly vault: TenantVault },
  { link, pending }: Waiting,
  { url, state }: { readonly url: string; readonly state: string },
): Promise<void> {
  await withTransaction(app.db, link.tenantId, async (tx) => {
    const current = await linkRows.lock(tx, link);
    // Another request for the same provider may have ended this link.
    if (current?.status !== "pending_auth") return;
    const at = app.clock.now();
    if (!(await replaceLinkState(tx, link, sha256Hex(state)))) {
      await endLink(tx, actor, { link, end: { status: "failed", error: "provider_refused" }, at });
      return;
    }
    await linkRows.updateAndGet(tx, link, { flow: "oauth", updatedAt: at });
    const pendingSealed = sealPending(vault, link.linkId, { ...pending, url, state });
    await linkSecretRows.update(tx, link, { pendingSealed });
  });
}
