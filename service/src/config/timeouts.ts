import type { Reader } from "./reader.ts";

/** A variable in milliseconds: its name, its default, and the range that production accepts. */
type Timeout = readonly [name: string, fallback: number, min: number, max: number];

const TIMEOUTS = {
  /** The longest wait for a store before the response is 503. */
  storeMs: ["PURSER_STORE_TIMEOUT_MS", 400, 100, 5_000],
  /** The longest wait for Redis. */
  redisMs: ["PURSER_REDIS_TIMEOUT_MS", 250, 50, 5_000],
  /**
   * The longest duration of a database statement, with its wait for locks. A database that hangs during a write is
   * noticed only after this time.
   */
  statementMs: ["PURSER_STATEMENT_TIMEOUT_MS", 1_200, 500, 5_000],
  /** The longest time for a request to arrive completely. */
  requestMs: ["PURSER_REQUEST_TIMEOUT_MS", 30_000, 1_000, 120_000],
  /** The longest time without progress in sending a response. Then the connection is closed. */
  stallMs: ["PURSER_STALL_TIMEOUT_MS", 10_000, 1_000, 120_000],
  /** The longest wait for running requests when the process shuts down. */
  drainMs: ["PURSER_DRAIN_TIMEOUT_MS", 25_000, 1_000, 600_000],
  /** The minimum duration of calls whose timing must not reveal whether an address has an account. */
  minimumDurationMs: ["PURSER_STEADY_MS", 250, 250, 5_000],
  /**
   * The longest wait of a call for the operation that it started. After it, the response says that the operation is
   * running.
   */
  syncWaitMs: ["PURSER_SYNC_WAIT_MS", 20_000, 1_000, 60_000],
  /** Timeout of calls to service providers and to the payment processor. */
  providerMs: ["PURSER_PROVIDER_TIMEOUT_MS", 10_000, 1_000, 60_000],
  /** Timeout of calls to GitHub and Google during a login. */
  loginMs: ["PURSER_LOGIN_TIMEOUT_MS", 5_000, 500, 30_000],
  /** Timeout of the call that checks a developer's provider key. */
  keyCheckMs: ["PURSER_KEY_CHECK_TIMEOUT_MS", 5_000, 500, 30_000],
  /** The first pause before a vendor call is retried. Each further pause is twice as long. */
  vendorRetryMs: ["PURSER_VENDOR_RETRY_MS", 250, 100, 10_000],
  /** Time after a vendor call's timeout within which its effect may still appear. */
  vendorSettleMs: ["PURSER_VENDOR_SETTLE_MS", 15_000, 5_000, 120_000],
  /**
   * Time without a heartbeat after which other processes continue a process's workflows. Longer than the timeout of
   * vendor calls, so that a running call has ended by then.
   */
  workflowLeaseMs: ["PURSER_WORKFLOW_LEASE_MS", 15_000, 5_000, 300_000],
  /**
   * How often the workflow queue is polled. The queue holds only workflows taken over from processes that have died.
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
 * Problems that only production refuses. Values below the range cause needless failures; values above it make callers
 * wait.
 */
export function checkTimeouts(timeouts: TimeoutsConfig): string[] {
  const problems = NAMES.flatMap((key) => {
    const [name, , min, max] = TIMEOUTS[key];
    const isWithin = timeouts[key] >= min && timeouts[key] <= max;
    return isWithin
      ? []
      : [`${name} is ${timeouts[key]}. In production it must be from ${min} to ${max}.`];
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
