import { describe, expect, it } from "vitest";
import { useHarness } from "../../../test/harness.ts";
import { watchClock } from "./index.ts";

describe("watchClock", () => {
  const harness = useHarness();
  const offBy = (ms: number) => () => new Date(Date.now() + ms);

  it.each([
    [0, null, 0],
    [-1_000, null, 0],
    [3_000, null, 1],
    [-3_000, null, 1],
    [60_000, "refuses", 1],
    [-60_000, "refuses", 1],
  ] as const)("a difference of %i ms: refusal %s, %i alarms", async (ms, refusal, alarms) => {
    harness.logLines.length = 0;

    await watchClock(harness.app, offBy(ms));

    expect(harness.app.health.refusal === null).toBe(refusal === null);
    expect(harness.logLines.filter((line) => line.includes("clock differs"))).toHaveLength(alarms);
  });

  it("clears the refusal when the clocks agree; ignores the app's clock", async () => {
    await watchClock(harness.app, offBy(60_000));
    harness.clock.advanceSeconds(3_600);

    await watchClock(harness.app, offBy(0));

    expect(harness.app.health.refusal).toBeNull();
  });
});
