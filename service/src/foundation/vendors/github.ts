import { PROFILES } from "../profile.ts";
import type { Vendor } from "./vendor.ts";

export const github = {
  name: "github",
  displayName: "GitHub",
  kind: "identity_provider",
  profiles: PROFILES,
  urls: { GITHUB_URL: "https://github.com", GITHUB_API_URL: "https://api.github.com" },
  app: "GITHUB",
} as const satisfies Vendor;
