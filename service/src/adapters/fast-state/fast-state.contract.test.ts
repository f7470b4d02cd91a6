import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  BUCKET,
  closeAfterTest,
  newKeyHash,
  openMemoryFastState,
  outcomeOf,
  quickClock,
  request,
  retryUntilSuccess,
  START_MS,
} from "../../../test/fast-state/fast-states.ts";
import { startRedis } from "../../../test/fast-state/redis.ts";
import type { FastState } from "../../ports/fast-state.ts";
import { createMemoryFastState } from "./memory-fast-state.ts";
import { createRedisFastState } from "./redis-fast-state.ts";

const redis = await startRedis();
const withoutRedis = "skipped" in redis;
afterAll(async () => {
  if (!withoutRedis) await redis.stop();
});

/** All `FastState` adapters. */
const ADAPTERS = [
  { name: "in memory", open: openMemory, skip: false },
  { name: "in Redis", open: openRedis, skip: withoutRedis },
] as const;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "purser-fast-state-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function openMemory(): Promise<FastState> {
  return closeAfterTest(await createMemoryFastState({ claimsFile: join(folder, randomUUID()) }));
}

async function openRedis(): Promise<FastState> {
  if (withoutRedis) throw new Error(redis.skipped);
  const options = { url: redis.url, keyPrefix: `${randomUUID()}:`, commandTimeoutMs: 1_000, now: quickClock() };
  const state = closeAfterTest(createRedisFastState(options));
  await retryUntilSuccess(() => state.ping());
  return state;
}

describe.each(ADAPTERS)("fast state $name", ({ open, skip }) => {
  describe.skipIf(skip)("admit", () => {
    it("admits a nonce once, and again after it has expired", async () => {
      const state = await open();
      const same = { keyHash: newKeyHash(), nonce: randomUUID() };

      expect(await outcomeOf(state, same)).toBe("admitted");
      expect(await outcomeOf(state, same)).toBe("replayed");
      expect(await outcomeOf(state, { ...same, nowMs: START_MS + 30_999 })).toBe("replayed");
      expect(await outcomeOf(state, { ...same, nowMs: START_MS + 31_000 })).toBe("admitted");
    });

    it("admits one of 50 simultaneous requests with the same nonce", async () => {
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

    it("admits the same nonce for two keys", async () => {
      const state = await open();
      const nonce = randomUUID();

      expect(await outcomeOf(state, { nonce })).toBe("admitted");
      expect(await outcomeOf(state, { nonce })).toBe("admitted");
    });

    it("admits each request once, for any age of its timestamp and any delay of its replay", async () => {
      const state = await open();
      const keyHash = newKeyHash();
      const bucket = { capacity: 1e6, refillPerSecond: 1 };
      const accepts = async (nowMs: number, timestamp: number, nonce: string) => {
        const nonceTtlMs = Math.max(30_000, (timestamp + 31) * 1_000 - nowMs);
        if (Math.abs(Math.floor(nowMs / 1_000) - timestamp) > 30) return false;
        const result = await state.admit(request({ keyHash, nonce, nonceTtlMs, nowMs, bucket }));
        return result.outcome === "admitted";
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

    it("refused: the signature is invalid; the nonce is claimed and no token is taken", async () => {
      const state = await open();
      const same = { keyHash: newKeyHash(), nonce: randomUUID() };

      const refused = await state.admit(request({ ...same, signatureValid: false }));

      expect(refused).toMatchObject({ outcome: "refused", bucket: { remaining: 3, resetMs: 0 } });
      expect(await outcomeOf(state, same)).toBe("replayed");
      expect((await state.readBucket({ ...same, bucket: BUCKET, nowMs: START_MS })).remaining).toBe(3);
    });

    it("replayed: takes no token", async () => {
      const state = await open();
      const same = { keyHash: newKeyHash(), nonce: randomUUID() };
      await state.admit(request(same));

      const replayed = await state.admit(request(same));

      expect(replayed).toMatchObject({
        outcome: "replayed",
        bucket: { remaining: 2, resetMs: 500 },
      });
      expect((await state.readBucket({ ...same, bucket: BUCKET, nowMs: START_MS })).remaining).toBe(2);
    });

    it("limited: the bucket is empty; a request is admitted at the time given by resetMs", async () => {
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

    it("admits as many of 60 simultaneous requests as the bucket has tokens", async () => {
      const state = await open();
      const same = { keyHash: newKeyHash(), bucket: { capacity: 20, refillPerSecond: 0.001 } };

      const outcomes = await Promise.all(Array.from({ length: 60 }, () => outcomeOf(state, same)));

      expect(outcomes.filter((outcome) => outcome === "admitted")).toHaveLength(20);
      expect(outcomes.filter((outcome) => outcome === "limited")).toHaveLength(40);
    });

    it("never fills a bucket above its capacity", async () => {
      const state = await open();
      const same = { keyHash: newKeyHash(), nowMs: START_MS + 3_600_000 };
      await state.admit(request({ keyHash: same.keyHash }));

      expect(await outcomeOf(state, same)).toBe("admitted");
      expect(await state.readBucket({ ...same, bucket: BUCKET })).toEqual({
        remaining: 2,
        resetMs: 500,
      });
    });

    it("does not fill a bucket if the clock moves back and forth", async () => {
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

    it("counts exactly in a bucket with a large capacity", async () => {
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

    it("the first candidate becomes the key's epoch, and later candidates do not replace it", async () => {
      const { epochFor } = await arrange();

      expect(await epochFor("a")).toBe("a");
      expect(await epochFor("b")).toBe("a");
    });

    it("every outcome contains the epoch", async () => {
      const { state, keyHash, epochFor } = await arrange();
      await epochFor("a");
      const used = { keyHash, nonce: randomUUID() };

      const result = [
        await state.admit(request({ ...used, signatureValid: false })),
        await state.admit(request(used)),
        await state.admit(request({ keyHash, bucket: { capacity: 0, refillPerSecond: 1 } })),
      ];

      expect(result).toMatchObject([
        { outcome: "refused", epoch: "a" },
        { outcome: "replayed", epoch: "a" },
        { outcome: "limited", epoch: "a" },
      ]);
    });

    it("the epoch is null while suspended, and no candidate is accepted", async () => {
      const { state, keyHash, epochFor } = await arrange();
      await epochFor("a");
      await state.suspendEpoch({ keyHash, ttlMs: 5_000, nowMs: START_MS });

      expect(await epochFor("b")).toBeNull();
      expect(await epochFor("c", START_MS + 4_999)).toBeNull();
      await state.setEpoch({ keyHash, epoch: "d", nowMs: START_MS });
      expect(await epochFor("e")).toBe("d");
    });

    it("after a suspension expires, the key gets a new epoch instead of the old one", async () => {
      const { state, keyHash, epochFor } = await arrange();
      await epochFor("a");
      await state.suspendEpoch({ keyHash, ttlMs: 5_000, nowMs: START_MS });

      expect(await epochFor("b", START_MS + 5_000)).toBe("b");
      expect(await epochFor("c", START_MS + 5_000)).toBe("b");
    });

    it("setEpoch replaces an epoch that was not suspended", async () => {
      const { state, keyHash, epochFor } = await arrange();
      await epochFor("a");

      await state.setEpoch({ keyHash, epoch: "b", nowMs: START_MS });

      expect(await epochFor("c")).toBe("b");
    });
  });

  describe.skipIf(skip)("signatures, single-use claims and windows", () => {
    const guard = {
      keyHash: newKeyHash(),
      signedAtMs: START_MS,
      expiresAtMs: START_MS + 35_000,
      nowMs: START_MS,
    };

    it("distinguishes a first use from a repeat with the same or another idempotency key", async () => {
      const state = await open();
      const signed = { ...guard, signature: randomBytes(32).toString("hex") };

      expect(await state.guardSignature({ ...signed, idempotencyKey: "one" })).toBe("first");
      expect(await state.guardSignature({ ...signed, idempotencyKey: "one" })).toBe("same_key");
      expect(await state.guardSignature({ ...signed, idempotencyKey: "two" })).toBe("other_key");
      expect(await state.guardSignature({ ...signed, idempotencyKey: null })).toBe("other_key");
      expect(await state.guardSignature({ ...signed, keyHash: newKeyHash(), idempotencyKey: "two" })).toBe("first");
    });

    it("two requests without an idempotency key do not count as having the same key", async () => {
      const state = await open();
      const signed = { ...guard, signature: randomBytes(32).toString("hex"), idempotencyKey: null };

      expect(await state.guardSignature(signed)).toBe("first");
      expect(await state.guardSignature(signed)).toBe("other_key");
      expect(await state.guardSignature({ ...signed, idempotencyKey: "one" })).toBe("other_key");
      expect(await state.guardSignature({ ...signed, idempotencyKey: "" })).toBe("other_key");
    });

    it("accepts a signature again after it has expired", async () => {
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

    it("one of 50 simultaneous callers makes a claim, and another can make it after it has expired", async () => {
      const state = await open();
      const use = { key: 'captcha: é\n"1"', ttlMs: 600_000, nowMs: START_MS };

      const claims = await Promise.all(Array.from({ length: 50 }, () => state.claimOnce(use)));

      expect(claims.filter((claimed) => claimed)).toHaveLength(1);
      expect(await state.claimOnce({ ...use, nowMs: START_MS + 599_999 })).toBe(false);
      expect(await state.claimOnce({ ...use, nowMs: START_MS + 600_000 })).toBe(true);
      expect(await state.claimOnce({ ...use, key: "another" })).toBe(true);
    });

    it("returns a cached value until its time has passed", async () => {
      const state = await open();
      const entry = { key: "a", leaseId: "one", leaseMs: 10_000, nowMs: START_MS };

      expect(await state.readCached(entry)).toBeUndefined();
      await state.fillCached({ ...entry, value: '{ "b": "1 2" }', ttlMs: 30_000 });

      expect(await state.readCached(entry)).toBe('{ "b": "1 2" }');
      expect(await state.readCached({ ...entry, key: "b" })).toBeUndefined();
      expect(await state.readCached({ ...entry, nowMs: START_MS + 29_999 })).toBe('{ "b": "1 2" }');
      expect(await state.readCached({ ...entry, nowMs: START_MS + 30_000 })).toBeUndefined();
    });

    it("caches nothing that was read before the value changed", async () => {
      const state = await open();
      const slow = { key: "a", leaseId: "slow", leaseMs: 10_000, nowMs: START_MS };
      const fast = { ...slow, leaseId: "fast" };

      await state.readCached(slow);
      await state.clearCached({ keys: ["a", "another"] });
      await state.fillCached({ ...slow, value: "old", ttlMs: 30_000 });
      expect(await state.readCached(fast)).toBeUndefined();
      await state.fillCached({ ...slow, value: "old", ttlMs: 30_000 });
      expect(await state.readCached({ ...slow, leaseId: "third" })).toBeUndefined();
      await state.fillCached({ ...fast, value: "new", ttlMs: 30_000 });
      expect(await state.readCached(fast)).toBe("new");
      await state.clearCached({ keys: ["a"] });
      expect(await state.readCached(fast)).toBeUndefined();
    });

    it("lets one of several callers fill the cache", async () => {
      const state = await open();
      const read = (leaseId: string) => ({ key: "a", leaseId, leaseMs: 10_000, nowMs: START_MS });

      await state.readCached(read("first"));
      await state.readCached(read("second"));
      await state.fillCached({ ...read("second"), value: "second", ttlMs: 30_000 });
      expect(await state.readCached(read("third"))).toBeUndefined();
      await state.fillCached({ ...read("first"), value: "first", ttlMs: 30_000 });
      expect(await state.readCached(read("third"))).toBe("first");
    });

    it("allows 3 calls in any 60 seconds, and does not count rejected calls", async () => {
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

    it("separates windows by key, and allows 3 of 50 simultaneous calls", async () => {
      const state = await open();
      const window = { limit: 3, windowMs: 60_000, nowMs: START_MS };

      const calls = await Promise.all(Array.from({ length: 50 }, () => state.countInWindow({ ...window, key: "one" })));

      expect(calls.filter(({ allowed }) => allowed)).toHaveLength(3);
      expect((await state.countInWindow({ ...window, key: "two" })).allowed).toBe(true);
    });

    it("resets only the window with the given key", async () => {
      const state = await open();
      const window = { limit: 1, windowMs: 60_000, nowMs: START_MS };
      const isAllowed = async (key: string) => (await state.countInWindow({ ...window, key })).allowed;
      expect([await isAllowed("one"), await isAllowed("two")]).toEqual([true, true]);

      await state.resetWindow({ key: "one" });
      await state.resetWindow({ key: "unknown" });

      expect([await isAllowed("one"), await isAllowed("two")]).toEqual([true, false]);
      expect(await isAllowed("one")).toBe(false);
    });
  });
});

describe.skipIf(withoutRedis)("fast state in Redis", () => {
  it("returns the same results as the in-memory implementation for random sequences of calls", async () => {
    const inRedis = await openRedis();
    const inMemory = await openMemoryFastState();
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
      // Each run uses new keys, because Redis and the in-memory store still contain the state of earlier runs.
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
            signedAtMs: nowMs,
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
            signedAtMs: nowMs,
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
          const result = await perform(inMemory, step, position, nowMs);
          expect(await perform(inRedis, step, position, nowMs)).toEqual(result);
        }
      }),
      { numRuns: 150 },
    );
  });
});
