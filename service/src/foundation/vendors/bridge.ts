import { PROFILES } from "../profile.ts";
import type { Vendor } from "./vendor.ts";

export const bridge = {
  name: "bridge",
  displayName: "Bridge",
  kind: "key_verifier",
  profiles: PROFILES,
  urls: {
    BRIDGE_API_URL: "https://api.bridge.xyz",
    BRIDGE_SANDBOX_API_URL: "https://api.sandbox.bridge.xyz",
  },
} as const satisfies Vendor;
