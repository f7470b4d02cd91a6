import { randomUUID } from "node:crypto";
import {
  type AuditAnchorConfig,
  checkAuditAnchor,
  readAuditAnchor,
} from "./config/audit-anchor.ts";
import {
  type CaptchaConfig,
  checkCaptcha,
  checkRealCaptcha,
  readCaptcha,
} from "./config/captcha.ts";
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
  checkRealVendors,
  checkVendors,
  readVendors,
  type VendorsConfig,
} from "./config/vendors.ts";
import type { DatabaseOptions } from "./db/database.ts";
import { PROFILES, type Profile } from "./foundation/profile.ts";
import { defaultSettings, type Settings } from "./foundation/settings.ts";

/** Everything that can be chosen about a process of the service. Read once, at its start; nothing else reads the environment. */
export interface Config {
  readonly profile: Profile;
  readonly host: string;
  readonly port: number;
  /** Which work this process does: answers requests, runs the jobs, or both. */
  readonly roles: readonly ("api" | "worker")[];
  readonly databaseUrl: string;
  readonly databaseConnectionsMax: DatabaseOptions["connectionsMax"];
  /** How this process calls itself among those that run workflows. */
  readonly instanceId: string;
  readonly workflowConnectionsMax: number;
  /** Null: nonces, limits and epochs live in the memory of this one process. */
  readonly redisUrl: string | null;
  readonly redisKeyPrefix: string;
  /** Where the in-memory state appends its claims. Null with Redis. */
  readonly claimsFile: string | null;
  readonly keyEncryptionKeys: KeyEncryptionKeysConfig;
  /** Ed25519, PKCS #8 PEM. */
  readonly statementKey: string;
  /** What signed statements before: public keys, SPKI PEM. What they signed stays genuine. */
  readonly retiredStatementKeys: readonly string[];
  readonly accessTokenKey: string;
  readonly adminTokenKey: string;
  readonly captcha: CaptchaConfig;
  readonly auditAnchor: AuditAnchorConfig;
  readonly smtpUrl: string;
  readonly mailFrom: string;
  readonly vendors: VendorsConfig;
  readonly trustedProxies: readonly string[];
  readonly logLevel: string;
  readonly timeouts: TimeoutsConfig;
  readonly settings: Settings;
}

export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(
      `The configuration cannot be used:\n${problems.map((problem) => `- ${problem}`).join("\n")}`,
    );
    this.problems = problems;
  }
}

/**
 * Reads the configuration from environment variables (`.env.example` lists them). Each secret may be given in a file, as
 * `NAME_FILE`. Throws one ConfigError that names everything that is wrong at once.
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
    ...(profile === "production" ? checkProduction(config) : []),
  );
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

function readSettings(read: Reader, profile: Profile, timeouts: TimeoutsConfig): Settings {
  return {
    ...defaultSettings,
    ...readLimits(read, profile),
    profile,
    publicUrl: read.text("PURSER_PUBLIC_URL", "http://127.0.0.1:8080").replace(/\/$/, ""),
    // In production one admin proposes and another one agrees.
    kybApprovals: profile === "production" ? 2 : 1,
    loopbackHostsOnly: profile === "local",
    projectsMax: profile === "production" ? 100 : null,
    storeTimeoutMs: timeouts.storeMs,
    steadyMs: timeouts.steadyMs,
    syncWaitMs: timeouts.syncWaitMs,
    vendorRetryMs: timeouts.vendorRetryMs,
    vendorSettleMs: timeouts.vendorSettleMs,
  };
}

function checkRoles({ roles, redisUrl, claimsFile }: Config): string[] {
  const problems: string[] = [];
  if (roles.some((role) => role !== "api" && role !== "worker") || roles.length === 0) {
    problems.push("PURSER_ROLES names api, worker, or both, with a comma.");
  }
  if (redisUrl === null && claimsFile === null) {
    problems.push("Set REDIS_URL, or for a single process PURSER_CLAIMS_FILE.");
  }
  return problems;
}

/** What has the wrong form, told before anything is opened with it. Never with its value, which may be a secret. */
function checkForms(config: Config): string[] {
  const isWrong = (value: string | null, hasForm: (value: string) => boolean) =>
    value !== null && value !== "" && !hasForm(value);
  const faults: readonly (readonly [boolean, string])[] = [
    [
      !config.retiredStatementKeys.every(isEd25519PublicKey),
      "PURSER_STATEMENT_KEYS_RETIRED is not a list of Ed25519 public keys in PEM.",
    ],
    [
      isWrong(config.databaseUrl, isUrlOf("postgres:", "postgresql:")),
      "DATABASE_URL is not a postgres: address.",
    ],
    [
      isWrong(config.redisUrl, isUrlOf("redis:", "rediss:")),
      "REDIS_URL is not a redis: or rediss: address.",
    ],
    [
      isWrong(config.smtpUrl, isUrlOf("smtp:", "smtps:")),
      "SMTP_URL is not an smtp: or smtps: address.",
    ],
    [
      isWrong(config.settings.publicUrl, isUrlOf("http:", "https:")),
      "PURSER_PUBLIC_URL is not an http: or https: address.",
    ],
  ];
  return [
    ...checkSigningKeys(config),
    ...faults.filter(([wrong]) => wrong).map(([, problem]) => problem),
  ];
}

/** Each signs what others trust for another reason, so none may stand in for another. */
function checkSigningKeys({ statementKey, accessTokenKey, adminTokenKey }: Config): string[] {
  const keys = [
    ["PURSER_STATEMENT_KEY", statementKey],
    ["PURSER_ACCESS_TOKEN_KEY", accessTokenKey],
    ["PURSER_ADMIN_TOKEN_KEY", adminTokenKey],
  ] as const;
  return keys.flatMap(([name, pem], index) => {
    if (pem === "") return [];
    if (!isEd25519Key(pem)) return [`${name} is not an Ed25519 private key in PEM.`];
    const twin = keys.slice(0, index).find(([, other]) => other === pem);
    return twin === undefined
      ? []
      : [`${name} is ${twin[0]}. Each signs for others to trust: make one for each.`];
  });
}

function splitPems(text: string): string[] {
  return text
    .split(/(?<=-----END [A-Z ]+-----)\s*/)
    .map((pem) => pem.trim())
    .filter(Boolean);
}

/** What a production profile refuses: anything that stands in for the real thing. */
function checkProduction(config: Config): string[] {
  const { settings } = config;
  const refusals: readonly (readonly [boolean, string])[] = [
    [
      config.redisUrl === null,
      "Production needs REDIS_URL: the in-memory state holds for one process only.",
    ],
    [
      !settings.publicUrl.startsWith("https:"),
      "Production needs an https PURSER_PUBLIC_URL: its cookies are Secure.",
    ],
    [settings.exemptLoopback, "PURSER_EXEMPT_LOOPBACK is for the local profile."],
    [
      isFromLocalProfile(config.keyEncryptionKeys),
      "The key encryption key was made by the local profile. Make one of its own.",
    ],
    [
      isLoopbackUrl(config.smtpUrl),
      "SMTP_URL is on loopback, where the mailbox simulator is. Name the real mail server.",
    ],
  ];
  return [
    ...refusals.filter(([refused]) => refused).map(([, problem]) => problem),
    ...checkRealCaptcha(config.captcha),
    ...checkRealVendors(config.vendors),
    ...checkTimeouts(config.timeouts),
  ];
}
