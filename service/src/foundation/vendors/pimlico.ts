import { PROFILES } from "../profile.ts";
import type { Vendor } from "./vendor.ts";

export const pimlico = {
  name: "pimlico",
  displayName: "Pimlico",
  kind: "key_verifier",
  profiles: PROFILES,
  urls: { PIMLICO_API_URL: "https://api.pimlico.io" },
} as const satisfies Vendor;
