import { generateKeyPairSync, randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type Config, ConfigError, readConfig } from "./config.ts";

const folder = mkdtempSync(join(tmpdir(), "purser-config-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A complete, valid production configuration. */
const VALID = {
  DATABASE_URL: "postgres://purser_app:database-password@db.example.com/purser",
  REDIS_URL: "rediss://:redis-password@redis.example.com:6379",
  PURSER_KEY_ENCRYPTION_KEY: randomBytes(32).toString("base64"),
  PURSER_STATEMENT_KEY: newKey("ed25519"),
  PURSER_ACCESS_TOKEN_KEY: newKey("ed25519"),
  PURSER_ADMIN_TOKEN_KEY: newKey("ed25519"),
  PURSER_CAPTCHA_SECRET: randomBytes(32).toString("hex"),
  PURSER_AUDIT_ANCHOR_FILE: "/var/lib/purser-anchor/audit-anchor.jsonl",
  PURSER_PUBLIC_URL: "https://purser.example.com",
  SMTP_URL: "smtps://purser:mail-password@mail.example.com",
  STRIPE_SECRET_KEY: `sk_live_${randomBytes(12).toString("hex")}`,
  STRIPE_TEST_SECRET_KEY: `rk_test_${randomBytes(12).toString("hex")}`,
};

const SECRETS = [
  ...Object.values(VALID).filter((value) => !value.startsWith("/") && !value.startsWith("https:")),
  "database-password",
  "redis-password",
  "mail-password",
];

function newKey(type: "ed25519" | "x25519"): string {
  const { privateKey } = type === "ed25519" ? generateKeyPairSync("ed25519") : generateKeyPairSync("x25519");
  return privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}

function newPublicKey(): string {
  const { publicKey } = generateKeyPairSync("ed25519");
  return publicKey.export({ type: "spki", format: "pem" }).toString();
}

/** Returns the configuration problems, or an empty list if the environment is valid. */
function problemsOf(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
}

function fileWith(text: string): string {
  const path = join(folder, randomBytes(8).toString("hex"));
  writeFileSync(path, text);
  return path;
}

/** Returns the variable for one provider. */
function agentic(change: object): string {
  const provider = { provider: "a", display_name: "A", base_url: "https://a.example" };
  const client_id = "https://purser.example.com/client.json";
  const terms = { version: "1", url: "https://a.example/terms" };
  return JSON.stringify([{ ...provider, client_id, billed_by: "vendor", terms, ...change }]);
}

describe("production profile", () => {
  it("valid: production values, and the profile is the default", () => {
    expect(readConfig(VALID)).toMatchObject({
      profile: "production",
      host: "127.0.0.1",
      port: 8080,
      roles: ["api", "worker"],
      keyEncryptionKeys: {
        current: { kind: "material", base64: VALID.PURSER_KEY_ENCRYPTION_KEY, isLocal: false },
        previous: [],
      },
      retiredStatementKeys: [],
      captcha: { kind: "altcha", secret: VALID.PURSER_CAPTCHA_SECRET, acceptDummies: false },
      auditAnchor: { kind: "file", path: VALID.PURSER_AUDIT_ANCHOR_FILE },
      vendors: {
        urls: {
          NEON_API_URL: "https://console.neon.tech/api/v2",
          SUPABASE_API_URL: "https://api.supabase.com",
          STRIPE_API_URL: "https://api.stripe.com",
          GITHUB_URL: "https://github.com",
          GITHUB_API_URL: "https://api.github.com",
          GOOGLE_ACCOUNTS_URL: "https://accounts.google.com",
          GOOGLE_TOKEN_URL: "https://oauth2.googleapis.com/token",
          GOOGLE_CERTS_URL: "https://www.googleapis.com/oauth2/v3/certs",
          TURNSTILE_API_URL: "https://challenges.cloudflare.com",
          PIMLICO_API_URL: "https://api.pimlico.io",
          TURNKEY_API_URL: "https://api.turnkey.com",
          FIREBLOCKS_API_URL: "https://api.fireblocks.io",
          FIREBLOCKS_SANDBOX_API_URL: "https://sandbox-api.fireblocks.io",
          BRIDGE_API_URL: "https://api.bridge.xyz",
          BRIDGE_SANDBOX_API_URL: "https://api.sandbox.bridge.xyz",
          HELIUS_RPC_URL: "https://mainnet.helius-rpc.com",
          HELIUS_DEVNET_RPC_URL: "https://devnet.helius-rpc.com",
        },
        apps: { SUPABASE: null, GITHUB: null, GOOGLE: null },
        pollMs: { SUPABASE_POLL_MS: 5_000 },
        secretKeys: {
          STRIPE_SECRET_KEY: VALID.STRIPE_SECRET_KEY,
          STRIPE_TEST_SECRET_KEY: VALID.STRIPE_TEST_SECRET_KEY,
        },
        sandboxTokens: { NEON_SANDBOX_TOKEN: null },
      },
      tokenIssuers: [],
      trustedProxies: [],
      settings: {
        agentsMax: 1_000,
        replayGuard: "money",
        exemptLoopback: false,
        loopbackHostsOnly: false,
        projectsMax: 100,
        signupsPerHour: 20,
        storeTimeoutMs: 400,
        kybApprovals: 2,
      },
    } satisfies Partial<Omit<Config, "settings" | "vendors">> & {
      settings: object;
      vendors: object;
    });
  });

  it.each([
    [{ REDIS_URL: "", PURSER_CLAIMS_FILE: "/tmp/claims" }, "REDIS_URL"],
    [{ PURSER_PUBLIC_URL: "http://purser.example.com" }, "PURSER_PUBLIC_URL"],
    [{ PURSER_PUBLIC_URL: undefined }, "PURSER_PUBLIC_URL"],
    [{ PURSER_CAPTCHA_DUMMIES: "yes" }, "PURSER_CAPTCHA_DUMMIES"],
    [{ PURSER_KYA_TOKEN_ISSUERS: "https://a.example http://a.example/jwks" }, "PURSER_KYA_TOKEN_ISSUERS"],
    [{ PURSER_WALLET_NETWORKS: "base" }, "PURSER_WALLET_NETWORKS"],
    [
      {
        PURSER_RPC_URLS: "base-sepolia https://a.example https://b.example",
        PURSER_PAYMASTER_SIGNER_KEY: `0x${"11".repeat(32)}`,
        PURSER_FREEZER_KEY: `0x${"22".repeat(32)}`,
        PURSER_UNFREEZER_KEY: `0x${"33".repeat(32)}`,
      },
      "PURSER_CONTRACTS_DEPLOYMENT is local",
    ],
    [{ PURSER_AGENTIC_PROVIDERS: agentic({ base_url: "http://a.example" }) }, "base_url of a"],
    [{ PURSER_AGENTIC_PROVIDERS: agentic({ base_url: "https://a.example:8443" }) }, "base_url of a"],
    [{ PURSER_AGENTIC_PROVIDERS: agentic({ base_url: "https://localhost" }) }, "base_url of a"],
    [{ PURSER_AGENTIC_PROVIDERS: agentic({ base_url: "https://10.0.0.1" }) }, "base_url of a"],
    [{ PURSER_AGENTIC_PROVIDERS: agentic({ base_url: "https://0x7f000001" }) }, "base_url of a"],
    [{ PURSER_AGENTIC_PROVIDERS: agentic({ base_url: "https://[fd00::1]" }) }, "base_url of a"],
    [{ PURSER_EXEMPT_LOOPBACK: "yes" }, "PURSER_EXEMPT_LOOPBACK"],
    [{ PURSER_KEY_ENCRYPTION_KEY: `local:${VALID.PURSER_KEY_ENCRYPTION_KEY}` }, "local profile"],
    [{ SMTP_URL: "smtp://127.0.0.1:2525" }, "SMTP_URL"],
    [{ SMTP_URL: "smtp://127.1.2.3:2525" }, "SMTP_URL"],
    [{ SMTP_URL: "smtp://localhost:2525" }, "SMTP_URL"],
    [{ SMTP_URL: "smtp://LOCALHOST.:2525" }, "SMTP_URL"],
    [{ SMTP_URL: "smtp://mail.localhost:2525" }, "SMTP_URL"],
    [{ SMTP_URL: "smtp://[::1]:2525" }, "SMTP_URL"],
    [{ SMTP_URL: "smtp://[::ffff:127.0.0.1]:2525" }, "SMTP_URL"],
    [{ SMTP_URL: "smtp://0.0.0.0:2525" }, "SMTP_URL"],
    [{ NEON_API_URL: "http://console.neon.tech/api/v2" }, "NEON_API_URL"],
    [{ NEON_API_URL: "https://127.0.0.1:4001/api/v2" }, "NEON_API_URL"],
    [{ SUPABASE_API_URL: "http://127.0.0.1:4002" }, "SUPABASE_API_URL"],
    [{ SUPABASE_API_URL: "https://supabase.localhost" }, "SUPABASE_API_URL"],
    [{ STRIPE_API_URL: "HTTP://stripe.example.com" }, "STRIPE_API_URL"],
    [{ STRIPE_API_URL: "https://[::1]:4003" }, "STRIPE_API_URL"],
    [{ NEON_API_URL: "https://10.0.0.1/api/v2" }, "NEON_API_URL"],
    [{ NEON_API_URL: "https://169.254.169.254/api/v2" }, "NEON_API_URL"],
    [{ NEON_API_URL: "https://simulators.internal/api/v2" }, "NEON_API_URL"],
    [{ NEON_API_URL: "https://console.neon.tech.evil.example/api/v2" }, "NEON_API_URL"],
    [{ NEON_API_URL: "https://console.neon.tech:4001/api/v2" }, "NEON_API_URL"],
    [{ NEON_API_URL: "https://console.neon.tech" }, "NEON_API_URL"],
    [{ SUPABASE_API_URL: "https://api.supabase.com/v1" }, "SUPABASE_API_URL"],
    [{ SUPABASE_CLIENT_ID: "Sandbox-client", SUPABASE_CLIENT_SECRET: "s" }, "SUPABASE_CLIENT_ID"],
    [{ SUPABASE_CLIENT_ID: "c", SUPABASE_CLIENT_SECRET: "a-sandbox-s" }, "SUPABASE_CLIENT_SECRET"],
    [{ STRIPE_SECRET_KEY: "sk_live_sandbox" }, "STRIPE_SECRET_KEY"],
    [{ GITHUB_URL: "https://github.com.evil.example" }, "GITHUB_URL"],
    [{ GITHUB_API_URL: "http://api.github.com" }, "GITHUB_API_URL"],
    [{ GITHUB_CLIENT_ID: "c", GITHUB_CLIENT_SECRET: "sandbox-secret" }, "GITHUB_CLIENT_SECRET"],
    [{ GOOGLE_CERTS_URL: "https://127.0.0.1:4004/oauth2/v3/certs" }, "GOOGLE_CERTS_URL"],
    [{ GOOGLE_CLIENT_ID: "sandbox", GOOGLE_CLIENT_SECRET: "s" }, "GOOGLE_CLIENT_ID"],
    [{ TURNKEY_API_URL: "http://127.0.0.1:4005" }, "TURNKEY_API_URL"],
    [{ BRIDGE_SANDBOX_API_URL: "https://bridge.localhost" }, "BRIDGE_SANDBOX_API_URL"],
    [{ NEON_SANDBOX_TOKEN: "sandbox-ada" }, "NEON_SANDBOX_TOKEN"],
    [{ PURSER_STORE_TIMEOUT_MS: "99" }, "PURSER_STORE_TIMEOUT_MS is 99. In production it must be from 100 to"],
    // A change to an API key first disables the key's cached copies for `SUSPENSION_MS`. The transaction that makes the
    // change must end within this time, so the statement timeout has a maximum.
    [{ PURSER_STATEMENT_TIMEOUT_MS: "5001" }, "PURSER_STATEMENT_TIMEOUT_MS"],
    [{ PURSER_DRAIN_TIMEOUT_MS: "19000" }, "PURSER_DRAIN_TIMEOUT_MS must not be less than"],
    [{ PURSER_PROVIDER_TIMEOUT_MS: "999" }, "PURSER_PROVIDER_TIMEOUT_MS"],
    [{ PURSER_PROVIDER_TIMEOUT_MS: "15000" }, "PURSER_WORKFLOW_LEASE_MS must be greater than"],
    [{ PURSER_KEY_ENCRYPTION_KEYS_PREVIOUS: `local:${randomBytes(32).toString("base64")}` }, "local profile"],
    [
      {
        PURSER_CAPTCHA: "turnstile",
        CAPTCHA_SITE_KEY: "0x4AAAAAAAsite",
        CAPTCHA_SECRET_KEY: "1x0000000000000000000000000000000AA",
      },
      "CAPTCHA_SECRET_KEY",
    ],
    [
      {
        PURSER_CAPTCHA: "turnstile",
        CAPTCHA_SITE_KEY: "2x00000000000000000000AB",
        CAPTCHA_SECRET_KEY: "0x4AAAAAAAsecret",
      },
      "CAPTCHA_SITE_KEY",
    ],
    [{ STRIPE_TEST_SECRET_KEY: "sk_test_sandbox" }, "STRIPE_TEST_SECRET_KEY"],
  ])("rejected: %j, with one problem", (change, named) => {
    const problems = problemsOf({ ...VALID, ...change });

    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(named);
  });

  it("rejected: a node without https, and only one node of a network with live wallets; the URLs are not shown", () => {
    const change = { PURSER_WALLET_NETWORKS: "base-sepolia", PURSER_RPC_URLS: "base-sepolia http://a.example/key" };

    const problems = problemsOf({ ...VALID, ...change });

    expect(problems).toEqual([
      expect.stringContaining("base-sepolia that is not https"),
      expect.stringContaining("one URL of base-sepolia"),
      expect.stringContaining("PURSER_CONTRACTS_DEPLOYMENT is local"),
      expect.stringContaining("PURSER_PAYMASTER_SIGNER_KEY is missing"),
      expect.stringContaining("PURSER_FREEZER_KEY is missing"),
      expect.stringContaining("PURSER_UNFREEZER_KEY is missing"),
    ]);
    expect(problems.join()).not.toContain("a.example");
  });

  it.each([
    ["a public key of anvil", "0x8b3a350cf5c34c9194ca85829a2df0ec3153be0318b5e2d3348e872092edffba"],
    ["no key", `0x${"0".repeat(64)}`],
    ["too short", "0x12"],
  ])("rejected: a paymaster's key that is %s; it is not shown", (_what, key) => {
    const problems = problemsOf({ ...VALID, PURSER_PAYMASTER_SIGNER_KEY: key });
    expect(problems).toEqual([expect.stringContaining("PURSER_PAYMASTER_SIGNER_KEY is")]);
    expect(problems.join()).not.toContain(key);
  });

  it("rejected: one key for two roles; it is not shown", () => {
    const key = `0x${"11".repeat(32)}`;
    const problems = problemsOf({ ...VALID, PURSER_FREEZER_KEY: key, PURSER_UNFREEZER_KEY: key });
    expect(problems).toEqual([expect.stringContaining("PURSER_UNFREEZER_KEY is the same key as PURSER_FREEZER_KEY")]);
    expect(problems.join()).not.toContain(key);
  });

  const evm = {
    PURSER_AUDIT_ANCHOR_EVM: `base-sepolia:0x${"ab".repeat(20)}`,
    PURSER_ANCHOR_KEY: `0x${"44".repeat(32)}`,
  };

  it("reads an anchor on a network, which needs a node of it and its own key, and no other anchor", () => {
    const test = { ...VALID, PURSER_PROFILE: "test", PURSER_RPC_URLS: "base-sepolia http://a.example" };
    expect(readConfig({ ...test, ...evm }).auditAnchor).toEqual({
      ...{ kind: "evm", network: "base-sepolia", contract: `0x${"ab".repeat(20)}`, key: evm.PURSER_ANCHOR_KEY },
    });
    const rejected = (change: object) => problemsOf({ ...test, ...evm, ...change });
    expect(rejected({ PURSER_RPC_URLS: "base http://a.example" })).toEqual([
      expect.stringContaining("PURSER_RPC_URLS has no node of base-sepolia"),
    ]);
    expect(rejected({ PURSER_AUDIT_ANCHOR_S3: "s3://bucket" })).toEqual([expect.stringContaining("Choose one anchor")]);
    expect(rejected({ PURSER_ANCHOR_KEY: undefined })).toEqual([
      expect.stringContaining("PURSER_ANCHOR_KEY is missing"),
    ]);
    expect(rejected({ PURSER_ANCHOR_KEY: "0x12" })).toEqual([
      expect.stringContaining("PURSER_ANCHOR_KEY is not a private key"),
    ]);
    for (const text of ["base-sepolia:0x12", `solana:0x${"ab".repeat(20)}`, "base-sepolia"]) {
      expect(rejected({ PURSER_AUDIT_ANCHOR_EVM: text })[0]).toContain("PURSER_AUDIT_ANCHOR_EVM is not an EVM network");
    }
  });

  it("rejected in production: an anchor with one node, with a public key of anvil, or with another role's key", () => {
    const problems = (key: string) =>
      problemsOf({
        ...{ ...VALID, ...evm, PURSER_RPC_URLS: "base-sepolia https://a.example", PURSER_ANCHOR_KEY: key },
        PURSER_FREEZER_KEY: evm.PURSER_ANCHOR_KEY,
      });
    expect(problems(evm.PURSER_ANCHOR_KEY)).toEqual(
      expect.arrayContaining([
        expect.stringContaining("one URL of base-sepolia"),
        expect.stringContaining("PURSER_ANCHOR_KEY is the same key as PURSER_FREEZER_KEY"),
      ]),
    );
    expect(problems("0x4bbbf85ce3377467afe5d46f804f221813b2bb87f24d81f60f1fcdbf7cbf4356")).toContainEqual(
      expect.stringContaining("PURSER_ANCHOR_KEY is a public key of anvil"),
    );
  });

  it("valid: vendor URLs with a default port, a final slash or upper case", () => {
    expect(
      problemsOf({
        ...VALID,
        NEON_API_URL: "https://console.neon.tech:443/api/v2/",
        SUPABASE_API_URL: "https://API.supabase.com/",
      }),
    ).toEqual([]);
  });

  it("valid: AWS KMS, an S3 anchor, Turnstile, and earlier keys", () => {
    const keyArn = "arn:aws:kms:eu-central-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab";
    const retired = [newPublicKey(), newPublicKey()];

    expect(
      readConfig({
        ...VALID,
        PURSER_KEY_ENCRYPTION_KEY: `aws-kms:${keyArn}`,
        PURSER_KEY_ENCRYPTION_KEYS_PREVIOUS: `${VALID.PURSER_KEY_ENCRYPTION_KEY}, aws-kms:${keyArn}9`,
        PURSER_STATEMENT_KEYS_RETIRED: retired.join("\n"),
        PURSER_AUDIT_ANCHOR_FILE: undefined,
        PURSER_AUDIT_ANCHOR_S3: "s3://purser-anchor/production/",
        PURSER_CAPTCHA: "turnstile",
        PURSER_CAPTCHA_SECRET: undefined,
        CAPTCHA_SITE_KEY: "0x4AAAAAAAsite",
        CAPTCHA_SECRET_KEY: "0x4AAAAAAAsecret",
      }),
    ).toMatchObject({
      keyEncryptionKeys: {
        current: { kind: "aws-kms", keyArn },
        previous: [
          { kind: "material", base64: VALID.PURSER_KEY_ENCRYPTION_KEY, isLocal: false },
          { kind: "aws-kms", keyArn: `${keyArn}9` },
        ],
      },
      retiredStatementKeys: retired.map((pem) => pem.trim()),
      auditAnchor: {
        kind: "s3",
        bucket: "purser-anchor",
        prefix: "production",
        retentionDays: 3_650,
      },
      captcha: { kind: "turnstile", siteKey: "0x4AAAAAAAsite", secretKey: "0x4AAAAAAAsecret" },
    });
  });

  it.each(["test", "local"])("rejected: values that the %s profile accepts", (profile) => {
    const developmentValues = {
      ...VALID,
      REDIS_URL: "",
      PURSER_CLAIMS_FILE: "/tmp/claims",
      PURSER_PUBLIC_URL: "http://127.0.0.1:8080",
      PURSER_CAPTCHA_DUMMIES: "yes",
      PURSER_EXEMPT_LOOPBACK: "yes",
      PURSER_KEY_ENCRYPTION_KEY: `local:${VALID.PURSER_KEY_ENCRYPTION_KEY}`,
      SMTP_URL: "smtp://127.0.0.1:2525",
      NEON_API_URL: "http://127.0.0.1:4001/api/v2",
      SUPABASE_API_URL: "http://127.0.0.1:4002",
      STRIPE_API_URL: "http://127.0.0.1:4003",
    };

    expect(problemsOf({ ...developmentValues, PURSER_PROFILE: profile })).toEqual([]);
    expect(problemsOf(developmentValues)).toHaveLength(9);
  });
});

describe("all profiles", () => {
  it.each([
    "DATABASE_URL",
    "PURSER_KEY_ENCRYPTION_KEY",
    "PURSER_STATEMENT_KEY",
    "PURSER_ACCESS_TOKEN_KEY",
    "PURSER_ADMIN_TOKEN_KEY",
    "PURSER_CAPTCHA_SECRET",
    "PURSER_AUDIT_ANCHOR_FILE",
    "SMTP_URL",
    "STRIPE_SECRET_KEY",
    "STRIPE_TEST_SECRET_KEY",
  ])("rejected: %s is missing", (name) => {
    for (const absent of [undefined, ""]) {
      expect(problemsOf({ ...VALID, [name]: absent })).toEqual([`${name} is missing. Set it, or ${name}_FILE.`]);
    }
  });

  it.each([
    ["PURSER_PROFILE", "prod"],
    ["PURSER_ROLES", "api,cron"],
    ["PURSER_ROLES", ","],
    ["PURSER_PORT", "http"],
    ["DATABASE_CONNECTIONS_MAX", "0"],
    ["DATABASE_AUTHENTICATION_CONNECTIONS_MAX", "0"],
    ["DATABASE_JOB_CONNECTIONS_MAX", "0"],
    ["PURSER_KEY_BURST", "0"],
    ["PURSER_KEY_REQUESTS_PER_SECOND", "0"],
    ["PURSER_KEY_REQUESTS_PER_SECOND", "-5"],
    ["PURSER_FAILURES_PER_MINUTE", "0"],
    ["PURSER_SIGNUPS_PER_HOUR", "0"],
    ["PURSER_STORE_TIMEOUT_MS", "0.5"],
    ["REPLAY_GUARD", "off"],
    ["PURSER_LOG_LEVEL", "loud"],
    ["PURSER_METRICS_PORT", "metrics"],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"],
    ["OTEL_TRACES_SAMPLER_ARG", "2"],
    ["DATABASE_URL", "db.example.com/purser"],
    ["DATABASE_URL", "mysql://db.example.com/purser"],
    ["REDIS_URL", "redis.example.com:6379"],
    ["REDIS_URL", "redis+sentinel://one.example.com:26379,two.example.com:26379"],
    ["SMTP_URL", "mail.example.com"],
    ["PURSER_KEY_ENCRYPTION_KEY", randomBytes(31).toString("base64")],
    ["PURSER_KEY_ENCRYPTION_KEY", randomBytes(32).toString("hex")],
    ["PURSER_KEY_ENCRYPTION_KEY", "secret"],
    ["PURSER_STATEMENT_KEY", "secret"],
    ["PURSER_ACCESS_TOKEN_KEY", "secret"],
    ["PURSER_CAPTCHA_SECRET", "too-short-to-be-secret"],
    ["PURSER_CAPTCHA", "recaptcha"],
    ["PURSER_AGENTS_MAX", "many"],
    ["PURSER_AGENTIC_PROVIDERS", "acme"],
    ["PURSER_AGENTIC_PROVIDERS", agentic({ unknown: 1 })],
    ["PURSER_AGENTIC_PROVIDERS", agentic({ provider: "neon" })],
    ["PURSER_AGENTIC_PROVIDERS", agentic({ base_url: "https://a.example/" })],
    ["PURSER_AGENTIC_PROVIDERS", agentic({ billed_by: "purser" })],
    ["PURSER_KYA_TOKEN_ISSUERS", "https://a.example"],
    ["PURSER_KYA_TOKEN_ISSUERS", "https://a.example https://a.example/jwks more"],
    ["PURSER_KYA_TOKEN_ISSUERS", "https://a.example https://a.example/jwks?x=1"],
    ["PURSER_KYA_TOKEN_ISSUERS", "a https://a.example/1,a https://a.example/2"],
    ["PURSER_WALLET_NETWORKS", "base,bitcoin"],
    ["PURSER_RPC_URLS", "base"],
    ["PURSER_RPC_URLS", "bitcoin https://a.example"],
    ["PURSER_RPC_URLS", "solana https://a.example"],
    ["PURSER_RPC_URLS", "base wss://a.example"],
    ["PURSER_RPC_URLS", "base https://a.example https://a.example/other"],
    ["PURSER_RPC_URLS", "base https://user:password@a.example"],
    ["PURSER_RPC_URLS", "base https://a.example https://b.example https://c.example"],
    ["PURSER_RPC_URLS", "base https://a.example,base https://b.example"],
    ["PURSER_CONTRACTS_DEPLOYMENT", "other"],
    ["PURSER_WALLET_SIGNER", "fireblocks"],
    ["TURNKEY_ORGANIZATION_ID", "9d20e7b6-8c41-4f5d-a3e9-70c5b1f2d684"],
    ["TURNKEY_API_PRIVATE_KEY", "12".repeat(32)],
    ["PURSER_ADMIN_TOKEN_KEY", "secret"],
    ["PURSER_KEY_ENCRYPTION_KEY", "aws-kms:alias/purser"],
    ["PURSER_KEY_ENCRYPTION_KEYS_PREVIOUS", "secret"],
    ["PURSER_KEY_ENCRYPTION_KEYS_PREVIOUS", VALID.PURSER_KEY_ENCRYPTION_KEY],
    ["PURSER_STATEMENT_KEYS_RETIRED", "secret"],
    ["PURSER_STATEMENT_KEYS_RETIRED", VALID.PURSER_STATEMENT_KEY],
    ["PURSER_AUDIT_ANCHOR_S3", "https://bucket.s3.amazonaws.com"],
    ["GITHUB_CLIENT_ID", "an-app-without-a-secret"],
    ["GOOGLE_CLIENT_SECRET", "a-secret-without-an-app"],
    ["HELIUS_RPC_URL", "https://rpc.example.com?api-key=1"],
    ["NEON_API_URL", "console.neon.tech"],
    ["SUPABASE_API_URL", "ftp://api.supabase.com"],
    ["SUPABASE_POLL_MS", "0"],
    ["SUPABASE_CLIENT_ID", "an-app-without-a-secret"],
    ["SUPABASE_CLIENT_SECRET", "a-secret-without-an-app"],
    ["NEON_API_URL", "https://user@console.neon.tech/api/v2"],
    ["NEON_API_URL", "https://:password@console.neon.tech/api/v2"],
    ["NEON_API_URL", "https://console.neon.tech/api/v2?"],
    ["SUPABASE_API_URL", "https://api.supabase.com#"],
    ["STRIPE_API_URL", "api.stripe.com"],
    ["STRIPE_API_URL", "https://api.stripe.com/v1"],
    ["STRIPE_SECRET_KEY", "sk_test_of_the_other_mode"],
    ["STRIPE_SECRET_KEY", "pk_live_for_browsers"],
    ["STRIPE_PUBLISHABLE_KEY", "sk_live_that_browsers_would_get"],
    ["STRIPE_PUBLISHABLE_KEY", "pk_test_of_the_other_mode"],
    ["STRIPE_SECRET_KEY", "whatever"],
    ["STRIPE_WEBHOOK_SECRET", "sk_live_0123456789"],
    ["STRIPE_TEST_SECRET_KEY", "sk_live_of_the_other_mode"],
  ])("rejected: %s=%j; the problem contains the name and not the value", (name, value) => {
    const problems = problemsOf({ ...VALID, PURSER_PROFILE: "test", [name]: value });

    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(name);
    if (value.length > 5) expect(problems[0]).not.toContain(value);
  });

  it.each([
    ["PURSER_STATEMENT_KEY", "is not an Ed25519 key", newKey("x25519")],
    ["PURSER_ACCESS_TOKEN_KEY", "is not an Ed25519 key", newKey("x25519")],
    ["PURSER_ACCESS_TOKEN_KEY", "is also the statement key", VALID.PURSER_STATEMENT_KEY],
    ["PURSER_ADMIN_TOKEN_KEY", "is also the access token key", VALID.PURSER_ACCESS_TOKEN_KEY],
  ])("rejected: %s %s", (name, _fault, pem) => {
    const problems = problemsOf({ ...VALID, PURSER_PROFILE: "test", [name]: pem });

    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(name);
    expect(problems[0]).not.toContain(pem);
  });

  it.each([
    [{ terms: undefined }, "a has no terms"],
    [{ terms: { version: "1", url: "http://a.example/terms" } }, "a has no terms"],
    [{ prices: { small: "9.999" } }, "a price of a"],
    [{ prices: { small: "1000000.00" } }, "a price of a"],
  ])("rejected: a configured provider with %j; the problem is %s", (change, problem) => {
    const PURSER_AGENTIC_PROVIDERS = agentic(change);

    expect(problemsOf({ ...VALID, PURSER_AGENTIC_PROVIDERS })).toEqual([
      expect.stringContaining(`PURSER_AGENTIC_PROVIDERS: ${problem}`),
    ]);
  });

  it("ConfigError: lists all problems, without secrets", () => {
    const environment = {
      ...VALID,
      DATABASE_URL: `x${VALID.DATABASE_URL}`,
      PURSER_STATEMENT_KEY: `x${VALID.PURSER_STATEMENT_KEY}`,
      PURSER_CAPTCHA_SECRET: "short-secret",
      PURSER_EXEMPT_LOOPBACK: "yes",
      PURSER_PORT: "x",
      SMTP_URL: "smtp://purser:mail-password@localhost",
      REDIS_URL: undefined,
    };

    const problems = problemsOf(environment);
    const { message } = new ConfigError(problems);

    expect(problems.length).toBeGreaterThanOrEqual(7);
    for (const problem of problems) expect(message).toContain(`- ${problem}`);
    expect([...SECRETS, "short-secret"].filter((secret) => message.includes(secret))).toEqual([]);
  });

  it("reads the issuers of tokens about agents", () => {
    const issuers = " https://a.example  https://a.example/jwks , b https://b.example/keys";

    expect(readConfig({ ...VALID, PURSER_KYA_TOKEN_ISSUERS: issuers }).tokenIssuers).toEqual([
      { issuer: "https://a.example", jwksUrl: "https://a.example/jwks" },
      { issuer: "b", jwksUrl: "https://b.example/keys" },
    ]);
  });

  it("reads the nodes of networks, whose URLs can contain keys", () => {
    const PURSER_RPC_URLS =
      " base  https://a.example/v2/key https://b.example?key=1 ,polygon http://127.0.0.1:1/polygon";

    expect(readConfig({ ...VALID, PURSER_PROFILE: "test", PURSER_RPC_URLS }).rpcUrls).toEqual(
      new Map([
        ["base", ["https://a.example/v2/key", "https://b.example?key=1"]],
        ["polygon", ["http://127.0.0.1:1/polygon"]],
      ]),
    );
  });

  it("removes final slashes of vendor URLs, and reads Supabase's client id and secret", () => {
    const { vendors } = readConfig({
      ...VALID,
      PURSER_PROFILE: "test",
      NEON_API_URL: "https://neon.example.com/api/v2/",
      SUPABASE_CLIENT_ID: "an-app",
      SUPABASE_CLIENT_SECRET_FILE: fileWith("its-secret\n"),
    });

    expect(vendors.urls.NEON_API_URL).toBe("https://neon.example.com/api/v2");
    expect(vendors.apps.SUPABASE).toEqual({ clientId: "an-app", clientSecret: "its-secret" });
  });

  it("rejected: neither REDIS_URL nor PURSER_CLAIMS_FILE is set", () => {
    const none = problemsOf({ ...VALID, PURSER_PROFILE: "test", REDIS_URL: undefined });

    expect(none).toEqual(["REDIS_URL is missing. Set it, or set PURSER_CLAIMS_FILE for a single process."]);
  });
});

describe("secret in a file", () => {
  it("is read as if the variable had the value, without the file's final line feed", () => {
    const inFiles = Object.fromEntries(
      Object.entries(VALID).map(([name, value]) => [`${name}_FILE`, fileWith(`${value}\n`)]),
    );

    // By default the instance id is random and would differ between the two calls of `readConfig`.
    const PURSER_INSTANCE_ID = "purser-0";

    expect(readConfig({ ...inFiles, PURSER_INSTANCE_ID })).toEqual(
      readConfig({ ...trimmed(VALID), PURSER_INSTANCE_ID }),
    );
  });

  it("takes precedence over the variable", () => {
    const DATABASE_URL_FILE = fileWith("postgres://other.example.com/purser");

    expect(readConfig({ ...VALID, DATABASE_URL_FILE }).databaseUrl).toBe("postgres://other.example.com/purser");
  });

  it.each([
    ["a file that cannot be read", () => join(folder, "absent")],
    ["an empty file", () => fileWith("\n")],
  ])("rejected: the path of %s", (reason, path) => {
    const problems = problemsOf({ ...VALID, PURSER_CAPTCHA_SECRET_FILE: path() });

    expect(problems).toEqual([`PURSER_CAPTCHA_SECRET_FILE is the path of ${reason}.`]);
  });
});

function trimmed(environment: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, value.trim()]));
}
