import type { App } from "../../../app.ts";
import type { Actor } from "../../../audit/append.ts";
import { sha256Hex } from "../../../crypto/signing.ts";
import type { Tx } from "../../../db/database.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { AppError } from "../../../foundation/errors.ts";
import { type LinkId, newId } from "../../../foundation/ids.ts";
import type { SaveResponse } from "../../../idempotency/claim.ts";
import type { ServiceProvider } from "../../../ports/service-provider.ts";
import { openVault, type TenantVault } from "../../../vault/open-vault.ts";
import { catalog } from "../catalog.ts";
import { lockProject, type Project, type ProjectKey } from "../queries.ts";
import { endLink } from "./end-link.ts";
import { isLinkable } from "./is-linkable.ts";
import { newLinkSecret } from "./link-completion.ts";
import { type PendingSecret, sealPending } from "./link-secrets.ts";
import {
  findLinkInForce,
  insertPendingLink,
  type Link,
  listLinksInUse,
  listPendingLinks,
} from "./queries.ts";
import { appendLinkEntry } from "./record-link-change.ts";
import { requireProvider } from "./require-provider.ts";

const MINUTES_TO_COMPLETE = 10;
const TRIES_MAX = 5;

export interface StartLink {
  readonly actor: Actor;
  readonly key: ProjectKey;
  /** A provider of the catalog. */
  readonly provider: string;
  /** The requested OAuth scopes. They are stored on the link; the provider decides what it grants. */
  readonly scopes: readonly string[];
  /** The URL to which the browser is redirected when the link is settled. Null: a page of Purser. */
  readonly returnTo: string | null;
  /** Undefined: the caller accepts no particular version. */
  readonly acceptedTermsVersion: string | undefined;
  /** Starts a new link even if the provider is linked. */
  readonly force: boolean;
}

type LinkApp = Pick<App, "db" | "clock" | "keyEncryptionKey" | "vaults" | "providers">;

/** The link that a call has started or found. Its URL is a secret, so responses read it from the link. */
export interface StartedLink {
  readonly linkId: LinkId;
}

/**
 * Starts to link a provider's account: by the provider's consent page if the operator has registered an OAuth app
 * there, else by a form for a token. Earlier pending links of the project to the provider expire. If the provider is
 * linked, its link is returned unchanged unless `force` is set.
 *
 * Throws `project_not_found`, `conflict` for a project that cannot be linked, `tos_acceptance_required` if another
 * version of the terms was accepted, and `provider_unavailable` if the provider is not configured.
 */
export async function startLink(
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
    refuseOtherTerms(command);
    const inForce = await findLinkInForce(tx, projectProvider);
    const { linkId } =
      inForce !== undefined && !force
        ? inForce
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

async function createPendingLink(
  tx: Tx,
  command: StartLink,
  {
    project,
    vault,
    provider,
    at,
  }: {
    readonly project: Project;
    readonly vault: TenantVault;
    readonly provider: ServiceProvider;
    readonly at: Date;
  },
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
      flow: pending.flow,
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
    detail:
      "Only an active project can be linked, or a project in `delete_failed` that has services of the provider.",
  });
}

function refuseOtherTerms({ provider, acceptedTermsVersion }: StartLink): void {
  if (acceptedTermsVersion === undefined) return;
  const terms = catalog.providers.find((entry) => entry.provider === provider)?.terms;
  if (terms === undefined || terms.version === acceptedTermsVersion) return;
  throw new AppError("tos_acceptance_required", {
    detail: `The present version of the provider's terms is ${terms.version}. Read them at ${terms.url}, then send that version.`,
  });
}

function newPendingSecret({ oauth }: ServiceProvider, { returnTo }: StartLink): PendingSecret {
  return oauth === null
    ? {
        flow: "api_token",
        key: newLinkSecret(),
        once: newLinkSecret(),
        triesLeft: TRIES_MAX,
        returnTo,
      }
    : { flow: "oauth", state: newLinkSecret(), codeVerifier: newLinkSecret(), returnTo };
}
