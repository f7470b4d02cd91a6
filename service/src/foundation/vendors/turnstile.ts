import { PROFILES } from "../profile.ts";
import type { Vendor } from "./vendor.ts";

export const turnstile = {
  name: "turnstile",
  displayName: "Turnstile",
  kind: "captcha",
  profiles: PROFILES,
  urls: { TURNSTILE_API_URL: "https://challenges.cloudflare.com" },
} as const satisfies Vendor;
