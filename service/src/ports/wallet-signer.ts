import type { WalletId } from "../foundation/ids.ts";
import type { ProviderCredentials } from "./provider-key-verifier.ts";

/** Signs with the keys that own wallets. Its methods throw `VendorError`. */
export interface WalletSigner {
  /**
   * Signs 32 bytes. Returns 65 bytes in hex: `r`, either `s`, and 27 or 28. The address of the key can be recovered from them. The same
   * digest with the same time is the same request, which can be repeated to learn its outcome. Throws `refused` if there will be
   * no signature, and another failure if there is none yet.
   */
  signDigest(key: SignerKey, digest: HexBytes, requestedAt: Date): Promise<HexBytes>;
}

/** A signer that makes another key each time. The address of a key is known before the wallet is stored, whose address depends on it. */
export interface KeyMaker extends WalletSigner {
  createKey(walletId: WalletId): Promise<SignerKey>;

  /** Destroys a key that owns no wallet. */
  discardKey(key: SignerKey): Promise<void>;
}

export interface SignerKey {
  /** The address of the key, with the checksum of EIP-55. */
  readonly address: HexBytes;
  /** What the signer needs to find or use the key again. The caller encrypts it. */
  readonly secret: Uint8Array;
}

/**
 * A signer whose keys are numbered accounts of wallets in one organization. The same request with the same time can be repeated to
 * learn its outcome.
 */
export interface AccountSigner extends WalletSigner {
  /** Creates a wallet with a name that is new in the organization, and returns its id. */
  createWallet(name: string, requestedAt: Date): Promise<string>;

  /** Creates the account of a wallet with this number, which is new in the wallet. Returns its address with the checksum of EIP-55. */
  createAccount(account: {
    readonly walletId: string;
    readonly index: number;
    readonly requestedAt: Date;
  }): Promise<HexBytes>;
}

/** Opens the signer of an organization. The credentials have `organization_id`, `api_private_key` and possibly `base_url`. */
export type OpenAccountSigner = (credentials: ProviderCredentials) => AccountSigner;

/** Bytes in hex. */
export type HexBytes = `0x${string}`;
