import { randomUUID } from "node:crypto";
import { checkAgenticProviders, checkRealAgenticProviders, readAgenticProviders } from "./config/agentic-providers.ts";
import { checkAuditAnchor, readAuditAnchor } from "./config/audit-anchor.ts";
import { checkCaptcha, checkRealCaptcha, readCaptcha } from "./config/captcha.ts";
import { readKeyEncryptionKeys } from "./config/key-encryption-keys.ts";
import { readKybRequiredFor } from "./config/kyb.ts";
import { isEd25519Key, isEd25519PublicKey, isLoopbackUrl, isUrlOf, readLimits } from "./config/limits.ts";
import {
  checkRealNetworks,
  readConfirmations,
  readContractsDeployment,
  readOperatorKeys,
  readRpcUrls,
  readWalletNetworks,
  readWalletSigner,
} from "./config/networks.ts";
import { createReader, type Environment, type Reader } from "./config/reader.ts";
import { parseSentinelUrl } from "./config/redis-url.ts";
import { checkTimeouts, readTimeouts, type TimeoutsConfig } from "./config/timeouts.ts";
import { readTokenIssuers } from "./config/token-issuers.ts";
import { checkRealVendors, checkVendors, readVendors } from "./config/vendors.ts";
import { defaultSettings, type Settings } from "./foundation/settings.ts";
import { PROFILES, type Profile } from "./foundation/vocabulary.ts";

/** A process's configuration, read from its environment variables at startup. */
export type Config = Readonly<ReturnType<typeof readValues>> & { readonly settings: Settings };

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
  const values = readValues(read);
  const config: Config = { ...values, settings: readSettings(read, values.profile, values.timeouts) };
  problems.push(
    ...checkRoles(config),
    ...checkPersonalData(config),
    ...checkSigningKeys(config),
    ...checkCaptcha(config.captcha),
    ...checkAuditAnchor(config.auditAnchor, config.rpcUrls),
    ...checkVendors(config.vendors),
    ...checkAgenticProviders(config.agenticProviders),
    ...(values.profile === "production" ? checkProduction(config) : []),
  );
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

function readValues(read: Reader) {
  const profile = read.oneOf("PURSER_PROFILE", PROFILES, "production");
  return {
    profile,
    timeouts: readTimeouts(read),
    host: read.text("PURSER_HOST", "127.0.0.1"),
    port: read.whole("PURSER_PORT", 8080, 0),
    /** `api` serves requests, `worker` runs background jobs. */
    roles: read.list("PURSER_ROLES", ["api", "worker"]) as readonly ("api" | "worker")[],
    ...readStores(read),
    keyEncryptionKeys: readKeyEncryptionKeys(read, profile),
    ...readSigningKeys(read),
    captcha: readCaptcha(read),
    auditAnchor: readAuditAnchor(read),
    smtpUrl: readUrl(read, "SMTP_URL", ["smtp:", "smtps:"], "an smtp: or smtps: URL"),
    /** Whether webhooks can be delivered to loopback addresses, and with plain http. */
    webhooksAllowLoopback: read.oneOf("WEBHOOK_ALLOW_LOOPBACK", ["yes", "no"], "no") === "yes",
    mailFrom: read.text("MAIL_FROM", "Purser <no-reply@purser.local>"),
    vendors: readVendors(read),
    /** The nodes of the blockchain networks. */
    rpcUrls: readRpcUrls(read),
    operatorKeys: readOperatorKeys(read),
    walletSigner: readWalletSigner(read),
    /** The providers that implement the agentic provisioning protocol. */
    agenticProviders: readAgenticProviders(read),
    /** The issuers whose tokens about agents are accepted. */
    tokenIssuers: readTokenIssuers(read, profile),
    trustedProxies: read.list("PURSER_TRUSTED_PROXIES", []),
    metrics: { host: read.text("PURSER_METRICS_HOST", "127.0.0.1"), port: readMetricsPort(read) },
    traces: readTraces(read),
    logLevel: read.oneOf("PURSER_LOG_LEVEL", ["debug", "info", "warn", "error", "silent"], "info") as string,
  };
}

/** Null if no metrics are served. */
function readMetricsPort(read: Reader): number | null {
  const name = "PURSER_METRICS_PORT";
  const port = read.formed(
    name,
    read.optionalSecret(name),
    (text) => /^\d{1,5}$/.test(text) && Number(text) < 65_536,
    "a port",
  );
  return port === null ? null : Number(port);
}

/** The endpoint is null if nothing is traced. */
function readTraces(read: Reader) {
  const [endpoint, ratio] = ["OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_TRACES_SAMPLER_ARG"];
  const isRatio = (text: string) => /^(0(\.\d+)?|1(\.0+)?)$/.test(text);
  return {
    endpoint: read.formed(
      endpoint,
      read.optionalSecret(endpoint),
      isUrlOf("http:", "https:"),
      "an http: or https: URL",
    ),
    ratio: Number(read.formed(ratio, read.text(ratio, "0.01"), isRatio, "a number from 0 to 1")),
  };
}

function readStores(read: Reader) {
  const redisUrl = read.optionalSecret("REDIS_URL");
  return {
    databaseUrl: readUrl(read, "DATABASE_URL", ["postgres:", "postgresql:"], "a postgres: URL"),
    databaseConnectionsMax: {
      requests: read.whole("DATABASE_CONNECTIONS_MAX", 20),
      authentication: read.whole("DATABASE_AUTHENTICATION_CONNECTIONS_MAX", 4),
      jobs: read.whole("DATABASE_JOB_CONNECTIONS_MAX", 4),
    },
    /**
     * Connects as the role that can read the schema `pii`. Null if no personal data can be stored: then no bank accounts can
     * be linked.
     */
    piiDatabaseUrl: read.formed(
      "PII_DATABASE_URL",
      read.optionalSecret("PII_DATABASE_URL"),
      isUrlOf("postgres:", "postgresql:"),
      "a postgres: URL",
    ),
    /** Identifies this process among those that run workflows. */
    instanceId: read.text("PURSER_INSTANCE_ID", randomUUID()),
    workflowConnectionsMax: read.whole("PURSER_WORKFLOW_CONNECTIONS_MAX", 10, 4),
    /** Null if nonces, rate limits and other short-lived state are stored in this process's memory. */
    redisUrl: read.formed(
      "REDIS_URL",
      redisUrl,
      (text) => isUrlOf("redis:", "rediss:")(text) || parseSentinelUrl(text) !== undefined,
      "a redis: or rediss: URL, or redis+sentinel://HOST:PORT,HOST:PORT/MASTER-NAME",
    ),
    redisKeyPrefix: read.text("REDIS_KEY_PREFIX", "purser:"),
    /**
     * The file in which the in-memory store records used nonces and other single-use values, so that these values cannot
     * be used again after a restart. Ignored if Redis is configured.
     */
    claimsFile: read.text("PURSER_CLAIMS_FILE", "") || null,
  };
}

function readSigningKeys(read: Reader) {
  return {
    statementKey: read.secret("PURSER_STATEMENT_KEY"),
    /** Public keys of earlier statement keys in SPKI PEM. Signatures made with these keys remain valid. */
    retiredStatementKeys: readRetiredKeys(read),
    accessTokenKey: read.secret("PURSER_ACCESS_TOKEN_KEY"),
    adminTokenKey: read.secret("PURSER_ADMIN_TOKEN_KEY"),
  };
}

function readSettings(read: Reader, profile: Profile, timeouts: TimeoutsConfig): Settings {
  return {
    ...defaultSettings,
    ...readLimits(read, profile),
    walletNetworks: readWalletNetworks(read, profile),
    contractsDeployment: readContractsDeployment(read),
    confirmations: readConfirmations(read, profile),
    kybRequiredFor: readKybRequiredFor(read, profile),
    profile,
    publicUrl: readUrl(
      read,
      "PURSER_PUBLIC_URL",
      ["http:", "https:"],
      "an http: or https: URL",
      "http://127.0.0.1:8080",
    ).replace(/\/$/, ""),
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

/** Without its own login, the role that can read everything else could read personal data. */
function checkPersonalData({ databaseUrl, piiDatabaseUrl, vendors }: Config): string[] {
  if (vendors.optionalKeys.PLAID_CLIENT_ID !== null && piiDatabaseUrl === null) {
    return [
      "PII_DATABASE_URL is missing. PLAID_CLIENT_ID requires it, because linked bank accounts are personal data.",
    ];
  }
  return piiDatabaseUrl !== null && piiDatabaseUrl === databaseUrl
    ? ["PII_DATABASE_URL is the same as DATABASE_URL. Use a login of its own, in the role purser_pii."]
    : [];
}

function readUrl(read: Reader, name: string, protocols: readonly string[], form: string, fallback?: string): string {
  return read.formed(name, read.text(name, fallback), isUrlOf(...protocols), form);
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

function readRetiredKeys(read: Reader): string[] {
  const name = "PURSER_STATEMENT_KEYS_RETIRED";
  const pems = (read.optionalSecret(name) ?? "")
    .split(/(?<=-----END [A-Z ]+-----)\s*/)
    .map((pem) => pem.trim())
    .filter(Boolean);
  if (!pems.every(isEd25519PublicKey)) read.report(`${name} is not a list of Ed25519 public keys in PEM.`);
  return pems;
}

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
    [config.webhooksAllowLoopback, "WEBHOOK_ALLOW_LOOPBACK is not allowed in production."],
    [
      isLoopbackUrl(config.smtpUrl),
      "SMTP_URL is a loopback address, such as that of the mailbox simulator. Set the URL of the production mail server.",
    ],
  ];
  return [
    ...checks.filter(([isProblem]) => isProblem).map(([, problem]) => problem),
    ...checkRealCaptcha(config.captcha),
    ...checkRealVendors(config.vendors),
    ...checkRealNetworks(config),
    ...checkRealAgenticProviders(config.agenticProviders),
    ...checkTimeouts(config.timeouts),
  ];
}
