import { PROFILES } from "../profile.ts";
import type { Vendor } from "./vendor.ts";

export const neon = {
  name: "neon",
  displayName: "Neon",
  kind: "service_provider",
  profiles: PROFILES,
  urls: { NEON_API_URL: "https://console.neon.tech/api/v2" },
  sandboxToken: "NEON_SANDBOX_TOKEN",
  // Database passwords (`npg`) and API keys (`napi`).
  credentials: [/(?:npg|napi)_[\w-]+/g],
} as const satisfies Vendor;
