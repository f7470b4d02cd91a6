import { describe, expect, it } from "vitest";
import { useHarness } from "../../../test/harness.ts";
import { watchClock } from "./health.ts";

describe("watchClock", () => {
  const harness = useHarness();
  const offBy = (ms: number) => () => new Date(Date.now() + ms);

  it.each([
    [0, true, 0],
    [-1_000, true, 0],
    [3_000, true, 1],
    [-3_000, true, 1],
    [60_000, false, 1],
    [-60_000, false, 1],
  ] as const)("a clock difference of %i ms: API available %s, %i logged errors", async (ms, isAvailable, errors) => {
    harness.logLines.length = 0;

    await watchClock(harness.app, offBy(ms));

    expect(harness.app.health.refusal === null).toBe(isAvailable);
    expect(harness.logLines.filter((line) => line.includes("clock differs"))).toHaveLength(errors);
  });

  it("makes the API available again when the clocks agree, regardless of the app's clock", async () => {
    await watchClock(harness.app, offBy(60_000));
    harness.clock.advanceSeconds(3_600);

    await watchClock(harness.app, offBy(0));

    expect(harness.app.health.refusal).toBeNull();
  });
});
