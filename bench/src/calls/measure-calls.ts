import type { Measurement } from "../measurement.ts";

/** A function in a comparison. It runs in this process, without a server. */
export interface CallTarget {
  readonly name: string;
  /** The number of callers. Each repeats the call, one at a time. */
  readonly callers: number;
  readonly call: () => Promise<void>;
}

/** Calls the function concurrently and measures it. The CPU time is this process's. */
export async function measureCalls({ callers, call }: CallTarget, seconds: number): Promise<Measurement> {
  const durationsMs: number[] = [];
  const cpuBefore = process.cpuUsage();
  const startedMs = performance.now();
  const endsMs = startedMs + seconds * 1_000;
  await Promise.all(
    Array.from({ length: callers }, async () => {
      for (let nowMs = startedMs; nowMs < endsMs; ) {
        await call();
        const endedMs = performance.now();
        durationsMs.push(endedMs - nowMs);
        nowMs = endedMs;
      }
    }),
  );
  const elapsedSeconds = (performance.now() - startedMs) / 1_000;
  const { user, system } = process.cpuUsage(cpuBefore);
  durationsMs.sort((a, b) => a - b);
  return {
    requestsPerSecond: durationsMs.length / elapsedSeconds,
    cpuMicrosPerRequest: (user + system) / durationsMs.length,
    p50Ms: durationsMs[Math.floor(durationsMs.length * 0.5)] ?? Number.NaN,
    p99Ms: durationsMs[Math.floor(durationsMs.length * 0.99)] ?? Number.NaN,
    busy: (user + system) / (elapsedSeconds * 1_000_000),
  };
}
