import autocannon from "autocannon";
import { type CallTarget, measureCalls } from "./calls/measure-calls.ts";
import type { Measurement } from "./measurement.ts";
import type { ServerProcess } from "./server-process.ts";
import type { NextRequest } from "./signer.ts";

/** The default number of connections. */
export const CONNECTIONS = 32;

/** What a comparison measures. */
export type Target = ServerTarget | CallTarget;

interface ServerTarget {
  readonly name: string;
  readonly process: Pick<ServerProcess<unknown>, "cpuMicros">;
  /** Several origins get the same number of connections. */
  readonly origin: string | readonly string[];
  /**
   * A path for unsigned requests, or a function that builds each request. In a comparison, both servers must use a path
   * or both a function, because a function causes additional work for the load generator.
   */
  readonly sent: string | NextRequest;
  readonly connections?: number;
}

/** Sends load and ignores the result, so that code is compiled and connections are open before the measurement. */
export async function warmUp(target: Target, seconds: number): Promise<void> {
  await ("call" in target ? measureCalls(target, seconds) : load(target, seconds));
}

/**
 * Sends load to a server, or calls a function, and measures it. Throws if a response is not 2xx, because error responses are fast and would
 * distort the result.
 */
export async function measure(target: Target, seconds: number): Promise<Measurement> {
  if ("call" in target) return measureCalls(target, seconds);
  const { process } = target;
  const cpuBefore = await process.cpuMicros();
  const result = await load(target, seconds);
  const cpuMicros = (await process.cpuMicros()) - cpuBefore;
  if (result.errors > 0 || result.non2xx > 0 || result.requests.total === 0) {
    throw new Error(
      `${target.name}: ${result.errors} errors and ${result.non2xx} responses other than 2xx, of ${result.requests.total} responses.`,
    );
  }
  return {
    requestsPerSecond: result.requests.total / result.duration,
    cpuMicrosPerRequest: cpuMicros / result.requests.total,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    busy: cpuMicros / (result.duration * 1_000_000),
  };
}

function load({ origin, sent, connections = CONNECTIONS }: ServerTarget, seconds: number): Promise<autocannon.Result> {
  const isPath = typeof sent === "string";
  const urls = [origin].flat().map((each) => (isPath ? each + sent : each));
  return autocannon({
    url: urls,
    connections,
    duration: seconds,
    requests: isPath ? undefined : [{ setupRequest: (request) => ({ ...request, ...sent() }) }],
  });
}
