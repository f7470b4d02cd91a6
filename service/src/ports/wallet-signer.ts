/**
 * Makes the keys that own wallets, and signs with them. The address of the key is known before the wallet is stored, because
 * the address of the wallet depends on it.
 */
export interface WalletSigner {
  /** Whether the signer may hold keys of wallets on networks whose tokens have a value, in production. */
  readonly isForMainnets: boolean;

  /** Makes a new key. */
  createKey(): Promise<SignerKey>;

  /** Signs 32 bytes. Returns 65 bytes in hex: `r`, `s` and 27 or 28. The address of the key can be recovered from them. */
  signDigest(key: SignerKey, digest: HexBytes): Promise<HexBytes>;
}

export interface SignerKey {
  /** The address of the key, with the checksum of EIP-55. */
  readonly address: HexBytes;
  /** What the signer needs to find or use the key again. The caller encrypts it. */
  readonly secret: Uint8Array;
}

/** Bytes in hex. */
export type HexBytes = `0x${string}`;
