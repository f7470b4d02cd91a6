import type { Profile } from "./profile.ts";

/** The server's settings. `config.ts` reads them from the environment; tests set them directly. */
export interface Settings {
  /** Selects the vendors. */
  readonly profile: Profile;
  /** The server's public URL: scheme, host and port, without a trailing slash. */
  readonly publicUrl: string;
  /**
   * Requests whose signature is valid once (docs/api.md, section 6.2): `money`, those that move money; `strict`, also
   * every unsafe method and `GET …/env`.
   */
  readonly replayGuard: "money" | "strict";
  /** The token bucket of keys without `rate_limit_per_minute` (docs/api.md, section 2.5). */
  readonly keyBucket: { readonly capacity: number; readonly refillPerSecond: number };
  /** The number of 401 responses that a client network can receive in a minute. Further requests are 429. */
  readonly failuresPerMinute: number;
  /**
   * The number of signups from a client address (IPv6: a /64) in an hour. Its /24 (IPv6: /48) can make ten times as
   * many.
   */
  readonly signupsPerHour: number;
  /** Whether loopback is exempt from the limit of failures, as in the local profile. */
  readonly exemptLoopback: boolean;
  /**
   * Whether only requests with a loopback name or the `publicUrl` as Host are answered: the local profile's protection
   * against DNS rebinding.
   */
  readonly loopbackHostsOnly: boolean;
  /** The number of projects that a tenant can have in each mode. Null: unlimited. */
  readonly projectsMax: number | null;
  /** The number of admins that must make the same KYB decision. */
  readonly kybApprovals: 1 | 2;
  /** Age in days at which a tenant's data key is rotated. */
  readonly dataKeyAgeMaxDays: number;
  /** The longest wait for a store before the response is 503. */
  readonly storeTimeoutMs: number;
  /** The minimum duration of calls whose timing must not reveal whether an address has an account. */
  readonly minimumDurationMs: number;
  /**
   * The longest wait of a call for the operation that it started. After it, the response says that the operation is
   * running.
   */
  readonly syncWaitMs: number;
  /** The first pause before a vendor call is retried. Each further pause is twice as long. */
  readonly vendorRetryMs: number;
  /** Time after a vendor call's timeout within which its effect may still appear. */
  readonly vendorSettleMs: number;
  /**
   * The number of attempts at a vendor that does not answer: `brief` for calls that can be abandoned, `long` for those
   * that cannot.
   */
  readonly vendorAttempts: { readonly brief: number; readonly long: number };
}

export const defaultSettings = {
  replayGuard: "money",
  keyBucket: { capacity: 1_000, refillPerSecond: 100 },
  failuresPerMinute: 600,
  signupsPerHour: 20,
  exemptLoopback: false,
  loopbackHostsOnly: false,
  projectsMax: null,
  kybApprovals: 1,
  dataKeyAgeMaxDays: 365,
  // Together with the pauses, about a minute and more than an hour.
  vendorAttempts: { brief: 8, long: 80 },
} as const satisfies Partial<Settings>;
