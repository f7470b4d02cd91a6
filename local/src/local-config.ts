import { join } from "node:path";
import type { Environment } from "@purser/service/config/reader.ts";
import { type Config, readConfig } from "@purser/service/config.ts";
import type { LocalDatabases } from "./databases.ts";
import type { LocalSecrets } from "./secrets.ts";

/** The keys of these roles of the deployment `local`: anvil's, which are public. */
export const LOCAL_OPERATOR_KEYS = {
  PURSER_FREEZER_KEY: "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d",
  PURSER_UNFREEZER_KEY: "0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a",
  PURSER_PAYMASTER_SIGNER_KEY: "0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba",
};

/**
 * Returns the service's configuration for the local profile: one process, in-memory state, and simulated vendors on
 * loopback ports.
 */
export function localConfig({
  dataDir,
  port,
  secrets,
  databases,
  smtpUrl,
  vendors,
  limits = {},
}: {
  readonly dataDir: string;
  readonly port: number;
  readonly secrets: LocalSecrets;
  readonly databases: LocalDatabases;
  readonly smtpUrl: string;
  /** The environment variables with the URLs of the simulators and the service's credentials for them. */
  readonly vendors: Environment;
  /** The result of `readLocalLimits`. */
  readonly limits?: Environment | undefined;
}): Config {
  return readConfig({
    PURSER_WORKFLOW_LEASE_MS: "5000",
    // Other programs of this machine can keep PostgreSQL waiting for seconds.
    PURSER_STORE_TIMEOUT_MS: "5000",
    PURSER_STATEMENT_TIMEOUT_MS: "5000",
    PURSER_EXEMPT_LOOPBACK: "yes",
    WEBHOOK_ALLOW_LOOPBACK: "yes",
    ...limits,
    ...vendors,
    PURSER_PROFILE: "local",
    PURSER_PORT: String(port),
    PURSER_PUBLIC_URL: `http://127.0.0.1:${port}`,
    DATABASE_URL: databases.serviceUrl,
    PII_DATABASE_URL: databases.piiUrl,
    // Only one process at a time uses a data folder, so the ID can be constant. Each start then continues the previous
    // start's workflows.
    PURSER_INSTANCE_ID: "local",
    PURSER_CLAIMS_FILE: join(dataDir, "claims"),
    PURSER_KEY_ENCRYPTION_KEY: secrets.keyEncryptionKey,
    PURSER_STATEMENT_KEY: secrets.statementKey,
    PURSER_ACCESS_TOKEN_KEY: secrets.accessTokenKey,
    PURSER_ADMIN_TOKEN_KEY: secrets.adminTokenKey,
    PURSER_CAPTCHA_SECRET: secrets.captchaSecret,
    PURSER_CAPTCHA_DUMMIES: "yes",
    // The audit anchor is stored outside PostgreSQL's folder. A user with write access to the database must not be able
    // to change the anchor.
    PURSER_AUDIT_ANCHOR_FILE: join(dataDir, "audit-anchor.jsonl"),
    SMTP_URL: smtpUrl,
    ...LOCAL_OPERATOR_KEYS,
  });
}
