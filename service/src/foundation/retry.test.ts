import { describe, expect, it } from "vitest";
import { NO_RETRY, pauseMs, RETRY_WITHIN_REQUEST, type RetryPolicy, retry } from "./retry.ts";

const POLICY: RetryPolicy = { attemptsMax: 4, firstPauseMs: 1, longestPauseMs: 6, jitter: false };
const always = { isWorthRetrying: () => true };

/** Work that fails this number of times before it succeeds. */
function failing(times: number) {
  const work = async () => {
    work.attempts += 1;
    if (work.attempts <= times) throw new Error(`failure ${work.attempts}`);
    return "done";
  };
  work.attempts = 0;
  return work;
}

describe("the pause before another attempt", () => {
  it.each([
    [1, null, 1],
    [2, null, 2],
    [3, null, 4],
    [4, null, 6],
    [2_000, null, 6],
    [1, 5, 5],
    [1, 60_000, 6],
  ])("after attempt %i, asked for %s ms, is %i ms", (attempt, asked, expected) => {
    expect(pauseMs(POLICY, attempt, asked)).toBe(expected);
  });

  it("with jitter is up to half as long again, and never longer than the longest", () => {
    const policy = { ...POLICY, firstPauseMs: 100, longestPauseMs: 380, jitter: true };

    const pauses = Array.from({ length: 200 }, () => pauseMs(policy, 1));

    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(100);
    expect(Math.max(...pauses)).toBeLessThan(150);
    expect(new Set(pauses).size).toBeGreaterThan(100);
    expect(Array.from({ length: 200 }, () => pauseMs(policy, 3))).toEqual(Array(200).fill(380));
  });

  it("is no shorter than asked for, with jitter too", () => {
    const policy = { ...POLICY, longestPauseMs: 100, jitter: true };

    const pauses = Array.from({ length: 200 }, () => pauseMs(policy, 1, 50));

    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(50);
  });
});

describe("work that fails", () => {
  it("is done until it succeeds", async () => {
    const work = failing(3);

    expect(await retry(work, POLICY, always)).toBe("done");
    expect(work.attempts).toBe(4);
  });

  it("is given up with its last error after the policy's attempts", async () => {
    const work = failing(9);

    await expect(retry(work, POLICY, always)).rejects.toThrow("failure 4");
    expect(work.attempts).toBe(4);
  });

  it("is done once where the policy says so", async () => {
    const work = failing(1);

    await expect(retry(work, NO_RETRY, always)).rejects.toThrow("failure 1");
    expect(work.attempts).toBe(1);
  });

  it("is done once where another attempt is not worth it", async () => {
    const work = failing(1);

    await expect(retry(work, POLICY, { isWorthRetrying: () => false })).rejects.toThrow();
    expect(work.attempts).toBe(1);
  });

  it("is given up where the next attempt would begin too late", async () => {
    const work = failing(9);
    const policy = { ...POLICY, firstPauseMs: 20, longestPauseMs: 1_000 };

    await expect(retry(work, policy, { ...always, withinMs: 50 })).rejects.toThrow("failure 2");
  });

  it("is given up where it is asked to wait longer than the longest pause", async () => {
    const work = failing(1);

    await expect(retry(work, POLICY, { ...always, askedMs: () => 7 })).rejects.toThrow("failure 1");
    expect(work.attempts).toBe(1);
  });

  it("is done again: it is asked to wait no longer than the longest pause", async () => {
    for (const askedMs of [1, POLICY.longestPauseMs]) {
      const work = failing(1);

      expect(await retry(work, POLICY, { ...always, askedMs: () => askedMs })).toBe("done");
    }
  });

  it("is done again: nothing is asked", async () => {
    expect(await retry(failing(1), POLICY, { ...always, askedMs: () => null })).toBe("done");
  });
});

describe("the policy within a request", () => {
  it("pauses of 100 to 150 ms first and of 2 s at most, which differ: callers fail together", () => {
    const first = Array.from({ length: 100 }, () => pauseMs(RETRY_WITHIN_REQUEST, 1));

    expect(Math.min(...first)).toBeGreaterThanOrEqual(100);
    expect(Math.max(...first)).toBeLessThan(150);
    expect(new Set(first).size).toBeGreaterThan(50);
    expect(pauseMs(RETRY_WITHIN_REQUEST, 10)).toBe(2_000);
  });

  it("three attempts: work fails each time", async () => {
    const work = failing(9);

    await expect(retry(work, { ...RETRY_WITHIN_REQUEST, firstPauseMs: 0 }, always)).rejects.toThrow(
      "failure 3",
    );
  });
});
