import { generateKeyPairSync, randomBytes } from "node:crypto";
import { join } from "node:path";

export interface Stores {
  /** As the role that the service runs under. */
  readonly databaseUrl: string;
  readonly redisUrl: string;
}

/** What the processes of one deployment share, and nobody else knows. */
export type DeploymentSecrets = ReturnType<typeof makeDeploymentSecrets>;

export function makeDeploymentSecrets() {
  return {
    PURSER_KEY_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    PURSER_STATEMENT_KEY: newEd25519Key(),
    PURSER_ACCESS_TOKEN_KEY: newEd25519Key(),
    PURSER_ADMIN_TOKEN_KEY: newEd25519Key(),
    PURSER_CAPTCHA_SECRET: randomBytes(32).toString("hex"),
    STRIPE_SECRET_KEY: `sk_live_${randomBytes(16).toString("hex")}`,
    STRIPE_TEST_SECRET_KEY: `sk_test_${randomBytes(16).toString("hex")}`,
  };
}

/**
 * The environment of a process of the test profile, on any free port. It logs everything, and neither the limit of a key
 * nor that of a network is in a test's way unless the test sets it.
 */
export function serviceEnvironment(
  secrets: DeploymentSecrets,
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
    NEON_API_URL: "http://127.0.0.1:9/api/v2",
    SUPABASE_API_URL: "http://127.0.0.1:9",
    STRIPE_API_URL: "http://127.0.0.1:9",
    PURSER_EXEMPT_LOOPBACK: "yes",
    PURSER_KEY_BURST: "100000",
    PURSER_KEY_REQUESTS_PER_SECOND: "10000",
  };
}

function newEd25519Key(): string {
  const { privateKey } = generateKeyPairSync("ed25519");
  return privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}
