import type { App } from "../../../app.ts";
import type { TenantId } from "../../../foundation/ids.ts";
import type { AccountSigner } from "../../../ports/wallet-signer.ts";
import type { VaultAccess } from "../../../vault/vault.ts";
import { openProviderCredentials, providerNotConfigured } from "../../provider-keys/provider-keys.ts";

/** What is needed to sign with the keys of wallets. */
export type SignerAccess = VaultAccess & Pick<App, "walletSigners" | "clock">;

export interface OpenedTurnkey {
  readonly signer: AccountSigner;
  readonly organizationId: string;
  /** Whether the keys are the developer's own, not the operator's. */
  readonly usesOwnSigner: boolean;
}

/**
 * Opens Turnkey with the developer's own keys, or with the operator's if the developer has none. An existing wallet names whose
 * keys of which organization it was made with: others cannot sign for it. Throws `provider_not_configured`.
 */
export async function openTurnkey(
  app: SignerAccess,
  tenantId: TenantId,
  made?: Pick<OpenedTurnkey, "organizationId" | "usesOwnSigner">,
): Promise<OpenedTurnkey> {
  const { openTurnkey: open, turnkeyOperatorKeys } = app.walletSigners;
  const own =
    made?.usesOwnSigner === false
      ? undefined
      : await openProviderCredentials(app, { tenantId, mode: "live", provider: "turnkey" });
  const credentials = own ?? (made?.usesOwnSigner === true ? null : turnkeyOperatorKeys);
  const organizationId = credentials?.["organization_id"];
  const isSame = made === undefined || organizationId === made.organizationId;
  if (credentials === null || typeof organizationId !== "string" || !isSame)
    throw providerNotConfigured("turnkey", "live");
  return { signer: open(credentials), organizationId, usesOwnSigner: own !== undefined };
}
