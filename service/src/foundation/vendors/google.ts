import { PROFILES } from "../profile.ts";
import type { Vendor } from "./vendor.ts";

export const google = {
  name: "google",
  displayName: "Google",
  kind: "identity_provider",
  profiles: PROFILES,
  urls: {
    GOOGLE_ACCOUNTS_URL: "https://accounts.google.com",
    GOOGLE_TOKEN_URL: "https://oauth2.googleapis.com/token",
    GOOGLE_CERTS_URL: "https://www.googleapis.com/oauth2/v3/certs",
  },
  app: "GOOGLE",
} as const satisfies Vendor;
