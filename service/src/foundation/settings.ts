import type { ADDRESSES } from "@purser/contracts/abi/addresses.ts";
import type { BlockchainNetwork } from "./blockchain-networks.ts";
import type { KybUse, Profile } from "./vocabulary.ts";
import { QUOTAS } from "./wire/quotas.ts";

/** The server's settings. `config.ts` reads them from the environment; tests set them directly. */
export interface Settings {
  /** Determines which vendors are available. */
  readonly profile: Profile;
  /** The server's public URL: scheme, host and port, without a trailing slash. */
  readonly publicUrl: string;
  /**
   * The requests for which a signature is accepted only once (docs/rules/replay-protection.md): with `money`, requests
   * that move money; with `strict`, also every unsafe method and `GET …/env`.
   */
  readonly replayGuard: "money" | "strict";
  /** The token bucket of an API key without `rate_limit_per_minute` (docs/rules/rate-limits.md). */
  readonly keyBucket: { readonly capacity: number; readonly refillPerSecond: number };
  /**
   * Maximum number of rejected requests per client network and minute (docs/rules/rate-limits.md). Further requests get
   * a 429.
   */
  readonly failuresPerMinute: number;
  /**
   * Maximum number of signups per hour from a client address (for IPv6, from its /64). The limit for the surrounding
   * /24 (for IPv6, the /48) is ten times as high.
   */
  readonly signupsPerHour: number;
  /** Maximum number of costly reads of an account per minute and endpoint (`QUOTAS`). Null: unlimited, for benchmarks. */
  readonly costlyReadsPerMinute: number | null;
  /** Whether loopback addresses are exempt from `failuresPerMinute`. */
  readonly exemptLoopback: boolean;
  /**
   * Whether the Host header must contain a loopback name or the host of `publicUrl`. Protects the local profile against
   * DNS rebinding.
   */
  readonly loopbackHostsOnly: boolean;
  /** Maximum number of projects per tenant and mode. Null if there is no limit. */
  readonly projectsMax: number | null;
  /** Maximum number of agents per tenant and mode. */
  readonly agentsMax: number;
  /** Maximum number of kill switches per hour and API key. */
  readonly killSwitchesPerHour: number;
  /** The networks on which live wallets can be created. Test wallets can be on every EVM network. */
  readonly walletNetworks: readonly BlockchainNetwork[];
  /** How many blocks, its own included, make a block final. Null for the number of each network. */
  readonly confirmations: number | null;
  /** The deployment of the contracts, by its name in `contracts/abi/addresses.ts`. Wallets are accounts of its factory. */
  readonly contractsDeployment: keyof typeof ADDRESSES;
  /** What requires a verified business in live mode. Only in the production profile. */
  readonly kybRequiredFor: readonly KybUse[];
  /** What Purser takes of a conversion, in hundredths of a percent of the source amount. */
  readonly fiatFeeBps: number;
  /** The number of admins that must make the same KYB decision. */
  readonly kybApprovals: 1 | 2;
  /** Age in days after which a tenant's data key is rotated. */
  readonly dataKeyAgeMaxDays: number;
  /**
   * Time limit for each call to Redis, and for the database query that authenticates a request. If it is exceeded, the
   * request fails with a 503.
   */
  readonly storeTimeoutMs: number;
  /** Minimum response time of calls whose timing must not reveal whether an email address has an account. */
  readonly minimumDurationMs: number;
  /**
   * How long a call waits for the operation that it started. After this time, the response says that the operation is
   * still running.
   */
  readonly syncWaitMs: number;
  /** Pause before the first retry of a vendor call. Each further pause is twice as long. */
  readonly vendorRetryMs: number;
  /** How long after its timeout a vendor call may still take effect. */
  readonly vendorSettleMs: number;
  /**
   * Maximum number of attempts if a vendor does not respond: `brief` for calls that can be abandoned, `long` for those
   * that cannot.
   */
  readonly vendorAttempts: { readonly brief: number; readonly long: number };
}

export const defaultSettings = {
  replayGuard: "money",
  keyBucket: { capacity: 1_000, refillPerSecond: 100 },
  failuresPerMinute: 600,
  signupsPerHour: QUOTAS.signups.max,
  costlyReadsPerMinute: QUOTAS.costlyReads.max,
  exemptLoopback: false,
  loopbackHostsOnly: false,
  projectsMax: null,
  agentsMax: QUOTAS.agents.max,
  killSwitchesPerHour: QUOTAS.killSwitches.max,
  fiatFeeBps: 15,
  kybRequiredFor: [],
  kybApprovals: 1,
  dataKeyAgeMaxDays: 365,
  // With the default `PURSER_VENDOR_RETRY_MS`, the pauses between 8 attempts take half a minute in total. The pauses
  // between 80 attempts take more than an hour.
  vendorAttempts: { brief: 8, long: 80 },
} as const satisfies Partial<Settings>;
