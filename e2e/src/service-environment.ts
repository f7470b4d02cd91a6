import { join } from "node:path";
import type { newSecrets } from "@purser/service/config/new-secrets.ts";
import { everyVendorAt } from "@purser/service/config/vendors.ts";

export interface Stores {
  /** As the role that the service runs under. */
  readonly databaseUrl: string;
  readonly redisUrl: string;
}

/**
 * The environment of a process of the test profile, on any free port. It logs everything, and neither the limit of a key
 * nor that of a network is in a test's way unless the test sets it.
 */
export function serviceEnvironment(
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
    // Nobody listens there: mails wait in the outbox.
    SMTP_URL: "smtp://127.0.0.1:9",
    // Nor there, where a test does not name its own: no test reaches a vendor by mistake.
    ...everyVendorAt("http://127.0.0.1:9"),
    PURSER_EXEMPT_LOOPBACK: "yes",
    PURSER_KEY_BURST: "100000",
    PURSER_KEY_REQUESTS_PER_SECOND: "10000",
  };
}
