import type { App } from "../../../app.ts";
import { systemActor } from "../../../audit/actors.ts";
import type { Tx } from "../../../db/database.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { ProviderTokens } from "../../../ports/service-provider.ts";
import type { TenantVault } from "../../../vault/open-vault.ts";
import { sealAccess } from "./link-secrets.ts";
import {
  findActiveLink,
  findLinkSecret,
  type Link,
  lockLink,
  lockProjectOfLink,
  replaceAccess,
  updateLink,
  updateLinkSecret,
} from "./queries.ts";
import { recordLinkChange } from "./record-link-change.ts";

export interface SaveTokens {
  readonly vault: TenantVault;
  readonly link: Link;
  /** The version of the tokens before the refresh. */
  readonly version: number;
  readonly tokens: ProviderTokens;
}

/**
 * Stores refreshed tokens and increments their version. A link that expired before these tokens arrived becomes active
 * again. Returns false if other tokens were stored first, or if the link ended for another reason.
 */
export async function saveTokens(
  app: Pick<App, "db" | "clock">,
  { vault, link, version, tokens }: SaveTokens,
): Promise<boolean> {
  const accessKey = { linkId: link.linkId, version: version + 1 };
  const access = {
    accessSealed: sealAccess(vault, accessKey, tokens),
    accessExpiresAt: tokens.expiresAt,
  };
  return withTransaction(app.db, link.tenantId, async (tx) => {
    if (await replaceAccess(tx, link, { version, ...access })) return true;
    const expired = await lockLateLink(tx, link, version);
    if (expired === undefined) return false;
    const occurredAt = app.clock.now();
    await updateLinkSecret(tx, link, access);
    const linked = await updateLink(tx, link, { status: "linked", updatedAt: occurredAt });
    const change = { action: "link.completed", link: linked, occurredAt } as const;
    await recordLinkChange(tx, systemActor(link), change);
    return true;
  });
}

/**
 * Locks the link. Returns the link only if two conditions are met: the link expired while this version of its tokens
 * was being refreshed, and no other link has replaced it.
 */
async function lockLateLink(tx: Tx, link: Link, version: number): Promise<Link | undefined> {
  const project = await lockProjectOfLink(tx, link);
  const current = await lockLink(tx, link);
  const secret = await findLinkSecret(tx, link);
  // `endLink` increments the version once. Any other version means that the tokens have changed since the refresh
  // started.
  const isExpiredByRefresh =
    current?.status === "expired" &&
    secret?.accessSealed === null &&
    secret.version === version + 1;
  if (project === undefined || !isExpiredByRefresh) return undefined;
  return (await findActiveLink(tx, link)) === undefined ? current : undefined;
}
