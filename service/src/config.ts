import { createPrivateKey, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { BlockList, isIP } from "node:net";
import { defaultSettings, type Settings } from "./foundation/settings.ts";
import { MODES, type Mode } from "./foundation/vocabulary.ts";

/** A project takes minutes to come up, and Supabase counts an organization's requests. */
const SUPABASE_POLL_MS = 5_000;

/** Of what reaches the vendors themselves. Production takes no other address. */
const VENDOR_URLS = {
  NEON_API_URL: "https://console.neon.tech/api/v2",
  SUPABASE_API_URL: "https://api.supabase.com",
  STRIPE_API_URL: "https://api.stripe.com",
} as const;
type VendorUrlName = keyof typeof VENDOR_URLS;

const STRIPE_KEY_NAMES: Readonly<Record<Mode, string>> = {
  live: "STRIPE_SECRET_KEY",
  test: "STRIPE_TEST_SECRET_KEY",
};

const PROFILES = ["production", "test", "local"] as const;
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
  /** How this process calls itself among those that run workflows. */
  readonly instanceId: string;
  /**
   * After how long without a sign of life others take its workflows over. Longer than a vendor is waited for, so that a call
   * that was under way has come to its end by then.
   */
  readonly workflowLeaseMs: number;
  readonly workflowConnectionsMax: number;
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
  readonly vendors: VendorsConfig;
  readonly trustedProxies: readonly string[];
  readonly logLevel: string;
  readonly settings: Settings;
}

/** Where vendors are reached, and as whom. Addresses have no slash at their end. */
export interface VendorsConfig {
  readonly neon: { readonly apiUrl: string };
  readonly supabase: {
    readonly apiUrl: string;
    /** The OAuth app that the operator has registered. Null: accounts are linked by a pasted token. */
    readonly app: { readonly clientId: string; readonly clientSecret: string } | null;
    /** How long to wait before a project that comes up is looked at again. */
    readonly pollAfterMs: number;
  };
  readonly stripe: {
    readonly apiUrl: string;
    /** A mode's own: test objects are made in Stripe's test mode. */
    readonly secretKeys: Readonly<Record<Mode, string>>;
  };
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
    port: read.whole("PURSER_PORT", 8080, 0),
    roles: read.list("PURSER_ROLES", ["api", "worker"]) as Config["roles"],
    databaseUrl: read.secret("DATABASE_URL"),
    databaseConnectionsMax: read.whole("DATABASE_CONNECTIONS_MAX", 20),
    instanceId: read.text("PURSER_INSTANCE_ID", randomUUID()),
    workflowLeaseMs: read.whole("PURSER_WORKFLOW_LEASE_MS", 15_000, 1_000),
    workflowConnectionsMax: read.whole("PURSER_WORKFLOW_CONNECTIONS_MAX", 10, 4),
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
    vendors: readVendors(read),
    trustedProxies: read.list("PURSER_TRUSTED_PROXIES", []),
    logLevel: read.oneOf("PURSER_LOG_LEVEL", ["debug", "info", "warn", "error", "silent"], "info"),
    settings: readSettings(read),
  };
  problems.push(
    ...checkRoles(config),
    ...checkForms(config),
    ...checkVendors(config.vendors),
    ...(profile === "production" ? checkProduction(config) : []),
  );
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

function readVendors(read: Reader): VendorsConfig {
  const url = (name: VendorUrlName) => read.text(name, VENDOR_URLS[name]).replace(/\/+$/, "");
  return {
    neon: { apiUrl: url("NEON_API_URL") },
    supabase: {
      apiUrl: url("SUPABASE_API_URL"),
      app: readSupabaseApp(read),
      pollAfterMs: read.whole("SUPABASE_POLL_MS", SUPABASE_POLL_MS),
    },
    stripe: {
      apiUrl: url("STRIPE_API_URL"),
      secretKeys: {
        live: read.secret(STRIPE_KEY_NAMES.live),
        test: read.secret(STRIPE_KEY_NAMES.test),
      },
    },
  };
}

function readSupabaseApp(read: Reader): VendorsConfig["supabase"]["app"] {
  const clientId = read.optionalSecret("SUPABASE_CLIENT_ID") ?? "";
  const clientSecret = read.optionalSecret("SUPABASE_CLIENT_SECRET") ?? "";
  return clientId === "" && clientSecret === "" ? null : { clientId, clientSecret };
}

function readSettings(read: Reader): Settings {
  const { keyBucket, failuresPerMinute, storeTimeoutMs, syncWaitMs } = defaultSettings;
  return {
    ...defaultSettings,
    publicUrl: read.text("PURSER_PUBLIC_URL", "http://127.0.0.1:8080").replace(/\/$/, ""),
    replayGuard: read.oneOf("REPLAY_GUARD", ["money", "strict"], "money"),
    keyBucket: {
      capacity: read.whole("PURSER_KEY_BURST", keyBucket.capacity),
      refillPerSecond: read.whole("PURSER_KEY_REQUESTS_PER_SECOND", keyBucket.refillPerSecond),
    },
    failuresPerMinute: read.whole("PURSER_FAILURES_PER_MINUTE", failuresPerMinute),
    exemptLoopback: read.oneOf("PURSER_EXEMPT_LOOPBACK", ["no", "yes"], "no") === "yes",
    storeTimeoutMs: read.whole("PURSER_STORE_TIMEOUT_MS", storeTimeoutMs),
    syncWaitMs: read.whole("PURSER_SYNC_WAIT_MS", syncWaitMs),
    vendorRetryMs: read.whole("PURSER_VENDOR_RETRY_MS", defaultSettings.vendorRetryMs),
    vendorSettleMs: read.whole("PURSER_VENDOR_SETTLE_MS", defaultSettings.vendorSettleMs),
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

const KEY_ENCRYPTION_KEY_BYTES = 32;
const CAPTCHA_SECRET_LENGTH_MIN = 32;

/** What has the wrong form, told before anything is opened with it. Never with its value, which may be a secret. */
function checkForms(config: Config): string[] {
  const { keyEncryptionKey, statementKey, accessTokenKey, captchaSecret } = config;
  const isWrong = (value: string | null, hasForm: (value: string) => boolean) =>
    value !== null && value !== "" && !hasForm(value);
  const faults: readonly (readonly [boolean, string])[] = [
    [
      isWrong(keyEncryptionKey, isKeyEncryptionKey),
      "PURSER_KEY_ENCRYPTION_KEY is not 32 bytes of base64.",
    ],
    [
      isWrong(statementKey, isEd25519Key),
      "PURSER_STATEMENT_KEY is not an Ed25519 private key in PEM.",
    ],
    [
      isWrong(accessTokenKey, isEd25519Key),
      "PURSER_ACCESS_TOKEN_KEY is not an Ed25519 private key in PEM.",
    ],
    [
      isWrong(accessTokenKey, (pem) => pem !== statementKey),
      "PURSER_ACCESS_TOKEN_KEY is PURSER_STATEMENT_KEY. Each signs for others to trust: make two.",
    ],
    [
      isWrong(captchaSecret, ({ length }) => length >= CAPTCHA_SECRET_LENGTH_MIN),
      `PURSER_CAPTCHA_SECRET is shorter than ${CAPTCHA_SECRET_LENGTH_MIN} characters.`,
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
  return faults.filter(([wrong]) => wrong).map(([, problem]) => problem);
}

function checkVendors(vendors: VendorsConfig): string[] {
  const problems = addressesOf(vendors)
    .filter(([, url]) => !isVendorUrl(url))
    .map(([name]) => `${name} is not a plain http: or https: address, without user, query or "#".`);
  if (isVendorUrl(vendors.stripe.apiUrl) && new URL(vendors.stripe.apiUrl).pathname !== "/") {
    problems.push("STRIPE_API_URL has a path. Stripe's SDK has its own.");
  }
  const { app } = vendors.supabase;
  if (app !== null && (app.clientId === "" || app.clientSecret === "")) {
    problems.push("SUPABASE_CLIENT_ID and SUPABASE_CLIENT_SECRET are one app's: set both or none.");
  }
  for (const mode of MODES) {
    const key = vendors.stripe.secretKeys[mode];
    // Restricted keys, which Stripe recommends, begin with "rk".
    if (key !== "" && !new RegExp(`^[rs]k_${mode}_\\w+$`).test(key)) {
      problems.push(`${STRIPE_KEY_NAMES[mode]} is not a key of Stripe's ${mode} mode.`);
    }
  }
  return problems;
}

/** What a path can be put behind. */
function isVendorUrl(text: string): boolean {
  if (!isUrlOf("http:", "https:")(text) || /[?#]/.test(text)) return false;
  const { username, password } = new URL(text);
  return username === "" && password === "";
}

/** The vendors' addresses, by the names of their variables. */
function addressesOf({
  neon,
  supabase,
  stripe,
}: VendorsConfig): (readonly [VendorUrlName, string])[] {
  return [
    ["NEON_API_URL", neon.apiUrl],
    ["SUPABASE_API_URL", supabase.apiUrl],
    ["STRIPE_API_URL", stripe.apiUrl],
  ];
}

function isKeyEncryptionKey(text: string): boolean {
  const base64 = text.replace(/^local:/, "");
  const bytes = Buffer.from(base64, "base64");
  return bytes.length === KEY_ENCRYPTION_KEY_BYTES && bytes.toString("base64") === base64;
}

function isUrlOf(...protocols: readonly string[]): (text: string) => boolean {
  return (text) => URL.canParse(text) && protocols.includes(new URL(text).protocol);
}

function isEd25519Key(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === "ed25519";
  } catch {
    return false;
  }
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
      config.keyEncryptionKey.startsWith("local:"),
      "The key encryption key was made by the local profile. Make one of its own.",
    ],
    [
      isLoopbackUrl(config.smtpUrl),
      "SMTP_URL is on loopback, where the mailbox simulator is. Name the real mail server.",
    ],
  ];
  return [
    ...refusals.filter(([refused]) => refused).map(([, problem]) => problem),
    ...checkRealVendors(config.vendors),
  ];
}

/** A list of what is real, rather than one of what is not: that would be without end. */
function checkRealVendors(vendors: VendorsConfig): string[] {
  const { supabase, stripe } = vendors;
  const credentials: readonly (readonly [string, string | undefined])[] = [
    ["SUPABASE_CLIENT_ID", supabase.app?.clientId],
    ["SUPABASE_CLIENT_SECRET", supabase.app?.clientSecret],
    ...MODES.map((mode) => [STRIPE_KEY_NAMES[mode], stripe.secretKeys[mode]] as const),
  ];
  return [
    ...addressesOf(vendors)
      .filter(([name, url]) => isVendorUrl(url) && !isSameUrl(url, VENDOR_URLS[name]))
      .map(([name]) => `${name} is not ${VENDOR_URLS[name]}. Production knows no other.`),
    ...credentials
      .filter(([, value]) => /sandbox/i.test(value ?? ""))
      .map(([name]) => `${name} is one of the sandbox's. Set the vendor's own.`),
  ];
}

function isSameUrl(one: string, other: string): boolean {
  return new URL(one).href === new URL(other).href;
}

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("0.0.0.0", "ipv4");
loopback.addAddress("::1", "ipv6");
loopback.addAddress("::", "ipv6");

function isLoopbackUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const host = new URL(text).hostname.toLowerCase().replace(/\.$/, "");
  if (host === "localhost" || host.endsWith(".localhost")) return true;
  const address = host.replace(/^\[|\]$/g, "");
  return isIP(address) !== 0 && loopback.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");
}

type Reader = ReturnType<typeof createReader>;

function createReader(environment: Environment, problems: string[]) {
  function lookUp(name: string): string | undefined {
    const file = environment[`${name}_FILE`];
    if (file === undefined || file === "") return environment[name] || undefined;
    try {
      const text = readFileSync(file, "utf8").trim();
      if (text === "") problems.push(`${name}_FILE names a file that is empty.`);
      return text;
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
    whole: (name: string, fallback: number, least = 1): number => {
      const value = lookUp(name) ?? String(fallback);
      if (!/^\d{1,9}$/.test(value) || Number(value) < least) {
        problems.push(`${name} is not a whole number of at least ${least}.`);
      }
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
