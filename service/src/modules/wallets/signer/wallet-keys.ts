import * as Address from "ox/Address";
import * as Secp256k1 from "ox/Secp256k1";
import * as Signature from "ox/Signature";
import type { App } from "../../../app.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { TenantId, WalletId } from "../../../foundation/ids.ts";
import { VendorError } from "../../../ports/vendor-error.ts";
import type { HexBytes } from "../../../ports/wallet-signer.ts";
import { openVault, type VaultAccess, type VaultContext } from "../../../vault/vault.ts";
import { type Wallet, walletSignerKeyRows } from "../queries.ts";

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

/**
 * Signs 32 bytes with the key of a wallet. Can call the KMS and the signer, so call it outside of a transaction. Throws
 * `VendorError` if the signer returns the signature of another key or of other bytes.
 */
export async function signWithWalletKey(
  app: VaultAccess & Pick<App, "walletSigner">,
  wallet: Pick<Wallet, "tenantId" | "walletId" | "owner">,
  digest: HexBytes,
): Promise<HexBytes> {
  const vault = await openVault(app, wallet.tenantId);
  const { keySealed } = await withTransaction(app.db, wallet.tenantId, (tx) => walletSignerKeyRows.get(tx, wallet));
  const secret = vault.open(walletKeyContext(wallet.walletId), keySealed);
  const signature = await app.walletSigner.signDigest({ address: wallet.owner as HexBytes, secret }, digest);
  if (!isSignedBy(wallet.owner, digest, signature)) {
    const vendorMessage = "the signature is not that of the wallet's key";
    throw new VendorError("unknown", { vendor: "wallet-signer", operation: "signDigest", vendorMessage });
  }
  return signature;
}

function isSignedBy(owner: string, payload: HexBytes, signature: HexBytes): boolean {
  try {
    const recovered = Secp256k1.recoverAddress({ payload, signature: Signature.fromHex(signature) });
    return Address.isEqual(recovered, owner as HexBytes);
  } catch {
    return false;
  }
}
