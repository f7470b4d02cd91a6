import type { App } from "../../../app.ts";
import { systemActor } from "../../../audit/actors.ts";
import type { Tx } from "../../../db/database.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { ProviderTokens } from "../../../ports/service-provider.ts";
import type { TenantVault } from "../../../vault/open-vault.ts";
import { sealAccess } from "./link-secrets.ts";
import {
  getLinkInForce,
  getLinkSecret,
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
  /** That of the tokens which were refreshed. */
  readonly version: number;
  readonly tokens: ProviderTokens;
}

/**
 * Stores refreshed tokens as the next version. Where the link was given up meanwhile, for want of these very tokens, it is
 * put in force again. False where somebody else's tokens, or the link's end for another reason, came first.
 */
export async function saveTokens(
  app: Pick<App, "db" | "clock">,
  { vault, link, version, tokens }: SaveTokens,
): Promise<boolean> {
  const place = { linkId: link.linkId, version: version + 1 };
  const access = {
    accessSealed: sealAccess(vault, place, tokens),
    accessExpiresAt: tokens.expiresAt,
  };
  return withTransaction(app.db, link.tenantId, async (tx) => {
    if (await replaceAccess(tx, link, { version, ...access })) return true;
    const givenUp = await lockGivenUpLink(tx, link, version);
    if (givenUp === undefined) return false;
    const occurredAt = app.clock.now();
    await updateLinkSecret(tx, link, access);
    const linked = await updateLink(tx, link, { status: "linked", updatedAt: occurredAt });
    const change = { action: "link.completed", link: linked, occurredAt } as const;
    await recordLinkChange(tx, systemActor(link), change);
    return true;
  });
}

/** The link, locked, if it was in force until this version of its tokens was given up, and its place is still free. */
async function lockGivenUpLink(tx: Tx, link: Link, version: number): Promise<Link | undefined> {
  const project = await lockProjectOfLink(tx, link);
  const current = await lockLink(tx, link);
  const secret = await getLinkSecret(tx, link);
  // Only a link that was complete has tokens to give up: others expire too, without ever having had a version.
  const isGivenUp =
    current?.status === "expired" &&
    secret?.accessSealed === null &&
    secret.version === version + 1;
  if (project === undefined || !isGivenUp) return undefined;
  return (await getLinkInForce(tx, link)) === undefined ? current : undefined;
}
