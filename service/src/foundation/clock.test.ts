import { expect, it } from "vitest";
import { systemClock } from "./clock.ts";

it("the time of the machine: the system clock is read", () => {
  const before = Date.now();
  const now = systemClock.now().getTime();

  expect(now).toBeGreaterThanOrEqual(before);
  expect(now).toBeLessThanOrEqual(Date.now());
});
