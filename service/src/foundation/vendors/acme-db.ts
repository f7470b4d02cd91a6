import type { Vendor } from "./vendor.ts";

/** A pretend provider of databases, for failure drills. */
export const acmeDb = {
  name: "acme-db",
  displayName: "Acme DB",
  kind: "service_provider",
  profiles: ["test", "local"],
  // There is no real one, and a name below `invalid` leads nowhere (RFC 6761, 6.4).
  urls: { ACME_DB_API_URL: "https://acme-db.invalid" },
} as const satisfies Vendor;
