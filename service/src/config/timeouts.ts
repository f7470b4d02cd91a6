import type { Reader } from "./reader.ts";

/** A timeout's environment variable, its default in milliseconds, and the range that production accepts. */
type Timeout = readonly [name: string, fallback: number, min: number, max: number];

const TIMEOUTS = {
  /** How long a request waits for the database or Redis before it fails with a 503. */
  storeMs: ["PURSER_STORE_TIMEOUT_MS", 400, 100, 5_000],
  /** Timeout for a Redis command. */
  redisMs: ["PURSER_REDIS_TIMEOUT_MS", 250, 50, 5_000],
  /**
   * Timeout for a database statement, including the time it waits for locks. A database that hangs during a write is
   * detected only after this time.
   */
  statementMs: ["PURSER_STATEMENT_TIMEOUT_MS", 1_200, 500, 5_000],
  /** Time limit for receiving a complete request. */
  requestMs: ["PURSER_REQUEST_TIMEOUT_MS", 30_000, 1_000, 120_000],
  /** How long the sending of a response can stall before the connection is closed. */
  stallMs: ["PURSER_STALL_TIMEOUT_MS", 10_000, 1_000, 120_000],
  /** How long a shutdown waits for running requests. */
  drainMs: ["PURSER_DRAIN_TIMEOUT_MS", 25_000, 1_000, 600_000],
  /** Minimum response time of calls whose timing must not reveal whether an email address has an account. */
  minimumDurationMs: ["PURSER_STEADY_MS", 250, 250, 5_000],
  /**
   * How long a call waits for the operation that it started. After this time, the response says that the operation is
   * still running.
   */
  syncWaitMs: ["PURSER_SYNC_WAIT_MS", 20_000, 1_000, 60_000],
  /** Timeout for calls to service providers and the payment processor. */
  providerMs: ["PURSER_PROVIDER_TIMEOUT_MS", 10_000, 1_000, 60_000],
  /** Timeout for calls to the nodes of blockchain networks. */
  rpcMs: ["PURSER_RPC_TIMEOUT_MS", 5_000, 500, 30_000],
  /** Timeout for calls to GitHub and Google during a login. */
  loginMs: ["PURSER_LOGIN_TIMEOUT_MS", 5_000, 500, 30_000],
  /** Timeout for the call that verifies a developer's provider key. */
  keyCheckMs: ["PURSER_KEY_CHECK_TIMEOUT_MS", 5_000, 500, 30_000],
  /** Pause before the first retry of a vendor call. Each further pause is twice as long. */
  vendorRetryMs: ["PURSER_VENDOR_RETRY_MS", 250, 100, 10_000],
  /** How long after its timeout a vendor call may still take effect. */
  vendorSettleMs: ["PURSER_VENDOR_SETTLE_MS", 15_000, 5_000, 120_000],
  /**
   * If a process has not renewed its lease for this long, other processes take over its workflows. Must be longer than
   * the timeout for vendor calls. The process's last vendor call has therefore ended before the takeover.
   */
  workflowLeaseMs: ["PURSER_WORKFLOW_LEASE_MS", 15_000, 5_000, 300_000],
  /**
   * How often the workflow queue is polled. The queue contains only workflows that were taken over from other
   * processes.
   */
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

/**
 * Returns a message for each timeout that production does not allow. Timeouts that are too short cause needless
 * failures. Timeouts that are too long make callers wait.
 */
export function checkTimeouts(timeouts: TimeoutsConfig): string[] {
  const problems = NAMES.flatMap((key) => {
    const [name, , min, max] = TIMEOUTS[key];
    const isWithin = timeouts[key] >= min && timeouts[key] <= max;
    return isWithin ? [] : [`${name} is ${timeouts[key]}. In production it must be from ${min} to ${max}.`];
  });
  if (timeouts.workflowLeaseMs <= timeouts.providerMs) {
    problems.push(
      "PURSER_WORKFLOW_LEASE_MS must be greater than PURSER_PROVIDER_TIMEOUT_MS. Otherwise another process takes over a workflow during a vendor call.",
    );
  }
  if (timeouts.drainMs < timeouts.syncWaitMs) {
    problems.push(
      "PURSER_DRAIN_TIMEOUT_MS must not be less than PURSER_SYNC_WAIT_MS. Otherwise a shutdown interrupts calls that wait for an operation.",
    );
  }
  return problems;
}
