import { randomUUID } from "node:crypto";
import {
  type AgenticProvidersConfig,
  checkAgenticProviders,
  checkRealAgenticProviders,
  readAgenticProviders,
} from "./config/agentic-providers.ts";
import { type AuditAnchorConfig, checkAuditAnchor, readAuditAnchor } from "./config/audit-anchor.ts";
import { type CaptchaConfig, checkCaptcha, checkRealCaptcha, readCaptcha } from "./config/captcha.ts";
import { isEd25519Key, isEd25519PublicKey, isLoopbackUrl, isUrlOf } from "./config/forms.ts";
import {
  checkKeyEncryptionKeys,
  isFromLocalProfile,
  type KeyEncryptionKeysConfig,
  readKeyEncryptionKeys,
} from "./config/key-encryption-keys.ts";
import { readLimits } from "./config/limits.ts";
import { createReader, type Environment, type Reader } from "./config/reader.ts";
import { checkTimeouts, readTimeouts, type TimeoutsConfig } from "./config/timeouts.ts";
import {
  checkHttpsTokenIssuers,
  checkTokenIssuers,
  readTokenIssuers,
  type TokenIssuersConfig,
} from "./config/token-issuers.ts";
import { checkRealVendors, checkVendors, readVendors, type VendorsConfig } from "./config/vendors.ts";
import { checkRealWalletNetworks, checkWalletNetworks, readWalletNetworks } from "./config/wallet-networks.ts";
import type { DatabaseOptions } from "./db/database.ts";
import { PROFILES, type Profile } from "./foundation/profile.ts";
import { defaultSettings, type Settings } from "./foundation/settings.ts";

/** A process's configuration, read from its environment variables at startup. */
export interface Config {
  readonly profile: Profile;
  readonly host: string;
  readonly port: number;
  /** `api` serves requests, `worker` runs background jobs. */
  readonly roles: readonly ("api" | "worker")[];
  readonly databaseUrl: string;
  readonly databaseConnectionsMax: DatabaseOptions["connectionsMax"];
  /** Identifies this process among those that run workflows. */
  readonly instanceId: string;
  readonly workflowConnectionsMax: number;
  /** Null if nonces, rate limits and other short-lived state are stored in this process's memory. */
  readonly redisUrl: string | null;
  readonly redisKeyPrefix: string;
  /**
   * The file in which the in-memory store records used nonces and other single-use values, so that these values cannot
   * be used again after a restart. Ignored if Redis is configured.
   */
  readonly claimsFile: string | null;
  readonly keyEncryptionKeys: KeyEncryptionKeysConfig;
  /** Ed25519 private key in PKCS #8 PEM. */
  readonly statementKey: string;
  /** Public keys of earlier statement keys in SPKI PEM. Signatures made with these keys remain valid. */
  readonly retiredStatementKeys: readonly string[];
  readonly accessTokenKey: string;
  readonly adminTokenKey: string;
  readonly captcha: CaptchaConfig;
  readonly auditAnchor: AuditAnchorConfig;
  readonly smtpUrl: string;
  readonly mailFrom: string;
  readonly vendors: VendorsConfig;
  /** The providers that implement the agentic provisioning protocol. */
  readonly agenticProviders: AgenticProvidersConfig;
  /** The issuers whose tokens about agents are accepted. */
  readonly tokenIssuers: TokenIssuersConfig;
  readonly trustedProxies: readonly string[];
  readonly logLevel: string;
  readonly timeouts: TimeoutsConfig;
  readonly settings: Settings;
}

export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(`The configuration is invalid:\n${problems.map((problem) => `- ${problem}`).join("\n")}`);
    this.problems = problems;
  }
}

/**
 * Reads the configuration from the environment variables listed in `.env.example`. The variable `NAME_FILE` can specify
 * a file that contains the value of `NAME`. Throws a ConfigError that lists all problems.
 */
export function readConfig(environment: Environment): Config {
  const problems: string[] = [];
  const read = createReader(environment, problems);
  const profile = read.oneOf("PURSER_PROFILE", PROFILES, "production");
  const timeouts = readTimeouts(read);
  const config: Config = {
    profile,
    host: read.text("PURSER_HOST", "127.0.0.1"),
    port: read.whole("PURSER_PORT", 8080, 0),
    roles: read.list("PURSER_ROLES", ["api", "worker"]) as Config["roles"],
    databaseUrl: read.secret("DATABASE_URL"),
    databaseConnectionsMax: {
      requests: read.whole("DATABASE_CONNECTIONS_MAX", 20),
      authentication: read.whole("DATABASE_AUTHENTICATION_CONNECTIONS_MAX", 4),
      jobs: read.whole("DATABASE_JOB_CONNECTIONS_MAX", 4),
    },
    instanceId: read.text("PURSER_INSTANCE_ID", randomUUID()),
    workflowConnectionsMax: read.whole("PURSER_WORKFLOW_CONNECTIONS_MAX", 10, 4),
    redisUrl: read.optionalSecret("REDIS_URL"),
    redisKeyPrefix: read.text("REDIS_KEY_PREFIX", "purser:"),
    claimsFile: read.text("PURSER_CLAIMS_FILE", "") || null,
    keyEncryptionKeys: readKeyEncryptionKeys(read),
    statementKey: read.secret("PURSER_STATEMENT_KEY"),
    retiredStatementKeys: splitPems(read.optionalSecret("PURSER_STATEMENT_KEYS_RETIRED") ?? ""),
    accessTokenKey: read.secret("PURSER_ACCESS_TOKEN_KEY"),
    adminTokenKey: read.secret("PURSER_ADMIN_TOKEN_KEY"),
    captcha: readCaptcha(read),
    auditAnchor: readAuditAnchor(read),
    smtpUrl: read.secret("SMTP_URL"),
    mailFrom: read.text("MAIL_FROM", "Purser <no-reply@purser.local>"),
    vendors: readVendors(read),
    agenticProviders: readAgenticProviders(read, problems),
    tokenIssuers: readTokenIssuers(read),
    trustedProxies: read.list("PURSER_TRUSTED_PROXIES", []),
    logLevel: read.oneOf("PURSER_LOG_LEVEL", ["debug", "info", "warn", "error", "silent"], "info"),
    timeouts,
    settings: readSettings(read, profile, timeouts),
  };
  problems.push(
    ...checkRoles(config),
    ...checkForms(config),
    ...checkKeyEncryptionKeys(config.keyEncryptionKeys),
    ...checkCaptcha(config.captcha),
    ...checkAuditAnchor(config.auditAnchor),
    ...checkVendors(config.vendors),
    ...checkAgenticProviders(config.agenticProviders),
    ...checkTokenIssuers(config.tokenIssuers),
    ...checkWalletNetworks(config.settings),
    ...(profile === "production" ? checkProduction(config) : []),
  );
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

function readSettings(read: Reader, profile: Profile, timeouts: TimeoutsConfig): Settings {
  return {
    ...defaultSettings,
    ...readLimits(read, profile),
    ...readWalletNetworks(read, profile),
    profile,
    publicUrl: read.text("PURSER_PUBLIC_URL", "http://127.0.0.1:8080").replace(/\/$/, ""),
    // In production, two admins must make the same KYB decision.
    kybApprovals: profile === "production" ? 2 : 1,
    loopbackHostsOnly: profile === "local",
    projectsMax: profile === "production" ? 100 : null,
    storeTimeoutMs: timeouts.storeMs,
    minimumDurationMs: timeouts.minimumDurationMs,
    syncWaitMs: timeouts.syncWaitMs,
    vendorRetryMs: timeouts.vendorRetryMs,
    vendorSettleMs: timeouts.vendorSettleMs,
  };
}

function checkRoles({ roles, redisUrl, claimsFile }: Config): string[] {
  const problems: string[] = [];
  if (roles.some((role) => role !== "api" && role !== "worker") || roles.length === 0) {
    problems.push("PURSER_ROLES is not api, worker, or both (api,worker).");
  }
  if (redisUrl === null && claimsFile === null) {
    problems.push("REDIS_URL is missing. Set it, or set PURSER_CLAIMS_FILE for a single process.");
  }
  return problems;
}

/** Returns a message for each malformed value. The messages never contain the value, which may be a secret. */
function checkForms(config: Config): string[] {
  const isMalformed = (value: string | null, hasForm: (value: string) => boolean) =>
    value !== null && value !== "" && !hasForm(value);
  const checks: readonly (readonly [boolean, string])[] = [
    [
      !config.retiredStatementKeys.every(isEd25519PublicKey),
      "PURSER_STATEMENT_KEYS_RETIRED is not a list of Ed25519 public keys in PEM.",
    ],
    [isMalformed(config.databaseUrl, isUrlOf("postgres:", "postgresql:")), "DATABASE_URL is not a postgres: URL."],
    [isMalformed(config.redisUrl, isUrlOf("redis:", "rediss:")), "REDIS_URL is not a redis: or rediss: URL."],
    [isMalformed(config.smtpUrl, isUrlOf("smtp:", "smtps:")), "SMTP_URL is not an smtp: or smtps: URL."],
    [
      isMalformed(config.settings.publicUrl, isUrlOf("http:", "https:")),
      "PURSER_PUBLIC_URL is not an http: or https: URL.",
    ],
  ];
  return [...checkSigningKeys(config), ...checks.filter(([isProblem]) => isProblem).map(([, problem]) => problem)];
}

/**
 * The three keys must differ. If two kinds of text were signed with the same key, a text of one kind could be passed
 * off as the other kind.
 */
function checkSigningKeys({ statementKey, accessTokenKey, adminTokenKey }: Config): string[] {
  const keys = [
    ["PURSER_STATEMENT_KEY", statementKey],
    ["PURSER_ACCESS_TOKEN_KEY", accessTokenKey],
    ["PURSER_ADMIN_TOKEN_KEY", adminTokenKey],
  ] as const;
  return keys.flatMap(([name, pem], index) => {
    if (pem === "") return [];
    if (!isEd25519Key(pem)) return [`${name} is not an Ed25519 private key in PEM.`];
    const duplicate = keys.slice(0, index).find(([, other]) => other === pem);
    return duplicate === undefined
      ? []
      : [`${name} is the same key as ${duplicate[0]}. Generate a separate key for each.`];
  });
}

function splitPems(text: string): string[] {
  return text
    .split(/(?<=-----END [A-Z ]+-----)\s*/)
    .map((pem) => pem.trim())
    .filter(Boolean);
}

/** Returns a message for each development or test value. Production allows none of them. */
function checkProduction(config: Config): string[] {
  const { settings } = config;
  const checks: readonly (readonly [boolean, string])[] = [
    [
      config.redisUrl === null,
      "REDIS_URL is missing. Production requires it, because the in-memory state works for a single process only.",
    ],
    [
      !settings.publicUrl.startsWith("https:"),
      "PURSER_PUBLIC_URL is not an https: URL. Production requires https: its cookies are Secure.",
    ],
    [settings.exemptLoopback, "PURSER_EXEMPT_LOOPBACK is allowed only in the local profile."],
    [
      isFromLocalProfile(config.keyEncryptionKeys),
      "The key encryption key was generated by the local profile. Generate another one for production.",
    ],
    [
      isLoopbackUrl(config.smtpUrl),
      "SMTP_URL is a loopback address, such as that of the mailbox simulator. Set the URL of the production mail server.",
    ],
  ];
  return [
    ...checks.filter(([isProblem]) => isProblem).map(([, problem]) => problem),
    ...checkRealCaptcha(config.captcha),
    ...checkRealVendors(config.vendors),
    ...checkRealAgenticProviders(config.agenticProviders),
    ...checkHttpsTokenIssuers(config.tokenIssuers),
    ...checkRealWalletNetworks(settings),
    ...checkTimeouts(config.timeouts),
  ];
}
