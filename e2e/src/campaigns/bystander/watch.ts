import { setTimeout as wait } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { signedCaller } from "../../conformance/callers.ts";
import type { KeyPair } from "../../signed-client.ts";

/** The data passed to the worker thread. */
export interface WatchInput {
  readonly url: string;
  readonly pair: KeyPair;
}

/** The longest response times, and the statuses other than 200, since the worker thread's previous message. */
export interface Waits {
  readonly healthMs: number;
  readonly signedGetMs: number;
  readonly failures: readonly string[];
}

const PAUSE_MS = 10;

/** Runs in a worker thread, so that the attacking code does not delay the measurement. */
function watch({ url, pair }: WatchInput): void {
  const me = { method: "GET", path: "/developers/me" } as const;
  const health = startProbe(() => fetch(`${url}/healthz`).then(drain));
  const signedGet = startProbe(() => signedCaller(url, pair, { retriesMax: 0 })(me));

  parentPort?.on("message", async () => {
    const [one, other] = await Promise.all([health.take(), signedGet.take()]);
    const waits: Waits = {
      healthMs: one.worstMs,
      signedGetMs: other.worstMs,
      failures: [...one.failures, ...other.failures],
    };
    parentPort?.postMessage(waits);
  });
}

interface ProbeResult {
  readonly worstMs: number;
  readonly failures: readonly string[];
}

/** Sends requests continuously. `take` waits for the current request, then returns and resets the measurements. */
function startProbe(ask: () => Promise<{ readonly status: number }>): {
  take(): Promise<ProbeResult>;
} {
  let worstMs = 0;
  let failures: string[] = [];
  const askOnce = async () => {
    const startedAtMs = performance.now();
    const status = await ask().then((response) => String(response.status), String);
    worstMs = Math.max(worstMs, performance.now() - startedAtMs);
    if (status !== "200") failures.push(status);
  };
  let open = askOnce();
  const repeat = async () => {
    for (;;) {
      await open;
      await wait(PAUSE_MS);
      open = askOnce();
    }
  };
  void repeat();
  const take = async () => {
    await open;
    const result = { worstMs, failures };
    worstMs = 0;
    failures = [];
    return result;
  };
  return { take };
}

async function drain(response: Response): Promise<Response> {
  await response.arrayBuffer();
  return response;
}

watch(workerData);
