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
import { insertRevocation } from "./revocations/queries.ts";

export interface SaveTokens {
  readonly vault: TenantVault;
  readonly link: Link;
  /** The version of the tokens before the refresh. */
  readonly version: number;
  readonly tokens: ProviderTokens;
}

/**
 * Stores refreshed tokens and increments their version. A link that expired before these tokens arrived becomes active
 * again. Returns false if other tokens were stored first, or if the link ended for another reason. In the latter case, the
 * tokens are revoked by a job.
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
    const project = await lockProjectOfLink(tx, link);
    const current = await lockLink(tx, link);
    if (current === undefined || current.status === "linked") return false;
    const occurredAt = app.clock.now();
    if (project === undefined || !(await isExpiredByRefresh(tx, current, version))) {
      const { accessSealed } = access;
      const sealed = { version: version + 1, accessSealed };
      await insertRevocation(tx, { link, account: current, ...sealed, at: occurredAt });
      return false;
    }
    await updateLinkSecret(tx, link, access);
    const linked = await updateLink(tx, link, { status: "linked", updatedAt: occurredAt });
    const change = { action: "link.completed", link: linked, occurredAt } as const;
    await recordLinkChange(tx, systemActor(link), change);
    return true;
  });
}

/**
 * Returns true if the link expired while this version of its tokens was being refreshed, and no other link has replaced
 * it. The caller must have locked the link.
 */
async function isExpiredByRefresh(tx: Tx, link: Link, version: number): Promise<boolean> {
  const secret = await findLinkSecret(tx, link);
  // `endLink` increments the version once. Any other version means that the tokens have changed since the refresh
  // started.
  const isUnchanged = secret?.accessSealed === null && secret.version === version + 1;
  if (link.status !== "expired" || !isUnchanged) return false;
  return (await findActiveLink(tx, link)) === undefined;
}
