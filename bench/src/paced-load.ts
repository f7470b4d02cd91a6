import { Agent, request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { CONNECTIONS } from "./measure.ts";
import type { NextRequest } from "./signer.ts";

export interface PacedLatency {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/**
 * Sends requests at a constant rate, without waiting for earlier responses. Latency is measured from the scheduled
 * time, so a request that is sent late counts as slow. Throws if a status is not 200.
 */
export async function pacedLatency({
  origin,
  next,
  perSecond,
  seconds,
}: {
  readonly origin: string;
  readonly next: NextRequest;
  readonly perSecond: number;
  readonly seconds: number;
}): Promise<PacedLatency> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const startedMs = performance.now();
  const latencies: Promise<number>[] = [];
  while (latencies.length < perSecond * seconds) {
    const dueMs = startedMs + (latencies.length * 1_000) / perSecond;
    const earlyMs = dueMs - performance.now();
    if (earlyMs > 0) await wait(earlyMs);
    const sent = send(agent, origin, next, dueMs);
    // Prevents an unhandled rejection. `Promise.all` below throws the error.
    sent.catch(() => {});
    latencies.push(sent);
  }
  const samplesMs = (await Promise.all(latencies)).sort((a, b) => a - b);
  agent.destroy();
  const at = (share: number) => samplesMs[Math.floor(samplesMs.length * share)] ?? Number.NaN;
  return { p50Ms: at(0.5), p99Ms: at(0.99) };
}

/** Sends a request. Returns the milliseconds from its scheduled time (`dueMs`) to the end of the response. */
function send(agent: Agent, origin: string, next: NextRequest, dueMs: number): Promise<number> {
  const { method = "GET", path, headers, body } = next();
  return new Promise((resolve, reject) => {
    request(origin + path, { agent, method, headers }, (response) => {
      response.resume();
      response.once("error", reject);
      response.once("end", () => {
        if (response.statusCode === 200) resolve(performance.now() - dueMs);
        else reject(new Error(`${path} responded ${response.statusCode}.`));
      });
    })
      .once("error", reject)
      .end(body);
  });
}
