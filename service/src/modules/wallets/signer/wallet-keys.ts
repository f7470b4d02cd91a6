import type { App } from "../../../app.ts";
import type { TenantId, WalletId } from "../../../foundation/ids.ts";
import type { HexBytes } from "../../../ports/wallet-signer.ts";
import { openVault, type VaultAccess, type VaultContext } from "../../../vault/vault.ts";

/** Identifies the encrypted secret of a wallet's key. */
export function walletKeyContext(walletId: string): VaultContext {
  return { kind: "wallet_signer_key", subject: walletId, field: "secret", version: 1 };
}

/** The key of a wallet that is not stored yet. */
export interface NewWalletKey {
  readonly owner: HexBytes;
  readonly keySealed: Buffer;
}

/** Makes and encrypts the key of a new wallet. Can call the KMS, so call it before a transaction. */
export async function createWalletKey(
  app: VaultAccess & Pick<App, "walletSigner">,
  { tenantId, walletId }: { readonly tenantId: TenantId; readonly walletId: WalletId },
): Promise<NewWalletKey> {
  const vault = await openVault(app, tenantId);
  const { address, secret } = await app.walletSigner.createKey();
  return { owner: address, keySealed: vault.seal(walletKeyContext(walletId), secret) };
}
