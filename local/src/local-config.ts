import { join } from "node:path";
import { parseKeyEncryptionKey } from "@purser/service/config/key-encryption-keys.ts";
import type { VendorsConfig } from "@purser/service/config/vendors.ts";
import type { Config } from "@purser/service/config.ts";
import { defaultSettings } from "@purser/service/foundation/settings.ts";
import type { LocalDatabases } from "./databases.ts";
import { type LocalLimits, readLocalLimits } from "./local-limits.ts";
import type { LocalSecrets } from "./secrets.ts";

/** The service's configuration in the local profile: one process, its state in memory, its vendors on loopback. */
export function localConfig({
  dataDir,
  port,
  secrets,
  databases,
  smtpUrl,
  vendors,
  limits = readLocalLimits({}),
}: {
  readonly dataDir: string;
  readonly port: number;
  readonly secrets: LocalSecrets;
  readonly databases: LocalDatabases;
  readonly smtpUrl: string;
  readonly vendors: VendorsConfig;
  readonly limits?: LocalLimits | undefined;
}): Config {
  const host = "127.0.0.1";
  return {
    profile: "local",
    host,
    port,
    roles: ["api", "worker"],
    databaseUrl: databases.serviceUrl,
    databaseConnectionsMax: { requests: 20, authentication: 4, jobs: 4 },
    // Only one process at a time runs a data folder, so each is the one before it, and goes on with its workflows.
    instanceId: "local",
    workflowLeaseMs: 5_000,
    workflowConnectionsMax: 10,
    redisUrl: null,
    redisKeyPrefix: "purser:",
    claimsFile: join(dataDir, "claims"),
    keyEncryptionKeys: { current: parseKeyEncryptionKey(secrets.keyEncryptionKey), previous: [] },
    statementKey: secrets.statementKey,
    retiredStatementKeys: [],
    accessTokenKey: secrets.accessTokenKey,
    adminTokenKey: secrets.adminTokenKey,
    captcha: { kind: "altcha", secret: secrets.captchaSecret, acceptDummies: true },
    // Beside the database's folder, not in it: whoever can rewrite the one has not yet rewritten the other.
    auditAnchor: { kind: "file", path: join(dataDir, "audit-anchor.jsonl") },
    smtpUrl,
    mailFrom: "Purser <no-reply@purser.local>",
    vendors,
    trustedProxies: [],
    logLevel: "info",
    settings: {
      ...defaultSettings,
      ...limits,
      publicUrl: `http://${host}:${port}`,
      loopbackHostsOnly: true,
    },
  };
}
