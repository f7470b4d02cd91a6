import type { Vendor } from "./vendor.ts";

/** A fictional database provider that fails on request. */
export const acmeDb = {
  name: "acme-db",
  displayName: "Acme DB",
  kind: "service_provider",
  profiles: ["test", "local"],
  // This host does not exist: names below `invalid` never resolve (RFC 6761, section 6.4).
  urls: { ACME_DB_API_URL: "https://acme-db.invalid" },
} as const satisfies Vendor;
