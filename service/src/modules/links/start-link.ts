import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import { newSecretToken } from "../../crypto/secret-token.ts";
import { sha256Hex } from "../../crypto/signing.ts";
import type { Tx } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import { AppError } from "../../foundation/errors.ts";
import { type LinkId, newId } from "../../foundation/ids.ts";
import type { SaveResponse } from "../../idempotency/claim.ts";
import type { ServiceProvider } from "../../ports/service-provider.ts";
import { openVault, type TenantVault } from "../../vault/vault.ts";
import { findCatalogProvider } from "../catalog/catalog.ts";
import { getDeveloper } from "../developers/queries.ts";
import { lockProject, type Project, type ProjectKey } from "../projects/queries.ts";
import { isLinkable, requireProvider } from "./link-rules.ts";
import { type PendingSecret, sealPending } from "./link-secrets.ts";
import { appendLinkEntry, endLink } from "./links.ts";
import { findActiveLink, insertPendingLink, type Link, listLinksInUse, listPendingLinks } from "./queries.ts";
import { requestAccount } from "./request-account.ts";

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
 *
 * Throws:
 * - `project_not_found`
 * - `conflict` if the project cannot be linked
 * - `tos_acceptance_required` if a different version of the terms was accepted
 * - `provider_unavailable` if the provider is not configured
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
