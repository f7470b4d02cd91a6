import type { Profile } from "./profile.ts";

/** How the service behaves, as far as it can be chosen. `config.ts` reads it from the environment; tests hand it in. */
export interface Settings {
  /** Says which vendors exist. */
  readonly profile: Profile;
  /** Where people and mails reach this service: scheme, host and port, without a trailing slash. */
  readonly publicUrl: string;
  /**
   * Which requests may not be sent twice under one signature (contract, ruling 3): those that move money, or (`strict`)
   * every unsafe method and `GET …/env` as well.
   */
  readonly replayGuard: "money" | "strict";
  /** Step 6: the bucket of each key that names no rate of its own. */
  readonly keyBucket: { readonly capacity: number; readonly refillPerSecond: number };
  /** How many 401s a client network gets in a minute before it is answered 429. */
  readonly failuresPerMinute: number;
  /** How many signups a client address (IPv6: a /64) gets in an hour. Its /24 (IPv6: /48) gets ten times as many. */
  readonly signupsPerHour: number;
  /** Whether loopback is spared from the limit of failures, as it is in the local profile. */
  readonly exemptLoopback: boolean;
  /** Whether only requests to a loopback name or to `publicUrl` are answered: the local profile's defence against DNS rebinding. */
  readonly loopbackHostsOnly: boolean;
  /** How many projects a tenant may have in each mode. Null: any number. */
  readonly projectsMax: number | null;
  /** How many admins must decide the same of a developer's business before it holds. */
  readonly kybApprovals: 1 | 2;
  /** How old a tenant's data key may get before it is rotated. */
  readonly dataKeyAgeMaxDays: number;
  /** How long whoever waits for a store is kept waiting before the answer is 503. */
  readonly storeTimeoutMs: number;
  /** The least time an answer takes whose duration must not tell whether an address has an account. */
  readonly steadyMs: number;
  /** How long a call waits for the work that it has begun, before it answers that it still runs. */
  readonly syncWaitMs: number;
  /** After how long a vendor that did not answer is asked again, the first time; each further pause is twice as long. */
  readonly vendorRetryMs: number;
  /** How long after its answer was given up what a vendor was asked for may still come to be. */
  readonly vendorSettleMs: number;
  /** How often a vendor is asked that does not answer, where it can be given up, and where it cannot. */
  readonly vendorPatience: { readonly brief: number; readonly long: number };
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
  // With the pauses between: about a minute, and more than an hour.
  vendorPatience: { brief: 8, long: 80 },
} as const satisfies Partial<Settings>;
