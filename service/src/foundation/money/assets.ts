interface AssetFacts {
  /** One token is 10 to this power base units. */
  readonly decimals: number;
  /** Whether the issuer redeems one token for one US dollar. */
  readonly isUsdStablecoin: boolean;
}

/** The tokens that wallets hold and the ledger records. The API shows these names in uppercase. */
export const ASSETS = {
  usdc: { decimals: 6, isUsdStablecoin: true },
  usdt: { decimals: 6, isUsdStablecoin: true },
  pyusd: { decimals: 6, isUsdStablecoin: true },
  eurc: { decimals: 6, isUsdStablecoin: false },
} as const satisfies Readonly<Record<string, AssetFacts>>;

export type Asset = keyof typeof ASSETS;
