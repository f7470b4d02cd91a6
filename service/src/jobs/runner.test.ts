import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { startJobs } from "./runner.ts";

const log = pino({ level: "silent" });
const HOUR_MS = 3_600_000;

describe("jobs", () => {
  it("stop when a run that is under way has ended, and not after the pause that would follow it", async () => {
    let end = () => {};
    const underWay = new Promise<void>((resolve) => {
      end = resolve;
    });
    let runs = 0;
    const jobs = startJobs(
      [
        {
          name: "slow",
          everyMs: HOUR_MS,
          run: () => {
            runs += 1;
            return underWay;
          },
        },
      ],
      log,
    );

    const stopped = jobs.stop();
    end();

    await expect(stopped).resolves.toBeUndefined();
    expect(runs).toBe(1);
  });

  it("stop at once in a pause", async () => {
    const jobs = startJobs([{ name: "rare", everyMs: HOUR_MS, run: async () => {} }], log);
    await new Promise((resolve) => setImmediate(resolve));

    await expect(jobs.stop()).resolves.toBeUndefined();
  });

  it("go on after a run that failed", async () => {
    let runs = 0;
    const jobs = startJobs(
      [
        {
          name: "failing",
          everyMs: 1,
          run: async () => {
            runs += 1;
            throw new Error("for this test");
          },
        },
      ],
      log,
    );

    await expect.poll(() => runs).toBeGreaterThan(2);
    await jobs.stop();
  });
});
