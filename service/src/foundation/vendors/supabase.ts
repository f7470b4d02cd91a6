import { PROFILES } from "../profile.ts";
import type { Vendor } from "./vendor.ts";

export const supabase = {
  name: "supabase",
  displayName: "Supabase",
  kind: "service_provider",
  profiles: PROFILES,
  urls: { SUPABASE_API_URL: "https://api.supabase.com" },
  app: "SUPABASE",
  // The interval is long, because a project takes minutes to start, and Supabase limits the number of requests per
  // organization.
  pollMs: { SUPABASE_POLL_MS: 5_000 },
  credentials: [/(?:sbp|sb_secret)_[\w-]+/g],
} as const satisfies Vendor;
