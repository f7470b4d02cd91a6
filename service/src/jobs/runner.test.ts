import { pino } from "pino";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { WakeUps } from "../due-work/wake-ups.ts";
import { startJobs } from "./runner.ts";

const log = pino({ level: "silent" });
const HOUR_MS = 3_600_000;

describe("startJobs", () => {
  it("stop: waits for a running job and not for the pause after it", async () => {
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

  it("stop: resolves immediately during a pause", async () => {
    const jobs = startJobs([{ name: "rare", everyMs: HOUR_MS, run: async () => {} }], log);
    await new Promise((resolve) => setImmediate(resolve));

    await expect(jobs.stop()).resolves.toBeUndefined();
  });

  it.each([
    ["during its pause", 0],
    ["while it runs", 1],
  ])("runs a job again at once that is woken %s, and once", async (_when, run) => {
    const wakeUps = new WakeUps();
    let runs = 0;
    const jobs = startJobs(
      [
        {
          name: "send",
          everyMs: HOUR_MS,
          run: async () => {
            runs += 1;
            if (runs === run) wakeUps.wake("send");
          },
        },
      ],
      log,
      wakeUps,
    );
    if (run === 0) setTimeout(() => wakeUps.wake("send"), 20);

    await vi.waitUntil(() => runs === 2, 15_000);
    await new Promise((resolve) => setTimeout(resolve, 50));

    expect(runs).toBe(2);
    await jobs.stop();
  });

  it("runs a job less often while it returns 0, and at the normal interval after any other result", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const answers = [0, 0, 0, 0, 3, 0];
    let runs = 0;
    const run = async () => {
      runs += 1;
      return answers[runs - 1];
    };
    const jobs = startJobs([{ name: "relay", everyMs: 100, idleEveryMs: 400, run }], log);
    const runsIn = async (ms: number) => {
      const before = runs;
      await vi.advanceTimersByTimeAsync(ms);
      return runs - before;
    };

    await runsIn(0);
    for (const pauseMs of [200, 400, 400, 400, 100, 200]) {
      expect({ pauseMs, early: await runsIn(pauseMs - 1), onTime: await runsIn(1) }).toEqual({
        pauseMs,
        early: 0,
        onTime: 1,
      });
    }
    await jobs.stop();
  });

  it("logs the same failure once a minute, with its cause", async () => {
    const lines: string[] = [];
    const failures = ["ECONNREFUSED", "ECONNREFUSED", "ECONNREFUSED", "too many clients"];
    let runs = 0;
    const run = async () => {
      runs += 1;
      throw new Error("unavailable", { cause: new Error(failures[runs - 1] ?? "too many clients") });
    };
    const jobs = startJobs(
      [{ name: "failing", everyMs: 1, run }],
      pino({}, { write: (line) => void lines.push(line) }),
    );

    await vi.waitFor(() => expect(runs).toBeGreaterThan(5));
    await jobs.stop();

    const logged = lines.map((line) => JSON.parse(line));
    const causes = ["ECONNREFUSED", "too many clients"];
    expect(logged).toMatchObject(causes.map((cause) => ({ job: "failing", message: "unavailable", cause })));
    expect(logged).toHaveLength(2);
  });

  it("continues after a run that failed", async () => {
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
