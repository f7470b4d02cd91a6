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
import { newLinkSecret } from "./link-opening.ts";
import { type PendingSecret, sealPending } from "./link-secrets.ts";
import {
  getLinkInForce,
  insertPendingLink,
  type Link,
  listLinksInUse,
  listPendingLinks,
} from "./queries.ts";
import { auditChainEntry } from "./record-link-change.ts";
import { requireProvider } from "./require-provider.ts";

const MINUTES_TO_COMPLETE = 10;
const TRIES_MAX = 5;

export interface BeginLink {
  readonly actor: Actor;
  readonly key: ProjectKey;
  /** One of the catalog's. */
  readonly provider: string;
  /** What the caller would like to be allowed. Noted on the link. */
  readonly scopes: readonly string[];
  /** Where a browser is sent once the link is complete. Null: it is shown a page. */
  readonly returnTo: string | null;
  /** Undefined: nothing was said of terms. */
  readonly acceptedTermsVersion: string | undefined;
  /** Begins anew where the provider is linked already. */
  readonly force: boolean;
}

type LinkApp = Pick<App, "db" | "clock" | "keyEncryptionKey" | "vaults" | "providers">;

/** Which link a call has begun, or found in force. How it is completed is a secret, and read of the link itself. */
export interface BegunLink {
  readonly linkId: LinkId;
}

/**
 * Begins the linking of a provider's account: by its consent page where the operator has an app there, else by a form that a
 * token is pasted into. One begun before for the same place can no longer be completed. A provider that is linked already
 * stays so, and its link is given back, unless `force` is.
 *
 * Throws `conflict` for a project that may not be linked, `tos_acceptance_required` where other terms than the provider's present
 * ones were accepted, and `provider_unavailable` for a provider that this installation has no access to.
 */
export async function beginLink(
  app: LinkApp,
  command: BeginLink,
  saveResponse: SaveResponse<BegunLink>,
): Promise<BegunLink> {
  const { key, force } = command;
  const vault = await openVault(app, key.tenantId);
  const at = app.clock.now();
  return withTransaction(app.db, key.tenantId, async (tx) => {
    const project = await lockProject(tx, key);
    const place = { ...project, provider: command.provider };
    if (!isLinkable(project, await listLinksInUse(tx, place))) throw notLinkable();
    refuseOtherTerms(command);
    const inForce = await getLinkInForce(tx, place);
    const { linkId } =
      inForce !== undefined && !force
        ? inForce
        : await startLink(tx, command, {
            project,
            vault,
            provider: requireProvider(app, command.provider),
            at,
          });
    await saveResponse(tx, { linkId });
    return { linkId };
  });
}

async function startLink(
  tx: Tx,
  command: BeginLink,
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
  const place = { tenantId, projectId, provider: command.provider };
  for (const link of await listPendingLinks(tx, place)) {
    await endLink(tx, command.actor, { link, end: { status: "expired" }, at });
  }
  const linkId = newId("lnk");
  const pending = newPendingSecret(provider, command);
  const link = await insertPendingLink(
    tx,
    {
      ...place,
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
  await auditChainEntry(tx, command.actor, { action: "link.begun", link, occurredAt: at });
  return link;
}

function notLinkable(): AppError {
  return new AppError("conflict", {
    detail:
      "Only an active project can be linked, or one that could not be deleted, where it has services left.",
  });
}

function refuseOtherTerms({ provider, acceptedTermsVersion }: BeginLink): void {
  if (acceptedTermsVersion === undefined) return;
  const terms = catalog.providers.find((entry) => entry.provider === provider)?.terms;
  if (terms === undefined || terms.version === acceptedTermsVersion) return;
  throw new AppError("tos_acceptance_required", {
    detail: `The provider's terms are now version ${terms.version}. Read them at ${terms.url}, then accept that version.`,
  });
}

function newPendingSecret({ oauth }: ServiceProvider, { returnTo }: BeginLink): PendingSecret {
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
