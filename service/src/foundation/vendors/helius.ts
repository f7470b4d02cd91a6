import { PROFILES } from "../profile.ts";
import type { Vendor } from "./vendor.ts";

export const helius = {
  name: "helius",
  displayName: "Helius",
  kind: "key_verifier",
  profiles: PROFILES,
  urls: {
    HELIUS_RPC_URL: "https://mainnet.helius-rpc.com",
    HELIUS_DEVNET_RPC_URL: "https://devnet.helius-rpc.com",
  },
} as const satisfies Vendor;
