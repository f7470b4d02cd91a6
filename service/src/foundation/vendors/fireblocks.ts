import { PROFILES } from "../profile.ts";
import type { Vendor } from "./vendor.ts";

export const fireblocks = {
  name: "fireblocks",
  displayName: "Fireblocks",
  kind: "key_verifier",
  profiles: PROFILES,
  urls: {
    FIREBLOCKS_API_URL: "https://api.fireblocks.io",
    FIREBLOCKS_SANDBOX_API_URL: "https://sandbox-api.fireblocks.io",
  },
} as const satisfies Vendor;
