import { Type } from "typebox";
import type { VendorRoute } from "../kit/vendor-simulator.ts";

const ASSETS = [
  {
    id: "ETH",
    name: "Ethereum",
    type: "BASE_ASSET",
    contractAddress: "",
    nativeAsset: "ETH",
    decimals: 18,
  },
  {
    id: "USDC",
    name: "USD Coin",
    type: "ERC20",
    contractAddress: "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48",
    nativeAsset: "ETH",
    decimals: 6,
  },
  {
    id: "SOL",
    name: "Solana",
    type: "BASE_ASSET",
    contractAddress: "",
    nativeAsset: "SOL",
    decimals: 9,
  },
] as const;

/** Lists the supported assets, which are the same for every API user. */
export function supportedAssetsRoute(auth: VendorRoute["auth"]): VendorRoute {
  return {
    operation: "getSupportedAssets",
    method: "GET",
    url: "/v1/supported_assets",
    query: Type.Object({}, { additionalProperties: false }),
    auth,
    handle: async () => ({ status: 200, body: ASSETS }),
  };
}
