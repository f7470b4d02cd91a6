import { join } from "node:path";
import type { newSecrets } from "@purser/service/config/new-secrets.ts";
import { everyVendorAt } from "@purser/service/config/vendors.ts";

export interface Stores {
  /** URL that connects with the server's database role. */
  readonly databaseUrl: string;
  readonly redisUrl: string;
}

/**
 * Returns the environment variables of a server with the `test` profile, a free port, debug logging, and a high request
 * limit for each API key. Requests from loopback addresses are exempt from the limit on failed authentications.
 */
export function serverEnvironment(
  secrets: ReturnType<typeof newSecrets>,
  { databaseUrl, redisUrl }: Stores,
  folder: string,
) {
  return {
    ...secrets,
    PURSER_PROFILE: "test",
    PURSER_PORT: "0",
    PURSER_LOG_LEVEL: "debug",
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    PURSER_AUDIT_ANCHOR_FILE: join(folder, "audit-anchor.jsonl"),
    // No server listens on this port, so emails stay in the outbox.
    SMTP_URL: "smtp://127.0.0.1:9",
    // No server listens on this port, so a test that sets no vendor URL cannot call a vendor.
    ...everyVendorAt("http://127.0.0.1:9"),
    PURSER_EXEMPT_LOOPBACK: "yes",
    WEBHOOK_ALLOW_LOOPBACK: "yes",
    PURSER_KEY_BURST: "100000",
    PURSER_KEY_REQUESTS_PER_SECOND: "10000",
  };
}
