import { PROFILES } from "../profile.ts";
import type { Vendor } from "./vendor.ts";

export const hcaptcha = {
  name: "hcaptcha",
  displayName: "hCaptcha",
  kind: "captcha",
  profiles: PROFILES,
  urls: { HCAPTCHA_API_URL: "https://api.hcaptcha.com" },
} as const satisfies Vendor;
