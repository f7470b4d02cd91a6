import { Redis } from "ioredis";
import type { RedisAddress } from "./redis-fast-state.ts";

/** Reads of a Redis server that change nothing. */
export interface RedisInspection {
  /** Returns the fields of `INFO` (https://redis.io/docs/latest/commands/info). */
  readInfo(): Promise<ReadonlyMap<string, string>>;
  readTime(): Promise<Date>;
}

/** Connects once, runs `work` and disconnects. Throws why the server cannot be reached. */
export async function inspectRedis<Result>(
  { url, sentinel, timeoutMs }: RedisAddress & { readonly timeoutMs: number },
  work: (redis: RedisInspection) => Promise<Result>,
): Promise<Result> {
  const limits = { commandTimeout: timeoutMs, connectTimeout: timeoutMs, sentinelCommandTimeout: timeoutMs };
  const once = { maxRetriesPerRequest: 0, retryStrategy: () => null, sentinelRetryStrategy: () => null };
  const options = { ...limits, ...once, lazyConnect: true };
  const redis = sentinel === undefined ? new Redis(url, options) : new Redis({ ...options, ...sentinel });
  // `connect` rejects with "Connection is closed". The event has the reason.
  let reason: Error | undefined;
  redis.on("error", (error) => {
    reason = error;
  });
  try {
    await redis.connect().catch((error: unknown) => {
      throw reason ?? error;
    });
    return await work({
      readInfo: async () => new Map((await redis.info()).split("\r\n").map(fieldOf)),
      readTime: async () => {
        const [seconds, micros] = await redis.time();
        return new Date(Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000));
      },
    });
  } finally {
    redis.disconnect();
  }
}

function fieldOf(line: string): readonly [name: string, value: string] {
  const [name = "", ...value] = line.split(":");
  return [name, value.join(":")];
}
