import { describe, expect, it, onTestFinished, vi } from "vitest";
import { watchStopSignals } from "../src/stop-signals.ts";

const NAMES = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

describe("watchStopSignals", () => {
  it.each(NAMES)("%s requests a stop; a second one after half a second forces it", async (name) => {
    onTestFinished(removeNewListeners());
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const signals = watchStopSignals({ runsUnderNpm: false });
    let forced: string | undefined;
    void signals.forced.then((signal) => {
      forced = signal;
    });
    expect(signals.isRequested).toBe(false);

    process.emit(name, name);
    expect(signals.isRequested).toBe(true);
    expect(await signals.requested).toBe(name);
    for (const other of NAMES) process.emit(other, other);
    await Promise.resolve();
    expect(forced).toBeUndefined();
    vi.advanceTimersByTime(501);
    process.emit(name, name);

    expect(await signals.forced).toBe(name);
  });
});

/**
 * Returns a function that removes the signal listeners that the test adds. These listeners would prevent signals from
 * ending the test worker.
 */
function removeNewListeners(): () => void {
  const before = new Map(NAMES.map((name) => [name, process.listeners(name)]));
  return () => {
    for (const name of NAMES) {
      for (const listener of process.listeners(name)) {
        if (!before.get(name)?.includes(listener)) process.off(name, listener);
      }
    }
  };
}
