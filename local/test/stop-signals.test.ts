import { describe, expect, it, onTestFinished, vi } from "vitest";
import { watchStopSignals } from "../src/stop-signals.ts";

const NAMES = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

describe("the signals that stop npm start", () => {
  it.each(NAMES)("asks once for a stop at %s, and urges it half a second later", async (name) => {
    onTestFinished(forgetListeners());
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const signals = watchStopSignals({ runsUnderNpm: false });
    let urged: string | undefined;
    void signals.urged.then((signal) => {
      urged = signal;
    });
    expect(signals.isAsked).toBe(false);

    process.emit(name, name);
    expect(signals.isAsked).toBe(true);
    expect(await signals.asked).toBe(name);
    for (const other of NAMES) process.emit(other, other);
    await Promise.resolve();
    expect(urged).toBeUndefined();
    vi.advanceTimersByTime(501);
    process.emit(name, name);

    expect(await signals.urged).toBe(name);
  });
});

/** Takes away the listeners that are added from now on: the worker of this test is to end as others do. */
function forgetListeners(): () => void {
  const before = new Map(NAMES.map((name) => [name, process.listeners(name)]));
  return () => {
    for (const name of NAMES) {
      for (const listener of process.listeners(name)) {
        if (!before.get(name)?.includes(listener)) process.off(name, listener);
      }
    }
  };
}
