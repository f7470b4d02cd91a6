import { randomBytes, randomUUID } from "node:crypto";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  closeAfterTest,
  newKeyHash,
  outcomeOf,
  request,
  retryUntilSuccess,
  START_MS,
} from "../../../test/fast-state/fast-states.ts";
import { isRedisMissing, startRedis } from "../../../test/fast-state/redis.ts";
import { startRedisGroup } from "../../../test/fast-state/redis-group.ts";
import { parseSentinelUrl } from "../../config/redis-url.ts";
import type { FastState } from "../../ports/fast-state.ts";
import { inspectRedis } from "./inspect-redis.ts";
import { createRedisFastState } from "./redis-fast-state.ts";

const UNAVAILABLE = { code: "service_unavailable" };
const FAILOVER_MAX_MS = 30_000;
const TEST_MAX_MS = 60_000;
/** When the first server comes into use, when requests are signed, when another one comes into use, and two seconds later. */
const [STARTED, SIGNED, CHANGED, LATER] = [0, 10_000, 20_000, 23_000].map((ms) => START_MS + ms) as [
  number,
  number,
  number,
  number,
];

/** Returns a clock and a function that opens another client of the same deployment. */
function useClients(url: string) {
  const keyPrefix = `${randomUUID()}:`;
  const clock = { nowMs: STARTED };
  const open = async () => {
    const options = { url, sentinel: parseSentinelUrl(url), keyPrefix, commandTimeoutMs: 1_000 };
    const state = closeAfterTest(createRedisFastState({ ...options, now: () => clock.nowMs }));
    await untilConnected(state);
    return state;
  };
  return { clock, open };
}

/** Waits until a server answers that accepts writes. */
function untilConnected(state: FastState): Promise<number> {
  const call = { key: randomUUID(), limit: 1, windowMs: 1_000, nowMs: START_MS };
  return retryUntilSuccess(() => state.countInWindow(call), FAILOVER_MAX_MS);
}

function signatureOf(signedAtMs: number) {
  const signature = randomBytes(32).toString("hex");
  return { keyHash: newKeyHash(), signature, idempotencyKey: null, signedAtMs, expiresAtMs: signedAtMs + 35_000 };
}

describe.skipIf(isRedisMissing())("the fast state after a change of the Redis server", () => {
  it(
    "rejects requests that were signed before, whose nonces the new master does not know, and admits later ones",
    async () => {
      const group = await startRedisGroup({ servers: 2, sentinels: 1 });
      onTestFinished(() => group.stop());
      const { clock, open } = useClients(group.url);
      const [one, two] = [await open(), await open()];
      await group.stopReplication();
      const same = { keyHash: newKeyHash(), nonce: randomUUID(), signedAtMs: SIGNED };
      const guarded = signatureOf(SIGNED);
      expect(await outcomeOf(one, same)).toBe("admitted");
      expect(await one.guardSignature({ ...guarded, nowMs: SIGNED })).toBe("first");

      clock.nowMs = CHANGED;
      await group.signalMaster("SIGKILL");
      await untilConnected(one);
      clock.nowMs = LATER;
      await untilConnected(two);
      const three = await open();

      for (const state of [one, two, three]) {
        for (const signedAtMs of [SIGNED, CHANGED, CHANGED + 2_000]) {
          await expect(state.admit(request({ ...same, signedAtMs }))).rejects.toMatchObject(UNAVAILABLE);
          const repeated = { ...guarded, signedAtMs, nowMs: LATER };
          await expect(state.guardSignature(repeated)).rejects.toMatchObject(UNAVAILABLE);
        }
        await state.ping();
        expect(await outcomeOf(state, { signedAtMs: LATER })).toBe("admitted");
      }
      // Only the time of the signature protects from a repetition.
      expect(await outcomeOf(two, { ...same, signedAtMs: LATER })).toBe("admitted");
      expect(await outcomeOf(one, { ...same, signedAtMs: LATER })).toBe("replayed");
    },
    TEST_MAX_MS,
  );

  it(
    "forgets epochs and cached values, of which the new master can have older ones, and keeps claims",
    async () => {
      const group = await startRedisGroup({ servers: 2, sentinels: 1 });
      onTestFinished(() => group.stop());
      const { clock, open } = useClients(group.url);
      const state = await open();
      const keyHash = newKeyHash();
      const cached = { key: "a", leaseId: "a", leaseMs: 600_000, nowMs: SIGNED };
      const claim = { key: randomUUID(), ttlMs: 600_000, nowMs: SIGNED };
      await state.setEpoch({ keyHash, epoch: "old", nowMs: SIGNED });
      await state.readCached(cached);
      await state.fillCached({ ...cached, value: "old", ttlMs: 600_000 });
      expect(await state.claimOnce(claim)).toBe(true);
      await group.untilReplicated(1);
      await group.stopReplication();
      await state.setEpoch({ keyHash, epoch: "revoked", nowMs: SIGNED });
      await state.clearCached({ keys: ["a"] });

      clock.nowMs = CHANGED;
      await group.signalMaster("SIGKILL");
      await untilConnected(state);

      const admitted = await state.admit(request({ keyHash, signedAtMs: LATER, candidateEpoch: "new" }));
      expect(admitted.epoch).toBe("new");
      expect(await state.readCached(cached)).toBeUndefined();
      expect(await state.claimOnce(claim)).toBe(false);
    },
    TEST_MAX_MS,
  );

  it(
    "leaves a former master that was only paused, and is not ready until two seconds after the change",
    async () => {
      const group = await startRedisGroup({ servers: 2, sentinels: 1 });
      onTestFinished(() => group.stop());
      const { clock, open } = useClients(group.url);
      const [one, two] = [await open(), await open()];

      clock.nowMs = CHANGED;
      const former = await group.signalMaster("SIGSTOP");
      await untilConnected(one);
      await expect(one.ping()).rejects.toMatchObject(UNAVAILABLE);
      group.signal(former, "SIGCONT");
      clock.nowMs = LATER;
      await untilConnected(two);

      await one.ping();
      const same = { keyHash: newKeyHash(), nonce: randomUUID(), signedAtMs: LATER };
      expect(await outcomeOf(one, same)).toBe("admitted");
      expect(await outcomeOf(two, same)).toBe("replayed");
      expect(await group.master()).not.toBe(former);
    },
    TEST_MAX_MS,
  );

  it("rejects requests that were signed before the restart of a single server, which has lost its data", async () => {
    const redis = await startRedis();
    if ("skipped" in redis) throw new Error(redis.skipped);
    onTestFinished(() => redis.stop());
    const { clock, open } = useClients(redis.url);
    const state = await open();
    const same = { keyHash: newKeyHash(), nonce: randomUUID(), signedAtMs: SIGNED };
    expect(await outcomeOf(state, same)).toBe("admitted");

    clock.nowMs = CHANGED;
    await redis.restart();
    await untilConnected(state);

    await expect(state.admit(request(same))).rejects.toMatchObject(UNAVAILABLE);
    expect(await outcomeOf(state, { ...same, signedAtMs: LATER })).toBe("admitted");
  });
});

describe.skipIf(isRedisMissing())("inspectRedis", () => {
  it("asks the master, and names no password if the Sentinels do not answer", { timeout: TEST_MAX_MS }, async () => {
    const group = await startRedisGroup({ servers: 2, sentinels: 1 });
    onTestFinished(() => group.stop());
    const inspect = (url: string) =>
      inspectRedis({ url, sentinel: parseSentinelUrl(url), timeoutMs: 1_000 }, async ({ readInfo }) =>
        (await readInfo()).get("role"),
      );

    await expect.poll(() => inspect(group.url).catch(String), { timeout: FAILOVER_MAX_MS }).toBe("master");
    const failure = await inspect("redis+sentinel://purser:hidden@127.0.0.1:9/purser").catch(String);
    expect(failure).toMatch(/Sentinel/i);
    expect(failure).not.toContain("hidden");
  });
});

describe("parseSentinelUrl", () => {
  it.each([
    ["redis+sentinel://a:1,b.example:2/main", { sentinels: [address("a", 1), address("b.example", 2)], name: "main" }],
    ["redis+sentinel://a/main", { sentinels: [address("a", 26_379)], name: "main" }],
    ["redis+sentinel://:p%40ss@a/main", { sentinels: [address("a", 26_379)], name: "main", password: "p@ss" }],
    [
      "rediss+sentinel://user:pass@a/main",
      {
        ...{ sentinels: [address("a", 26_379)], name: "main", username: "user", password: "pass" },
        ...{ tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true },
      },
    ],
  ])("reads %s", (url, parsed) => {
    expect(parseSentinelUrl(url)).toEqual(parsed);
  });

  it.each([
    "redis://a:6379",
    "redis+sentinel://a:1",
    "redis+sentinel:///main",
    "redis+sentinel://a:x/main",
    "redis+sentinel://a:1,/main",
  ])("refuses %s", (url) => {
    expect(parseSentinelUrl(url)).toBeUndefined();
  });
});

function address(host: string, port: number) {
  return { host, port };
}
