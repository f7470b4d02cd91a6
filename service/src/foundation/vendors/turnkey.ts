import { PROFILES } from "../profile.ts";
import type { Vendor } from "./vendor.ts";

export const turnkey = {
  name: "turnkey",
  displayName: "Turnkey",
  kind: "key_verifier",
  profiles: PROFILES,
  urls: { TURNKEY_API_URL: "https://api.turnkey.com" },
} as const satisfies Vendor;
