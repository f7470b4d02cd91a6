import type { Reader } from "./reader.ts";

/** A variable in milliseconds: its name, what it is where it is not set, and the least and the most that production takes. */
type Timeout = readonly [name: string, fallback: number, least: number, most: number];

const TIMEOUTS = {
  /** How long a store is waited for before the answer is 503. */
  storeMs: ["PURSER_STORE_TIMEOUT_MS", 400, 100, 5_000],
  /** How long Redis is waited for. */
  redisMs: ["PURSER_REDIS_TIMEOUT_MS", 250, 50, 5_000],
  /** For a row's lock too. A database that stands still in the middle of a write is noticed no sooner than this. */
  statementMs: ["PURSER_STATEMENT_TIMEOUT_MS", 1_200, 500, 5_000],
  /** How long a request may take to arrive whole. */
  requestMs: ["PURSER_REQUEST_TIMEOUT_MS", 30_000, 1_000, 120_000],
  /** How long an answer may make no progress before its connection is closed. */
  stallMs: ["PURSER_STALL_TIMEOUT_MS", 10_000, 1_000, 120_000],
  /** How long requests under way may take at the end of a process. */
  drainMs: ["PURSER_DRAIN_TIMEOUT_MS", 25_000, 1_000, 600_000],
  /** The least time an answer takes whose duration must not tell whether an address has an account. */
  steadyMs: ["PURSER_STEADY_MS", 250, 250, 5_000],
  /** How long a call waits for the work that it has begun, before it answers that it still runs. */
  syncWaitMs: ["PURSER_SYNC_WAIT_MS", 20_000, 1_000, 60_000],
  /** How long a provider of services and the payment processor are waited for. */
  providerMs: ["PURSER_PROVIDER_TIMEOUT_MS", 10_000, 1_000, 60_000],
  /** How long GitHub and Google are waited for when somebody signs in. */
  loginMs: ["PURSER_LOGIN_TIMEOUT_MS", 5_000, 500, 30_000],
  /** How long a vendor is waited for that says whether a developer's key works. */
  keyCheckMs: ["PURSER_KEY_CHECK_TIMEOUT_MS", 5_000, 500, 30_000],
  /** After how long a vendor that did not answer is asked again, the first time; each further pause is twice as long. */
  vendorRetryMs: ["PURSER_VENDOR_RETRY_MS", 250, 100, 10_000],
  /** How long after a vendor call was given up its effect may still appear. */
  vendorSettleMs: ["PURSER_VENDOR_SETTLE_MS", 15_000, 5_000, 120_000],
  /**
   * After how long without a sign of life others take a process's workflows over. Longer than a vendor is waited for, so
   * that a call that was under way has come to its end by then.
   */
  workflowLeaseMs: ["PURSER_WORKFLOW_LEASE_MS", 15_000, 5_000, 300_000],
  /** How often the queue is read. Only workflows taken over from dead processes are in it. */
  workflowPollMs: ["PURSER_WORKFLOW_POLL_MS", 2_000, 50, 10_000],
} as const satisfies Readonly<Record<string, Timeout>>;

export type TimeoutsConfig = Readonly<Record<keyof typeof TIMEOUTS, number>>;

const NAMES = Object.keys(TIMEOUTS) as (keyof typeof TIMEOUTS)[];

export const TIMEOUT_NAMES: readonly string[] = Object.values(TIMEOUTS).map(([name]) => name);

export function readTimeouts(read: Reader): TimeoutsConfig {
  const entries = NAMES.map((key) => {
    const [name, fallback] = TIMEOUTS[key];
    return [key, read.whole(name, fallback)];
  });
  return Object.fromEntries(entries);
}

/** Values that production refuses: too short, and requests fail without need; too long, and callers wait. */
export function checkTimeouts(timeouts: TimeoutsConfig): string[] {
  const problems = NAMES.flatMap((key) => {
    const [name, , least, most] = TIMEOUTS[key];
    const isWithin = timeouts[key] >= least && timeouts[key] <= most;
    return isWithin ? [] : [`${name} is ${timeouts[key]}. Production takes ${least} to ${most}.`];
  });
  if (timeouts.workflowLeaseMs <= timeouts.providerMs) {
    problems.push(
      "PURSER_WORKFLOW_LEASE_MS is not above PURSER_PROVIDER_TIMEOUT_MS: others would take over a call that is under way.",
    );
  }
  if (timeouts.drainMs < timeouts.syncWaitMs) {
    problems.push(
      "PURSER_DRAIN_TIMEOUT_MS is below PURSER_SYNC_WAIT_MS: calls that wait would be cut off.",
    );
  }
  return problems;
}
