import type { App } from "../../app.ts";
import { sha256Hex } from "../../crypto/signing.ts";
import { AppError } from "../../foundation/errors.ts";
import { openVault } from "../../vault/open-vault.ts";
import { requireBankLink } from "./bank-link-access.ts";
import { linkTokenContext } from "./link-account.ts";
import { exchangedLinkRows, type FiatLink, type FiatScope, listOpenLinks } from "./queries.ts";
import { vendorFailure } from "./vendor-failure.ts";

interface ChosenAccount {
  readonly publicToken: string;
  readonly vendorAccountId: string;
}

/**
 * Returns the tenant's link with which the user got the public token, and chose the account. The vendor's exchange does not say
 * which link a token belongs to, so its sessions are read first: a token of another tenant is never exchanged. Throws
 * `bank_link_not_found`.
 */
export async function findLinkOf(
  app: Pick<App, "db" | "clock" | "keyEncryptionKey" | "vaults" | "bankLink">,
  { tenantId, mode }: FiatScope,
  { publicToken, vendorAccountId }: ChosenAccount,
): Promise<FiatLink> {
  const bankLink = requireBankLink(app, mode);
  const scope = { tenantId, mode };
  const exchanged = await exchangedLinkRows.find(app.db, { ...scope, publicTokenHash: sha256Hex(publicToken) });
  if (exchanged !== undefined && exchanged.usedAt === null) return exchanged;
  if (exchanged !== undefined) throw new AppError("bank_link_not_found", { internal: "the public token was used" });
  const vault = await openVault(app, tenantId);
  for (const link of await listOpenLinks(app.db, scope, app.clock.now())) {
    const token = vault.open(linkTokenContext(link.linkId), link.tokenSealed).toString("utf8");
    const items = await bankLink.readLinkToken(token).catch(vendorFailure);
    const item = items.find((one) => one.publicToken === publicToken);
    if (item?.accountIds.includes(vendorAccountId)) return link;
  }
  throw new AppError("bank_link_not_found", { internal: "no open link of the tenant has this public token" });
}
