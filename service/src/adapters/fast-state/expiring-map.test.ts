import { describe, expect, it } from "vitest";
import { ExpiringMap } from "./expiring-map.ts";

describe("ExpiringMap", () => {
  it("keeps every entry until it expires, and does not grow over time", () => {
    const map = new ExpiringMap<number>();
    const live = 500;
    let largest = 0;

    for (let nowMs = 0; nowMs < 10_000; nowMs += 1) {
      map.set(`key ${nowMs}`, nowMs, { keepUntilMs: nowMs + live, nowMs });
      const oldestMs = Math.max(0, nowMs - live + 1);
      expect(map.get(`key ${oldestMs}`)).toBe(oldestMs);
      largest = Math.max(largest, map.size);
    }

    expect(largest).toBeLessThan(1.5 * live);
  });

  it("removes the entries of a burst during later use", () => {
    const map = new ExpiringMap<number>();
    for (let key = 0; key < 10_000; key += 1) {
      map.set(`burst ${key}`, key, { keepUntilMs: 100, nowMs: 0 });
    }

    for (let key = 0; key < 5_000; key += 1) map.set("same", key, { keepUntilMs: 500, nowMs: 200 });

    expect(map.size).toBe(1);
  });
});
