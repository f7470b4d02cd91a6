import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { defaultSettings, type Settings } from "./foundation/settings.ts";

export const PROFILES = ["production", "test", "local"] as const;
type Profile = (typeof PROFILES)[number];

/** Everything that can be chosen about a process of the service. Read once, at its start; nothing else reads the environment. */
export interface Config {
  readonly profile: Profile;
  readonly host: string;
  readonly port: number;
  /** Which work this process does: answers requests, runs the jobs, or both. */
  readonly roles: readonly ("api" | "worker")[];
  readonly databaseUrl: string;
  readonly databaseConnectionsMax: number;
  /** Null: nonces, limits and epochs live in the memory of this one process. */
  readonly redisUrl: string | null;
  readonly redisKeyPrefix: string;
  /** Where the in-memory state appends its claims. Null with Redis. */
  readonly claimsFile: string | null;
  /** 32 bytes, base64. */
  readonly keyEncryptionKey: string;
  /** Ed25519, PKCS #8 PEM. */
  readonly statementKey: string;
  readonly accessTokenKey: string;
  readonly captchaSecret: string;
  readonly captchaDummies: boolean;
  readonly auditAnchorFile: string;
  readonly smtpUrl: string;
  readonly mailFrom: string;
  readonly trustedProxies: readonly string[];
  readonly logLevel: string;
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

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads the configuration from environment variables (`.env.example` lists them). Each secret may be given in a file, as
 * `NAME_FILE`. Throws one ConfigError that names everything that is wrong at once.
 */
export function readConfig(environment: Environment): Config {
  const problems: string[] = [];
  const read = createReader(environment, problems);
  const profile = read.oneOf("PURSER_PROFILE", PROFILES, "production");
  const config: Config = {
    profile,
    host: read.text("PURSER_HOST", "127.0.0.1"),
    port: read.whole("PURSER_PORT", 8080),
    roles: read.list("PURSER_ROLES", ["api", "worker"]) as Config["roles"],
    databaseUrl: read.secret("DATABASE_URL"),
    databaseConnectionsMax: read.whole("DATABASE_CONNECTIONS_MAX", 20),
    redisUrl: read.optionalSecret("REDIS_URL"),
    redisKeyPrefix: read.text("REDIS_KEY_PREFIX", "purser:"),
    claimsFile: read.text("PURSER_CLAIMS_FILE", "") || null,
    keyEncryptionKey: read.secret("PURSER_KEY_ENCRYPTION_KEY"),
    statementKey: read.secret("PURSER_STATEMENT_KEY"),
    accessTokenKey: read.secret("PURSER_ACCESS_TOKEN_KEY"),
    captchaSecret: read.secret("PURSER_CAPTCHA_SECRET"),
    captchaDummies: read.oneOf("PURSER_CAPTCHA_DUMMIES", ["no", "yes"], "no") === "yes",
    auditAnchorFile: read.text("PURSER_AUDIT_ANCHOR_FILE"),
    smtpUrl: read.secret("SMTP_URL"),
    mailFrom: read.text("MAIL_FROM", "Purser <no-reply@purser.local>"),
    trustedProxies: read.list("PURSER_TRUSTED_PROXIES", []),
    logLevel: read.oneOf("PURSER_LOG_LEVEL", ["debug", "info", "warn", "error", "silent"], "info"),
    settings: readSettings(read),
  };
  problems.push(
    ...checkRoles(config),
    ...(profile === "production" ? checkProduction(config) : []),
  );
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

function readSettings(read: Reader): Settings {
  const { keyBucket, failuresPerMinute, storeTimeoutMs } = defaultSettings;
  return {
    publicUrl: read.text("PURSER_PUBLIC_URL", "http://127.0.0.1:8080").replace(/\/$/, ""),
    replayGuard: read.oneOf("REPLAY_GUARD", ["money", "strict"], "money"),
    keyBucket: {
      capacity: read.whole("PURSER_KEY_BURST", keyBucket.capacity),
      refillPerSecond: read.whole("PURSER_KEY_REQUESTS_PER_SECOND", keyBucket.refillPerSecond),
    },
    failuresPerMinute: read.whole("PURSER_FAILURES_PER_MINUTE", failuresPerMinute),
    exemptLoopback: read.oneOf("PURSER_EXEMPT_LOOPBACK", ["no", "yes"], "no") === "yes",
    storeTimeoutMs: read.whole("PURSER_STORE_TIMEOUT_MS", storeTimeoutMs),
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
    [config.captchaDummies, "PURSER_CAPTCHA_DUMMIES is for the local profile."],
    [settings.exemptLoopback, "PURSER_EXEMPT_LOOPBACK is for the local profile."],
    [
      settings.failuresPerMinute === 0 || settings.keyBucket.capacity === 0,
      "Production needs its rate limits.",
    ],
    [
      config.keyEncryptionKey.startsWith("local:"),
      "The key encryption key was made by the local profile. Make one of its own.",
    ],
    [
      isLoopbackUrl(config.smtpUrl),
      "SMTP_URL is on loopback, where the mailbox simulator is. Name the real mail server.",
    ],
  ];
  return refusals.filter(([refused]) => refused).map(([, problem]) => problem);
}

function isLoopbackUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { hostname } = new URL(text);
  return (
    hostname === "localhost" ||
    hostname === "[::1]" ||
    (isIP(hostname) === 4 && hostname.startsWith("127."))
  );
}

type Reader = ReturnType<typeof createReader>;

function createReader(environment: Environment, problems: string[]) {
  function lookUp(name: string): string | undefined {
    const file = environment[`${name}_FILE`];
    if (file === undefined || file === "") return environment[name] || undefined;
    try {
      return readFileSync(file, "utf8").trim();
    } catch {
      problems.push(`${name}_FILE names a file that cannot be read.`);
      return "";
    }
  }

  function required(name: string, fallback?: string): string {
    const value = lookUp(name) ?? fallback;
    if (value === undefined) problems.push(`${name} is missing. Set it, or ${name}_FILE.`);
    return value ?? "";
  }

  return {
    text: required,
    secret: (name: string) => required(name),
    optionalSecret: (name: string) => lookUp(name) ?? null,
    whole: (name: string, fallback: number): number => {
      const value = lookUp(name) ?? String(fallback);
      if (!/^\d{1,9}$/.test(value)) problems.push(`${name} is not a whole number.`);
      return Number(value);
    },
    list: (name: string, fallback: readonly string[]): string[] => {
      const value = lookUp(name);
      return value === undefined
        ? [...fallback]
        : value
            .split(",")
            .map((item) => item.trim())
            .filter(Boolean);
    },
    oneOf: <Word extends string>(name: string, words: readonly Word[], fallback: Word): Word => {
      const value = lookUp(name) ?? fallback;
      const known = words.find((word) => word === value);
      if (known === undefined) problems.push(`${name} is one of ${words.join(", ")}.`);
      return known ?? fallback;
    },
  };
}
