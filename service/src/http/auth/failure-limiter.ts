import { LRUCache } from "lru-cache";
import type { Clock } from "../../foundation/clock.ts";
import { AppError } from "../../foundation/errors.ts";
import { isLoopbackAddress } from "../../foundation/networks.ts";
import type { Settings } from "../../foundation/settings.ts";
import { networkOf } from "./client-network.ts";

const MINUTE_MS = 60_000;
const NETWORKS_MAX = 100_000;

/** Counts the 401s that each client network was given, and no other answer. */
export interface FailureLimiter {
  /** Throws `rate_limited` when the network has had too many within the last minute. */
  check(address: string): void;
  count(address: string): void;
}

/**
 * The limiter that stands before step 1 (contract, ruling 3). Each process counts by itself: asking a shared store before
 * anything is known of the caller would let anybody spend its time.
 */
export function createFailureLimiter(
  clock: Clock,
  { failuresPerMinute, exemptLoopback }: Settings,
): FailureLimiter {
  const failures = new LRUCache<string, { minute: number; now: number; before: number }>({
    maxSize: NETWORKS_MAX,
    // With `max`, room for all of them would be allocated here.
    sizeCalculation: () => 1,
  });
  const exempt = (address: string) => exemptLoopback && isLoopbackAddress(address);

  /** Two fixed minutes weighed by how far the present one has gone: a sliding minute, in three numbers a network. */
  function counts(address: string) {
    const nowMs = clock.now().getTime();
    const minute = Math.floor(nowMs / MINUTE_MS);
    const known = failures.get(networkOf(address));
    const now = known?.minute === minute ? known.now : 0;
    const last = known?.minute === minute - 1 ? known.now : 0;
    const before = known?.minute === minute ? known.before : last;
    const gone = (nowMs % MINUTE_MS) / MINUTE_MS;
    return { minute, now, before, sliding: now + before * (1 - gone), gone };
  }

  return {
    check: (address) => {
      if (exempt(address)) return;
      const { sliding, gone } = counts(address);
      if (sliding < failuresPerMinute) return;
      const retryAfterSeconds = Math.max(1, Math.ceil((1 - gone) * 60));
      throw new AppError("rate_limited", { retryAfterSeconds, internal: "too many 401s" });
    },
    count: (address) => {
      if (exempt(address)) return;
      const { minute, now, before } = counts(address);
      failures.set(networkOf(address), { minute, now: now + 1, before });
    },
  };
}
