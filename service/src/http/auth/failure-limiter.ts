import { LRUCache } from "lru-cache";
import type { Clock } from "../../foundation/clock.ts";
import { AppError } from "../../foundation/errors.ts";
import { isLoopbackAddress } from "../../foundation/networks.ts";
import type { Settings } from "../../foundation/settings.ts";
import { clientNetworkOf } from "./client-network.ts";

const MINUTE_MS = 60_000;
const NETWORKS_MAX = 100_000;

/**
 * Limits how many rejected requests a client network can send: 401s on any route, and 422s of requests with a body on
 * public routes (docs/rules/rate-limits.md).
 */
export interface FailureLimiter {
  /** Throws `rate_limited` if the network had too many rejected requests in the last minute. */
  check(address: string): void;
  count(address: string): void;
}

/**
 * Each process counts in its own memory. If the counts were in Redis, unauthenticated callers could cause load on
 * Redis.
 */
export function createFailureLimiter(clock: Clock, { failuresPerMinute, exemptLoopback }: Settings): FailureLimiter {
  const failures = new LRUCache<string, { minute: number; current: number; previous: number }>({
    maxSize: NETWORKS_MAX,
    // Every entry has size 1, so `maxSize` limits the number of entries. `max` would preallocate memory for all
    // entries.
    sizeCalculation: () => 1,
  });
  const exempt = (address: string) => exemptLoopback && isLoopbackAddress(address);

  /**
   * Approximates a sliding window: the previous minute counts in proportion to its overlap with the last 60 seconds.
   */
  function counts(address: string) {
    const nowMs = clock.now().getTime();
    const minute = Math.floor(nowMs / MINUTE_MS);
    const known = failures.get(clientNetworkOf(address));
    const current = known?.minute === minute ? known.current : 0;
    const last = known?.minute === minute - 1 ? known.current : 0;
    const previous = known?.minute === minute ? known.previous : last;
    const elapsed = (nowMs % MINUTE_MS) / MINUTE_MS;
    return { minute, current, previous, sliding: current + previous * (1 - elapsed), elapsed };
  }

  return {
    check: (address) => {
      if (exempt(address)) return;
      const { sliding, elapsed } = counts(address);
      if (sliding < failuresPerMinute) return;
      const retryAfterSeconds = Math.max(1, Math.ceil((1 - elapsed) * 60));
      throw new AppError("rate_limited", {
        retryAfterSeconds,
        internal: "too many rejected requests",
      });
    },
    count: (address) => {
      if (exempt(address)) return;
      const { minute, current, previous } = counts(address);
      failures.set(clientNetworkOf(address), { minute, current: current + 1, previous });
    },
  };
}
