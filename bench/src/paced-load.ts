import { Agent, get } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { CONNECTIONS } from "./measure.ts";
import type { NextRequest } from "./signer.ts";

export interface PacedLatency {
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/**
 * Sends requests at a steady pace, whether the ones before have been answered or not, and tells how long they took from the
 * moment when each was due: one that had to wait to be sent is late too. Throws where any answer was not a 200.
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
  const beganMs = performance.now();
  const underWay: Promise<number>[] = [];
  while (underWay.length < perSecond * seconds) {
    const dueMs = beganMs + (underWay.length * 1_000) / perSecond;
    const earlyMs = dueMs - performance.now();
    if (earlyMs > 0) await wait(earlyMs);
    const sent = send(agent, origin, next, dueMs);
    // Whoever waits for all of them is told of one that fails, and not the process before that.
    sent.catch(() => {});
    underWay.push(sent);
  }
  const taken = (await Promise.all(underWay)).sort((a, b) => a - b);
  agent.destroy();
  const at = (share: number) => taken[Math.floor(taken.length * share)] ?? Number.NaN;
  return { p50Ms: at(0.5), p99Ms: at(0.99) };
}

/** Milliseconds from when it was due until its answer was there. */
function send(agent: Agent, origin: string, next: NextRequest, dueMs: number): Promise<number> {
  const { path, headers } = next();
  return new Promise((resolve, reject) => {
    get(origin + path, { agent, headers }, (answer) => {
      answer.resume();
      answer.once("error", reject);
      answer.once("end", () => {
        if (answer.statusCode === 200) resolve(performance.now() - dueMs);
        else reject(new Error(`${path} answered ${answer.statusCode}.`));
      });
    }).once("error", reject);
  });
}
