import { setTimeout as wait } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { signing } from "../../conformance/callers.ts";
import type { KeyPair } from "../../signed-client.ts";

/** What the watching thread is given when it starts. */
export interface Watched {
  readonly url: string;
  readonly pair: KeyPair;
}

/** The slowest answers since the thread was last asked, and the answers other than 200. */
export interface Waits {
  readonly healthMs: number;
  readonly signedGetMs: number;
  readonly failures: readonly string[];
}

const PAUSE_MS = 10;

/** Runs in a thread of its own, so that the time it measures is the service's and not that of who sends the attack. */
function watch({ url, pair }: Watched): void {
  const me = { method: "GET", path: "/developers/me" } as const;
  const health = startProbe(() => fetch(`${url}/healthz`).then(drain));
  const signedGet = startProbe(() => signing(url, pair, { retriesMax: 0 })(me));

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

interface Seen {
  readonly worstMs: number;
  readonly failures: readonly string[];
}

/** Asks again and again. `take` waits for the request that is open, tells what was seen, and begins anew. */
function startProbe(ask: () => Promise<{ readonly status: number }>): {
  take(): Promise<Seen>;
} {
  let worstMs = 0;
  let failures: string[] = [];
  const askOnce = async () => {
    const begunAtMs = performance.now();
    const status = await ask().then((answer) => String(answer.status), String);
    worstMs = Math.max(worstMs, performance.now() - begunAtMs);
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
    const seen = { worstMs, failures };
    worstMs = 0;
    failures = [];
    return seen;
  };
  return { take };
}

async function drain(response: Response): Promise<Response> {
  await response.arrayBuffer();
  return response;
}

watch(workerData);
