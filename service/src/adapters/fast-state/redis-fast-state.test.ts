import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createConnection, createServer, type Socket } from "node:net";
import { Redis } from "ioredis";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import {
  BUCKET,
  newKeyHash,
  openRedisFastState,
  outcomeOf,
  quickClock,
  request,
  retryUntilSuccess,
  START_MS,
} from "../../../test/fast-state/fast-states.ts";
import { startRedis } from "../../../test/fast-state/redis.ts";
import type { FastState } from "../../ports/fast-state.ts";
import { createRedisFastState } from "./redis-fast-state.ts";

const UNAVAILABLE = { code: "service_unavailable" };
const redis = await startRedis();
const withoutRedis = "skipped" in redis;
afterAll(async () => {
  if (!withoutRedis) await redis.stop();
});

function openRedis(keyPrefix?: string): Promise<FastState> {
  if (withoutRedis) throw new Error(redis.skipped);
  return openRedisFastState(redis.url, keyPrefix);
}

describe.skipIf(withoutRedis)("createRedisFastState", () => {
  const server = redis as Exclude<typeof redis, { skipped: string }>;

  it("sends one EVALSHA for each admission, regardless of the outcome", async () => {
    const state = await openRedis();
    await state.admit(request());
    const watcher = new Redis(server.url);
    const monitor = await watcher.monitor();
    const seen: string[] = [];
    monitor.on("monitor", (_time, [command = ""]: string[], source: string) => {
      if (source !== "lua") seen.push(command.toLowerCase());
    });

    const same = { keyHash: newKeyHash(), nonce: randomUUID() };
    await state.admit(request(same));
    await state.admit(request(same));
    await state.admit(request({ signatureValid: false }));
    await state.admit(request({ bucket: { capacity: 0, refillPerSecond: 1 } }));
    await watcher.echo("end");
    await retryUntilSuccess(async () => expect(seen).toContain("echo"));

    expect(seen).toEqual(["evalsha", "evalsha", "evalsha", "evalsha", "echo"]);
    monitor.disconnect();
    watcher.disconnect();
  });

  it("gives all keys of one API key the same hash tag and a time to live", async () => {
    const keyPrefix = `${randomUUID()}:`;
    const state = await openRedis(keyPrefix);
    const keyHash = newKeyHash();
    const client = new Redis(server.url);
    await state.admit(request({ keyHash }));
    await state.guardSignature({
      keyHash,
      signature: "ab",
      idempotencyKey: null,
      signedAtMs: START_MS,
      expiresAtMs: START_MS,
      nowMs: START_MS,
    });
    await state.suspendEpoch({ keyHash: newKeyHash(), ttlMs: 1_000, nowMs: START_MS });
    await state.claimOnce({ key: "a", ttlMs: 1_000, nowMs: START_MS });
    await state.countInWindow({ key: "a", limit: 1, windowMs: 1_000, nowMs: START_MS });

    await state.readCached({ key: "a", leaseId: "a", leaseMs: 1_000, nowMs: START_MS });

    // The key `server` has no time to live.
    const keys = (await client.keys(`${keyPrefix}*`)).filter((key) => key !== `${keyPrefix}server`);
    const lives = await Promise.all(keys.map((key) => client.pttl(key)));
    client.disconnect();

    expect(keys.filter((key) => key.startsWith(`${keyPrefix}{${keyHash}}:`))).toHaveLength(4);
    expect(keys).toHaveLength(8);
    for (const life of lives) {
      expect(life).toBeGreaterThan(0);
      expect(life).toBeLessThanOrEqual(600_000);
    }
  });

  it("stores no more calls of a window than its limit", async () => {
    const keyPrefix = `${randomUUID()}:`;
    const state = await openRedis(keyPrefix);
    const client = new Redis(server.url);
    for (let nowMs = START_MS; nowMs < START_MS + 100_000; nowMs += 1_000) {
      await state.countInWindow({ key: "a", limit: 3, windowMs: 1_000, nowMs });
    }

    expect(await client.llen(`${keyPrefix}window:a`)).toBe(3);
    client.disconnect();
  });

  it("is shared by all clients of one server and prefix", async () => {
    const keyPrefix = `${randomUUID()}:`;
    const [one, two] = [await openRedis(keyPrefix), await openRedis(keyPrefix)];
    const same = { keyHash: newKeyHash(), nonce: randomUUID() };

    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, call) => outcomeOf(call % 2 === 0 ? one : two, same)),
    );

    expect(outcomes.filter((outcome) => outcome === "admitted")).toHaveLength(1);
    await one.suspendEpoch({ ...same, ttlMs: 1_000, nowMs: START_MS });
    expect((await two.admit(request(same))).epoch).toBeNull();
    expect((await one.readBucket({ ...same, bucket: BUCKET, nowMs: START_MS })).remaining).toBe(2);
  });

  it("works after the server's script cache was flushed", async () => {
    const state = await openRedis();
    await state.admit(request());
    const client = new Redis(server.url);
    await client.script("FLUSH");
    client.disconnect();

    const outcomes = await Promise.all(Array.from({ length: 20 }, () => outcomeOf(state, {})));

    expect(new Set(outcomes)).toEqual(new Set(["admitted"]));
  });

  it("rejects if the server rejects writes", async () => {
    const state = await openRedis();
    const client = new Redis(server.url);
    await client.config("SET", "maxmemory", "1");

    await expect(state.admit(request())).rejects.toMatchObject(UNAVAILABLE);

    await client.config("SET", "maxmemory", "0");
    client.disconnect();
    expect(await outcomeOf(state, {})).toBe("admitted");
  });

  /** Expects every method to reject within two seconds. */
  async function expectUnavailable(state: FastState): Promise<void> {
    const keyHash = newKeyHash();
    const calls: (() => Promise<unknown>)[] = [
      () => state.admit(request()),
      () =>
        state.guardSignature({
          keyHash,
          signature: "ab",
          idempotencyKey: null,
          signedAtMs: START_MS,
          expiresAtMs: START_MS,
          nowMs: START_MS,
        }),
      () => state.readBucket({ keyHash, bucket: BUCKET, nowMs: START_MS }),
      () => state.suspendEpoch({ keyHash, ttlMs: 1_000, nowMs: START_MS }),
      () => state.setEpoch({ keyHash, epoch: "a", nowMs: START_MS }),
      () => state.countInWindow({ key: "a", limit: 1, windowMs: 1_000, nowMs: START_MS }),
      () => state.resetWindow({ key: "a" }),
      () => state.claimOnce({ key: "a", ttlMs: 1_000, nowMs: START_MS }),
      () => state.ping(),
    ];
    for (const call of calls) {
      const startedMs = performance.now();
      await expect(call()).rejects.toMatchObject(UNAVAILABLE);
      expect(performance.now() - startedMs).toBeLessThan(2_000);
    }
  }

  it("rejects every call while the server is down, and works within 5 seconds after its restart", async () => {
    const state = await openRedis();
    await state.admit(request());
    await server.kill("SIGKILL");

    await expectUnavailable(state);

    await server.restart();
    expect(await retryUntilSuccess(() => state.admit(request()))).toBeLessThan(5_000);
  });

  it("rejects every call while the server is paused, and works within 5 seconds afterwards", async () => {
    const state = await openRedis();
    await state.admit(request());
    await server.kill("SIGSTOP");

    await expect(state.admit(request())).rejects.toMatchObject({
      cause: { message: "Command timed out" },
    });
    await expectUnavailable(state);
    const fresh = createRedisFastState({
      url: server.url,
      keyPrefix: "fresh:",
      commandTimeoutMs: 2_000,
      now: quickClock(),
    });
    onTestFinished(() => fresh.close());
    await expectUnavailable(fresh);

    await server.kill("SIGCONT");
    expect(await retryUntilSuccess(() => state.admit(request()))).toBeLessThan(5_000);
    expect(await retryUntilSuccess(() => fresh.admit(request()))).toBeLessThan(5_000);
  });

  it("rejects running calls if the server is killed", async () => {
    const state = await openRedis();
    await server.kill("SIGSTOP");
    const running = Promise.allSettled(Array.from({ length: 20 }, () => state.admit(request())));

    await server.kill("SIGKILL");
    const settled = await running;
    await server.restart();

    expect(new Set(settled.map(({ status }) => status))).toEqual(new Set(["rejected"]));
  });

  it("closes a connection on which the server does not respond, and opens a new one", async () => {
    const silent = new Set<Socket>();
    const proxy = createServer((client) => {
      const upstream = createConnection(server.port, "127.0.0.1");
      client.on("data", (bytes) => silent.has(client) || upstream.write(bytes));
      upstream.on("data", (bytes) => silent.has(client) || client.write(bytes));
      client.on("close", () => upstream.destroy()).on("error", () => upstream.destroy());
      sockets.add(client);
    }).listen(0, "127.0.0.1");
    const sockets = new Set<Socket>();
    await once(proxy, "listening");
    const { port } = proxy.address() as AddressInfo;
    const state = createRedisFastState({
      url: `redis://127.0.0.1:${port}`,
      keyPrefix: "silent:",
      commandTimeoutMs: 250,
      now: quickClock(),
    });
    onTestFinished(() => state.close());
    await retryUntilSuccess(() => state.ping());

    for (const socket of sockets) silent.add(socket);

    await expect(state.admit(request())).rejects.toMatchObject(UNAVAILABLE);
    expect(await retryUntilSuccess(() => state.admit(request()))).toBeLessThan(5_000);
    await state.close();
    proxy.close();
  });

  it("rejects every call after it was closed", async () => {
    const state = await openRedis();
    await state.close();

    await expectUnavailable(state);
  });
});
