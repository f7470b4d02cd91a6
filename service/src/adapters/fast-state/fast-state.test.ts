import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { type AddressInfo, createConnection, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import fc from "fast-check";
import { Redis } from "ioredis";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startRedis } from "../../../test/redis.ts";
import type { AdmissionRequest, FastState } from "../../ports/fast-state.ts";
import { createMemoryFastState } from "./memory-fast-state.ts";
import { createRedisFastState } from "./redis-fast-state.ts";

const START_MS = Date.UTC(2026, 0, 1);
const BUCKET = { capacity: 3, refillPerSecond: 2 };
const UNAVAILABLE = { code: "service_unavailable" };

const redis = await startRedis();
const withoutRedis = "skipped" in redis;
afterAll(async () => {
  if (!withoutRedis) await redis.stop();
});

let folder: string;
let opened: FastState[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "purser-fast-state-"));
});
afterEach(async () => {
  for (const state of opened) await state.close();
  opened = [];
});
afterAll(() => rm(folder, { recursive: true }));

function newKeyHash(): string {
  return randomBytes(32).toString("hex");
}

async function openMemory(claimsFile = join(folder, randomUUID())): Promise<FastState> {
  const state = await createMemoryFastState({ claimsFile });
  opened.push(state);
  return state;
}

async function openRedis(keyPrefix = `${randomUUID()}:`): Promise<FastState> {
  if (withoutRedis) throw new Error(redis.skipped);
  const state = createRedisFastState({ url: redis.url, keyPrefix, commandTimeoutMs: 1_000 });
  opened.push(state);
  await untilAnswered(() => state.ping());
  return state;
}

/** Calls until it is answered, and returns how long that took. */
async function untilAnswered(call: () => Promise<unknown>, boundMs = 5_000): Promise<number> {
  const began = performance.now();
  for (;;) {
    try {
      await call();
      return performance.now() - began;
    } catch (error) {
      if (performance.now() - began > boundMs) throw error;
      await wait(10);
    }
  }
}

/** A request that is admitted: a new nonce with a valid signature, on a key of its own unless one is given. */
function request(changes: Partial<AdmissionRequest> = {}): AdmissionRequest {
  return {
    keyHash: newKeyHash(),
    nonce: randomUUID(),
    nonceTtlMs: 31_000,
    signatureValid: true,
    bucket: BUCKET,
    candidateEpoch: randomUUID(),
    nowMs: START_MS,
    ...changes,
  };
}

async function outcomeOf(state: FastState, changes: Partial<AdmissionRequest>): Promise<string> {
  return (await state.admit(request(changes))).outcome;
}

describe.each([
  { name: "in memory", open: openMemory, skip: false },
  { name: "in Redis", open: openRedis, skip: withoutRedis },
])("fast state $name", ({ open, skip }) => {
  describe.skipIf(skip)("admit", () => {
    it("admits a nonce once, and again when its time has ended", async () => {
      const state = await open();
      const same = { keyHash: newKeyHash(), nonce: randomUUID() };

      expect(await outcomeOf(state, same)).toBe("admitted");
      expect(await outcomeOf(state, same)).toBe("replayed");
      expect(await outcomeOf(state, { ...same, nowMs: START_MS + 30_999 })).toBe("replayed");
      expect(await outcomeOf(state, { ...same, nowMs: START_MS + 31_000 })).toBe("admitted");
    });

    it("admits one of 50 concurrent requests with one nonce", async () => {
      const state = await open();
      const same = {
        keyHash: newKeyHash(),
        nonce: randomUUID(),
        bucket: { capacity: 99, refillPerSecond: 1 },
      };

      const outcomes = await Promise.all(Array.from({ length: 50 }, () => outcomeOf(state, same)));

      expect(outcomes.filter((outcome) => outcome === "admitted")).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome === "replayed")).toHaveLength(49);
    });

    it("admits the same nonce of two keys", async () => {
      const state = await open();
      const nonce = randomUUID();

      expect(await outcomeOf(state, { nonce })).toBe("admitted");
      expect(await outcomeOf(state, { nonce })).toBe("admitted");
    });

    it("admits each request once for every age of its timestamp and every delay of its replay", async () => {
      const state = await open();
      const keyHash = newKeyHash();
      const bucket = { capacity: 1e6, refillPerSecond: 1 };
      const accepts = async (nowMs: number, timestamp: number, nonce: string) => {
        const nonceTtlMs = Math.max(30_000, (timestamp + 31) * 1_000 - nowMs);
        if (Math.abs(Math.floor(nowMs / 1_000) - timestamp) > 30) return false;
        const told = await state.admit(request({ keyHash, nonce, nonceTtlMs, nowMs, bucket }));
        return told.outcome === "admitted";
      };

      const acceptedTwice: string[] = [];
      for (let age = -30; age <= 30; age += 1) {
        const timestamp = START_MS / 1_000 - age;
        const cells = Array.from({ length: 66 * 2 }, async (_, cell) => {
          const delayMs = Math.floor(cell / 2) * 1_000 + (cell % 2) * 999;
          const nonce = `${age} ${delayMs}`;
          expect(await accepts(START_MS, timestamp, nonce)).toBe(true);
          if (await accepts(START_MS + delayMs, timestamp, nonce)) acceptedTwice.push(nonce);
        });
        await Promise.all(cells);
      }

      expect(acceptedTwice).toEqual([]);
    });

    it("refuses a bad signature, burns its nonce and takes no token", async () => {
      const state = await open();
      const same = { keyHash: newKeyHash(), nonce: randomUUID() };

      const refused = await state.admit(request({ ...same, signatureValid: false }));

      expect(refused).toMatchObject({ outcome: "refused", bucket: { remaining: 3, resetMs: 0 } });
      expect(await outcomeOf(state, same)).toBe("replayed");
      expect((await state.readBucket({ ...same, bucket: BUCKET, nowMs: START_MS })).remaining).toBe(
        3,
      );
    });

    it("takes no token for a replay", async () => {
      const state = await open();
      const same = { keyHash: newKeyHash(), nonce: randomUUID() };
      await state.admit(request(same));

      const replayed = await state.admit(request(same));

      expect(replayed).toMatchObject({
        outcome: "replayed",
        bucket: { remaining: 2, resetMs: 500 },
      });
      expect((await state.readBucket({ ...same, bucket: BUCKET, nowMs: START_MS })).remaining).toBe(
        2,
      );
    });

    it("limits an empty bucket, tells when the next token comes, and admits then", async () => {
      const state = await open();
      const keyHash = newKeyHash();
      const buckets = [];
      for (let call = 0; call < 4; call += 1) {
        buckets.push(await state.admit(request({ keyHash, nowMs: START_MS + call })));
      }

      expect(buckets).toMatchObject([
        { outcome: "admitted", bucket: { remaining: 2, resetMs: 500 } },
        { outcome: "admitted", bucket: { remaining: 1, resetMs: 999 } },
        { outcome: "admitted", bucket: { remaining: 0, resetMs: 1_498 } },
        { outcome: "limited", bucket: { remaining: 0, resetMs: 497 } },
      ]);
      expect(await outcomeOf(state, { keyHash, nowMs: START_MS + 499 })).toBe("limited");
      expect(await outcomeOf(state, { keyHash, nowMs: START_MS + 500 })).toBe("admitted");
      expect(await outcomeOf(state, { keyHash, nowMs: START_MS + 500 })).toBe("limited");
    });

    it("admits exactly the capacity of 60 concurrent requests", async () => {
      const state = await open();
      const same = { keyHash: newKeyHash(), bucket: { capacity: 20, refillPerSecond: 0.001 } };

      const outcomes = await Promise.all(Array.from({ length: 60 }, () => outcomeOf(state, same)));

      expect(outcomes.filter((outcome) => outcome === "admitted")).toHaveLength(20);
      expect(outcomes.filter((outcome) => outcome === "limited")).toHaveLength(40);
    });

    it("never fills a bucket beyond its capacity", async () => {
      const state = await open();
      const same = { keyHash: newKeyHash(), nowMs: START_MS + 3_600_000 };
      await state.admit(request({ keyHash: same.keyHash }));

      expect(await outcomeOf(state, same)).toBe("admitted");
      expect(await state.readBucket({ ...same, bucket: BUCKET })).toEqual({
        remaining: 2,
        resetMs: 500,
      });
    });

    it("fills no bucket by a clock that goes back and forth", async () => {
      const state = await open();
      const keyHash = newKeyHash();
      await state.admit(request({ keyHash }));
      await state.admit(request({ keyHash }));

      expect(await outcomeOf(state, { keyHash, nowMs: START_MS - 60_000 })).toBe("admitted");
      expect(await outcomeOf(state, { keyHash, nowMs: START_MS - 60_000 })).toBe("limited");
      expect(await outcomeOf(state, { keyHash })).toBe("limited");
      const inOneSecond = { keyHash, bucket: BUCKET, nowMs: START_MS + 1_000 };
      expect(await state.readBucket(inOneSecond)).toEqual({ remaining: 2, resetMs: 500 });
    });

    it("counts exactly in a large bucket", async () => {
      const state = await open();
      const same = { keyHash: newKeyHash(), bucket: { capacity: 1e9, refillPerSecond: 1 } };

      await state.admit(request(same));

      expect((await state.admit(request(same))).bucket).toEqual({
        remaining: 999_999_998,
        resetMs: 2_000,
      });
    });
  });

  describe.skipIf(skip)("epochs", () => {
    async function arrange() {
      const state = await open();
      const keyHash = newKeyHash();
      return {
        state,
        keyHash,
        epochFor: async (candidateEpoch: string, nowMs = START_MS) =>
          (await state.admit(request({ keyHash, candidateEpoch, nowMs }))).epoch,
      };
    }

    it("gives a key its first candidate, and keeps it", async () => {
      const { epochFor } = await arrange();

      expect(await epochFor("a")).toBe("a");
      expect(await epochFor("b")).toBe("a");
    });

    it("tells the epoch with every outcome", async () => {
      const { state, keyHash, epochFor } = await arrange();
      await epochFor("a");
      const used = { keyHash, nonce: randomUUID() };

      const told = [
        await state.admit(request({ ...used, signatureValid: false })),
        await state.admit(request(used)),
        await state.admit(request({ keyHash, bucket: { capacity: 0, refillPerSecond: 1 } })),
      ];

      expect(told).toMatchObject([
        { outcome: "refused", epoch: "a" },
        { outcome: "replayed", epoch: "a" },
        { outcome: "limited", epoch: "a" },
      ]);
    });

    it("tells no epoch while suspended, and installs no candidate", async () => {
      const { state, keyHash, epochFor } = await arrange();
      await epochFor("a");
      await state.suspendEpoch({ keyHash, ttlMs: 5_000, nowMs: START_MS });

      expect(await epochFor("b")).toBeNull();
      expect(await epochFor("c", START_MS + 4_999)).toBeNull();
      await state.setEpoch({ keyHash, epoch: "d", nowMs: START_MS });
      expect(await epochFor("e")).toBe("d");
    });

    it("gives a new epoch, never the old one, when a suspension ends by itself", async () => {
      const { state, keyHash, epochFor } = await arrange();
      await epochFor("a");
      await state.suspendEpoch({ keyHash, ttlMs: 5_000, nowMs: START_MS });

      expect(await epochFor("b", START_MS + 5_000)).toBe("b");
      expect(await epochFor("c", START_MS + 5_000)).toBe("b");
    });

    it("replaces an epoch that was not suspended", async () => {
      const { state, keyHash, epochFor } = await arrange();
      await epochFor("a");

      await state.setEpoch({ keyHash, epoch: "b", nowMs: START_MS });

      expect(await epochFor("c")).toBe("b");
    });
  });

  describe.skipIf(skip)("signatures, single uses and windows", () => {
    const guard = { keyHash: newKeyHash(), expiresAtMs: START_MS + 35_000, nowMs: START_MS };

    it("tells a signature's first use from its use with the same and with another idempotency key", async () => {
      const state = await open();
      const signed = { ...guard, signature: randomBytes(32).toString("hex") };

      expect(await state.guardSignature({ ...signed, idempotencyKey: "one" })).toBe("first");
      expect(await state.guardSignature({ ...signed, idempotencyKey: "one" })).toBe("same_key");
      expect(await state.guardSignature({ ...signed, idempotencyKey: "two" })).toBe("other_key");
      expect(await state.guardSignature({ ...signed, idempotencyKey: null })).toBe("other_key");
      expect(
        await state.guardSignature({ ...signed, keyHash: newKeyHash(), idempotencyKey: "two" }),
      ).toBe("first");
    });

    it("never takes no idempotency key for the same one", async () => {
      const state = await open();
      const signed = { ...guard, signature: randomBytes(32).toString("hex"), idempotencyKey: null };

      expect(await state.guardSignature(signed)).toBe("first");
      expect(await state.guardSignature(signed)).toBe("other_key");
      expect(await state.guardSignature({ ...signed, idempotencyKey: "one" })).toBe("other_key");
      expect(await state.guardSignature({ ...signed, idempotencyKey: "" })).toBe("other_key");
    });

    it("forgets a signature when its time has ended", async () => {
      const state = await open();
      const signed = {
        ...guard,
        signature: randomBytes(32).toString("hex"),
        idempotencyKey: "one",
      };
      await state.guardSignature(signed);

      expect(await state.guardSignature({ ...signed, nowMs: START_MS + 34_999 })).toBe("same_key");
      expect(await state.guardSignature({ ...signed, nowMs: START_MS + 35_000 })).toBe("first");
    });

    it("gives a single use to one of 50 concurrent callers, and again when its time has ended", async () => {
      const state = await open();
      const use = { key: 'captcha: é\n"1"', ttlMs: 600_000, nowMs: START_MS };

      const claims = await Promise.all(Array.from({ length: 50 }, () => state.claimOnce(use)));

      expect(claims.filter((claimed) => claimed)).toHaveLength(1);
      expect(await state.claimOnce({ ...use, nowMs: START_MS + 599_999 })).toBe(false);
      expect(await state.claimOnce({ ...use, nowMs: START_MS + 600_000 })).toBe(true);
      expect(await state.claimOnce({ ...use, key: "another" })).toBe(true);
    });

    it("allows exactly 3 calls in any 60 seconds, and counts no call that it refused", async () => {
      const state = await open();
      const call = (atMs: number) =>
        state.countInWindow({
          key: "198.51.100.7",
          limit: 3,
          windowMs: 60_000,
          nowMs: START_MS + atMs,
        });
      const allowed = { allowed: true, retryAfterMs: 0 };

      expect(await call(0)).toEqual(allowed);
      expect(await call(10_000)).toEqual(allowed);
      expect(await call(20_000)).toEqual(allowed);
      expect(await call(20_000)).toEqual({ allowed: false, retryAfterMs: 40_000 });
      expect(await call(59_999)).toEqual({ allowed: false, retryAfterMs: 1 });
      expect(await call(60_000)).toEqual(allowed);
      expect(await call(60_000)).toEqual({ allowed: false, retryAfterMs: 10_000 });
      expect(await call(70_000)).toEqual(allowed);
    });

    it("keeps windows of different keys apart, and allows 3 of 50 concurrent calls", async () => {
      const state = await open();
      const window = { limit: 3, windowMs: 60_000, nowMs: START_MS };

      const calls = await Promise.all(
        Array.from({ length: 50 }, () => state.countInWindow({ ...window, key: "one" })),
      );

      expect(calls.filter(({ allowed }) => allowed)).toHaveLength(3);
      expect((await state.countInWindow({ ...window, key: "two" })).allowed).toBe(true);
    });

    it("forgets one window, whose next call is its first, and no other", async () => {
      const state = await open();
      const window = { limit: 1, windowMs: 60_000, nowMs: START_MS };
      const isAllowed = async (key: string) =>
        (await state.countInWindow({ ...window, key })).allowed;
      expect([await isAllowed("one"), await isAllowed("two")]).toEqual([true, true]);

      await state.forgetWindow({ key: "one" });
      await state.forgetWindow({ key: "of nobody" });

      expect([await isAllowed("one"), await isAllowed("two")]).toEqual([true, false]);
      expect(await isAllowed("one")).toBe(false);
    });
  });
});

describe("fast state in memory", () => {
  const signed = {
    keyHash: newKeyHash(),
    signature: randomBytes(32).toString("hex"),
    idempotencyKey: "one",
    expiresAtMs: START_MS + 35_000,
    nowMs: START_MS,
  };

  it("refuses after a restart, and after one more, what was claimed before", async () => {
    const claimsFile = join(folder, randomUUID());
    const same = { keyHash: newKeyHash(), nonce: randomUUID() };
    const use = { key: "captcha", ttlMs: 600_000, nowMs: START_MS };
    const first = await openMemory(claimsFile);
    await first.admit(request(same));
    await first.guardSignature(signed);
    await first.claimOnce(use);

    for (let restart = 0; restart < 2; restart += 1) {
      const next = await openMemory(claimsFile);
      expect(await outcomeOf(next, { nowMs: START_MS + 1_000 })).toBe("admitted");
      expect(await outcomeOf(next, { ...same, nowMs: START_MS + 30_999 })).toBe("replayed");
      expect(await next.guardSignature(signed)).toBe("same_key");
      expect(await next.guardSignature({ ...signed, idempotencyKey: "two" })).toBe("other_key");
      expect(await next.claimOnce(use)).toBe(false);
    }
    const last = await openMemory(claimsFile);
    expect(await outcomeOf(last, { ...same, nowMs: START_MS + 31_000 })).toBe("admitted");
  });

  it("reads past a torn last line, and writes past it", async () => {
    const claimsFile = join(folder, randomUUID());
    const whole = { keyHash: newKeyHash(), nonce: randomUUID() };
    const torn = { keyHash: newKeyHash(), nonce: randomUUID() };
    const first = await openMemory(claimsFile);
    await first.admit(request(whole));
    await first.admit(request(torn));
    for (const segment of [`${claimsFile}.0`, `${claimsFile}.1`]) {
      const { size } = await stat(segment);
      if (size > 0) await truncate(segment, size - 5);
    }

    const second = await openMemory(claimsFile);
    expect(await outcomeOf(second, whole)).toBe("replayed");
    expect(await outcomeOf(second, torn)).toBe("admitted");

    const third = await openMemory(claimsFile);
    expect(await outcomeOf(third, whole)).toBe("replayed");
    expect(await outcomeOf(third, torn)).toBe("replayed");
  });

  it("keeps its files to the owner, also one that was there before", async () => {
    const claimsFile = join(folder, randomUUID());
    await writeFile(`${claimsFile}.0`, "", { mode: 0o644 });
    await (await openMemory(claimsFile)).admit(request());

    const modes = [await stat(`${claimsFile}.0`), await stat(`${claimsFile}.1`)];

    expect(modes.map(({ mode }) => (mode & 0o777).toString(8))).toEqual(["600", "600"]);
  });

  it("keeps its files small, and long claims in them, for as long as it runs", async () => {
    const claimsFile = join(folder, randomUUID());
    const state = await openMemory(claimsFile);
    await state.claimOnce({ key: "captcha", ttlMs: 7_200_000, nowMs: START_MS });
    const nowMs = START_MS + 7_000_000;
    for (let atMs = START_MS; atMs < nowMs; atMs += 1_000)
      await state.admit(request({ nowMs: atMs }));

    const lines =
      (await readFile(`${claimsFile}.0`, "utf8")) + (await readFile(`${claimsFile}.1`, "utf8"));

    expect(lines.split("\n").length).toBeLessThan(300);
    const next = await openMemory(claimsFile);
    expect(await next.claimOnce({ key: "captcha", ttlMs: 1_000, nowMs })).toBe(false);
  });

  it("rejects when a claim cannot be kept: the folder has gone, or the store is closed", async () => {
    const gone = await mkdtemp(join(folder, "gone-"));
    const homeless = await openMemory(join(gone, "claims"));
    await rm(gone, { recursive: true });
    const closed = await openMemory();
    await closed.admit(request());
    await closed.close();

    for (const state of [homeless, closed]) {
      await expect(state.admit(request())).rejects.toMatchObject(UNAVAILABLE);
      await expect(state.guardSignature(signed)).rejects.toMatchObject(UNAVAILABLE);
      await expect(
        state.claimOnce({ key: "captcha", ttlMs: 1_000, nowMs: START_MS }),
      ).rejects.toMatchObject(UNAVAILABLE);
    }
  });

  it("does not start where its folder is missing", async () => {
    await expect(openMemory(join(folder, "missing", "claims"))).rejects.toThrow("ENOENT");
  });

  it("claims in memory alone when it is given no file", async () => {
    const state = await createMemoryFastState({});
    const before = await readdir(folder);
    const same = { keyHash: newKeyHash(), nonce: randomUUID() };

    expect(await outcomeOf(state, same)).toBe("admitted");
    expect(await outcomeOf(state, same)).toBe("replayed");
    expect(await readdir(folder)).toEqual(before);
  });
});

describe.skipIf(withoutRedis)("fast state in Redis", () => {
  const server = redis as Exclude<typeof redis, { skipped: string }>;

  it("sends one EVALSHA for each admission, whatever its outcome", async () => {
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
    await untilAnswered(async () => expect(seen).toContain("echo"));

    expect(seen).toEqual(["evalsha", "evalsha", "evalsha", "evalsha", "echo"]);
    monitor.disconnect();
    watcher.disconnect();
  });

  it("keeps the keys of one API key under one hash tag, each for a limited time", async () => {
    const keyPrefix = `${randomUUID()}:`;
    const state = await openRedis(keyPrefix);
    const keyHash = newKeyHash();
    const client = new Redis(server.url);
    await state.admit(request({ keyHash }));
    await state.guardSignature({
      keyHash,
      signature: "ab",
      idempotencyKey: null,
      expiresAtMs: START_MS,
      nowMs: START_MS,
    });
    await state.suspendEpoch({ keyHash: newKeyHash(), ttlMs: 1_000, nowMs: START_MS });
    await state.claimOnce({ key: "a", ttlMs: 1_000, nowMs: START_MS });
    await state.countInWindow({ key: "a", limit: 1, windowMs: 1_000, nowMs: START_MS });

    const keys = await client.keys(`${keyPrefix}*`);
    const lives = await Promise.all(keys.map((key) => client.pttl(key)));
    client.disconnect();

    expect(keys.filter((key) => key.startsWith(`${keyPrefix}{${keyHash}}:`))).toHaveLength(4);
    expect(keys).toHaveLength(7);
    for (const life of lives) {
      expect(life).toBeGreaterThan(0);
      expect(life).toBeLessThanOrEqual(600_000);
    }
  });

  it("keeps no more calls of a window than its limit", async () => {
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

  it("still answers after the server has lost its scripts", async () => {
    const state = await openRedis();
    await state.admit(request());
    const client = new Redis(server.url);
    await client.script("FLUSH");
    client.disconnect();

    const outcomes = await Promise.all(Array.from({ length: 20 }, () => outcomeOf(state, {})));

    expect(new Set(outcomes)).toEqual(new Set(["admitted"]));
  });

  it("rejects where the server refuses to write", async () => {
    const state = await openRedis();
    const client = new Redis(server.url);
    await client.config("SET", "maxmemory", "1");

    await expect(state.admit(request())).rejects.toMatchObject(UNAVAILABLE);

    await client.config("SET", "maxmemory", "0");
    client.disconnect();
    expect(await outcomeOf(state, {})).toBe("admitted");
  });

  /** Every method rejects, each within two seconds (half a second on an idle machine). */
  async function expectUnavailable(state: FastState): Promise<void> {
    const keyHash = newKeyHash();
    const calls: (() => Promise<unknown>)[] = [
      () => state.admit(request()),
      () =>
        state.guardSignature({
          keyHash,
          signature: "ab",
          idempotencyKey: null,
          expiresAtMs: START_MS,
          nowMs: START_MS,
        }),
      () => state.readBucket({ keyHash, bucket: BUCKET, nowMs: START_MS }),
      () => state.suspendEpoch({ keyHash, ttlMs: 1_000, nowMs: START_MS }),
      () => state.setEpoch({ keyHash, epoch: "a", nowMs: START_MS }),
      () => state.countInWindow({ key: "a", limit: 1, windowMs: 1_000, nowMs: START_MS }),
      () => state.forgetWindow({ key: "a" }),
      () => state.claimOnce({ key: "a", ttlMs: 1_000, nowMs: START_MS }),
      () => state.ping(),
    ];
    for (const call of calls) {
      const began = performance.now();
      await expect(call()).rejects.toMatchObject(UNAVAILABLE);
      expect(performance.now() - began).toBeLessThan(2_000);
    }
  }

  it("rejects every call while the server is dead, and answers within 5 seconds of its return", async () => {
    const state = await openRedis();
    await state.admit(request());
    await server.kill("SIGKILL");

    await expectUnavailable(state);

    await server.restart();
    expect(await untilAnswered(() => state.admit(request()))).toBeLessThan(5_000);
  });

  it("rejects every call while the server is paused, and answers within 5 seconds of its return", async () => {
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
    });
    opened.push(fresh);
    await expectUnavailable(fresh);

    await server.kill("SIGCONT");
    expect(await untilAnswered(() => state.admit(request()))).toBeLessThan(5_000);
    expect(await untilAnswered(() => fresh.admit(request()))).toBeLessThan(5_000);
  });

  it("rejects what was under way when the server died", async () => {
    const state = await openRedis();
    await server.kill("SIGSTOP");
    const underWay = Promise.allSettled(Array.from({ length: 20 }, () => state.admit(request())));

    await server.kill("SIGKILL");
    const settled = await underWay;
    await server.restart();

    expect(new Set(settled.map(({ status }) => status))).toEqual(new Set(["rejected"]));
  });

  it("gives up a connection that has gone silent, and answers over a new one", async () => {
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
    });
    opened.push(state);
    await untilAnswered(() => state.ping());

    for (const socket of sockets) silent.add(socket);

    await expect(state.admit(request())).rejects.toMatchObject(UNAVAILABLE);
    expect(await untilAnswered(() => state.admit(request()))).toBeLessThan(5_000);
    await state.close();
    proxy.close();
  });

  it("rejects every call once it is closed", async () => {
    const state = await openRedis();
    await state.close();

    await expectUnavailable(state);
  });

  it("answers every sequence of calls as the one in memory does", async () => {
    const inRedis = await openRedis();
    const inMemory = await createMemoryFastState({});
    const buckets = [
      { capacity: 2, refillPerSecond: 0.25 },
      { capacity: 4, refillPerSecond: 3 },
    ] as const;
    const few = fc.constantFrom("one", "two", "three");
    const call = fc.record({
      method: fc.constantFrom("admit", "admit", "guard", "read", "suspend", "set", "count", "once"),
      owner: fc.constantFrom(0, 1),
      word: few,
      note: fc.option(few),
      valid: fc.boolean(),
      limit: fc.integer({ min: 1, max: 4 }),
      ttlMs: fc.integer({ min: 1, max: 40_000 }),
      passedMs: fc.integer({ min: -500, max: 15_000 }),
    });
    type Call = typeof call extends fc.Arbitrary<infer Value> ? Value : never;

    let run = 0;
    function perform(state: FastState, step: Call, position: number, nowMs: number) {
      // Each run has keys of its own, so that both stores begin empty.
      const keyHash = `${run} ${step.owner}`;
      const key = `${run} ${step.word}`;
      const bucket = buckets[step.owner === 0 ? 0 : 1];
      const { ttlMs, word } = step;
      const methods: Record<string, () => Promise<unknown>> = {
        admit: () =>
          state.admit({
            keyHash,
            nonce: word,
            nonceTtlMs: ttlMs,
            signatureValid: step.valid,
            bucket,
            candidateEpoch: `candidate ${position}`,
            nowMs,
          }),
        guard: () =>
          state.guardSignature({
            keyHash,
            signature: word,
            idempotencyKey: step.note,
            expiresAtMs: nowMs + ttlMs,
            nowMs,
          }),
        read: () => state.readBucket({ keyHash, bucket, nowMs }),
        suspend: () => state.suspendEpoch({ keyHash, ttlMs, nowMs }),
        set: () => state.setEpoch({ keyHash, epoch: `set ${position}`, nowMs }),
        count: () => state.countInWindow({ key, limit: step.limit, windowMs: ttlMs, nowMs }),
        once: () => state.claimOnce({ key, ttlMs, nowMs }),
      };
      return methods[step.method]?.();
    }

    await fc.assert(
      fc.asyncProperty(fc.array(call, { minLength: 5, maxLength: 30 }), async (steps) => {
        run += 1;
        let nowMs = START_MS + run * 10_000_000;
        for (const [position, step] of steps.entries()) {
          nowMs += step.passedMs;
          const told = await perform(inMemory, step, position, nowMs);
          expect(await perform(inRedis, step, position, nowMs)).toEqual(told);
        }
      }),
      { numRuns: 150 },
    );
  });
});
