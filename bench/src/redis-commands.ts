import { once } from "node:events";
import { createConnection, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { startRedis } from "../../service/test/fast-state/redis.ts";

const WARM_UP_REQUESTS = 50;
const REQUESTS = 1_000;
/** Longer than `CLOCK_MARGIN_MS` of Redis, because timestamps of requests have whole seconds. */
const FIRST_USE_MS = 3_500;
const LAST_COMMAND = "end of the benchmark";

export type RedisCommands =
  | { readonly skipped: string }
  | { readonly requests: number; readonly commands: number; readonly byName: string };

/**
 * Counts the Redis commands that a server sends for signed requests after a warm-up, using `MONITOR`. Commands inside a
 * Lua script are not counted, because they cost no round trip.
 *
 * @param start starts a server that uses the Redis at `redisUrl`, and returns a function that sends the server one
 * signed request
 */
export async function countRedisCommands(
  start: (redisUrl: string) => Promise<() => Promise<void>>,
): Promise<RedisCommands> {
  const redis = await startRedis();
  if ("skipped" in redis) return redis;
  try {
    const send = await start(redis.url);
    // A server refuses requests that may have been signed before its first use of this Redis.
    await send().catch(() => {});
    await setTimeout(FIRST_USE_MS);
    for (let sent = 0; sent < WARM_UP_REQUESTS; sent += 1) await send();
    const names = await namesOfCommands(redis.port, async () => {
      for (let sent = 0; sent < REQUESTS; sent += 1) await send();
    });
    return { requests: REQUESTS, commands: names.length, byName: tally(names) };
  } finally {
    await redis.stop();
  }
}

/** Returns the names of the commands that clients send while `work` runs. */
async function namesOfCommands(port: number, work: () => Promise<void>): Promise<string[]> {
  const names: string[] = [];
  const monitor = await connect(port);
  const lines = createInterface({ input: monitor });
  const finished = new Promise<void>((resolve) => {
    lines.on("line", (line) => {
      if (line.includes(LAST_COMMAND)) resolve();
      const [, name] = /^\+[\d.]+ \[\d+ (?!lua)[^\]]*\] "(\w+)"/.exec(line) ?? [];
      if (name !== undefined) names.push(name.toLowerCase());
    });
  });
  monitor.write("MONITOR\r\n");
  await once(lines, "line");

  await work();
  const last = await connect(port);
  last.write(`ECHO "${LAST_COMMAND}"\r\n`);
  await finished;
  last.destroy();
  monitor.destroy();
  return names.slice(0, -1);
}

async function connect(port: number): Promise<Socket> {
  const socket = createConnection({ port, host: "127.0.0.1" });
  await once(socket, "connect");
  return socket;
}

function tally(names: readonly string[]): string {
  const counts = Object.entries(Object.groupBy(names, (name) => name));
  return counts.map(([name, group]) => `${group?.length} ${name}`).join(", ");
}
