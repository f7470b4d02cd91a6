import { describe, expect, it } from "vitest";
import { NO_RETRY, pauseMs, RETRY_WITHIN_REQUEST, type RetryPolicy, retry } from "./retry.ts";

const POLICY: RetryPolicy = { attemptsMax: 4, firstPauseMs: 1, longestPauseMs: 6, jitter: false };
const always = { isWorthRetrying: () => true };

/** Returns a function that fails in its first `times` calls and then succeeds. */
function failing(times: number) {
  const work = async () => {
    work.attempts += 1;
    if (work.attempts <= times) throw new Error(`failure ${work.attempts}`);
    return "done";
  };
  work.attempts = 0;
  return work;
}

describe("pauseMs", () => {
  it.each([
    [1, null, 1],
    [2, null, 2],
    [3, null, 4],
    [4, null, 6],
    [2_000, null, 6],
    [1, 5, 5],
    [1, 60_000, 6],
  ])("after attempt %i, with a requested pause of %s ms: %i ms", (attempt, requested, expected) => {
    expect(pauseMs(POLICY, attempt, requested)).toBe(expected);
  });

  it("with jitter: at most half longer, and never above the longest pause", () => {
    const policy = { ...POLICY, firstPauseMs: 100, longestPauseMs: 380, jitter: true };

    const pauses = Array.from({ length: 200 }, () => pauseMs(policy, 1));

    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(100);
    expect(Math.max(...pauses)).toBeLessThan(150);
    expect(new Set(pauses).size).toBeGreaterThan(100);
    expect(Array.from({ length: 200 }, () => pauseMs(policy, 3))).toEqual(Array(200).fill(380));
  });

  it("with jitter: never shorter than the requested pause", () => {
    const policy = { ...POLICY, longestPauseMs: 100, jitter: true };

    const pauses = Array.from({ length: 200 }, () => pauseMs(policy, 1, 50));

    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(50);
  });
});

describe("retry", () => {
  it("repeats the work until it succeeds", async () => {
    const work = failing(3);

    expect(await retry(work, POLICY, always)).toBe("done");
    expect(work.attempts).toBe(4);
  });

  it("throws the last error after the policy's last attempt", async () => {
    const work = failing(9);

    await expect(retry(work, POLICY, always)).rejects.toThrow("failure 4");
    expect(work.attempts).toBe(4);
  });

  it("makes one attempt if the policy allows only one", async () => {
    const work = failing(1);

    await expect(retry(work, NO_RETRY, always)).rejects.toThrow("failure 1");
    expect(work.attempts).toBe(1);
  });

  it("makes one attempt if the error is not worth retrying", async () => {
    const work = failing(1);

    await expect(retry(work, POLICY, { isWorthRetrying: () => false })).rejects.toThrow();
    expect(work.attempts).toBe(1);
  });

  it("throws if the next attempt would start after the time limit", async () => {
    const work = failing(9);
    const policy = { ...POLICY, firstPauseMs: 20, longestPauseMs: 1_000 };

    await expect(retry(work, policy, { ...always, withinMs: 50 })).rejects.toThrow("failure 2");
  });

  it("throws if the requested pause is longer than the longest pause", async () => {
    const work = failing(1);

    await expect(retry(work, POLICY, { ...always, requestedPauseMs: () => 7 })).rejects.toThrow("failure 1");
    expect(work.attempts).toBe(1);
  });

  it("retries if the requested pause is not longer than the longest pause", async () => {
    for (const requestedPauseMs of [1, POLICY.longestPauseMs]) {
      const work = failing(1);

      expect(await retry(work, POLICY, { ...always, requestedPauseMs: () => requestedPauseMs })).toBe("done");
    }
  });

  it("retries if no pause is requested", async () => {
    expect(await retry(failing(1), POLICY, { ...always, requestedPauseMs: () => null })).toBe("done");
  });
});

describe("RETRY_WITHIN_REQUEST", () => {
  it("pauses for 100 to 150 ms first, and for at most 2 s", () => {
    const first = Array.from({ length: 100 }, () => pauseMs(RETRY_WITHIN_REQUEST, 1));

    expect(Math.min(...first)).toBeGreaterThanOrEqual(100);
    expect(Math.max(...first)).toBeLessThan(150);
    expect(new Set(first).size).toBeGreaterThan(50);
    expect(pauseMs(RETRY_WITHIN_REQUEST, 10)).toBe(2_000);
  });

  it("throws after three attempts", async () => {
    const work = failing(9);

    await expect(retry(work, { ...RETRY_WITHIN_REQUEST, firstPauseMs: 0 }, always)).rejects.toThrow("failure 3");
  });
});
