import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runBystanderCampaign } from "../src/campaigns/bystander/run.ts";
import { runRefreshCampaign } from "../src/campaigns/refresh.ts";
import { type Replicas, startReplicas } from "../src/campaigns/replicas.ts";
import { runRotateKeyCampaign, type Way } from "../src/campaigns/rotate-key.ts";
import { useDatabase, useRedis } from "./fixtures.ts";

const onProgress = () => {};
const redis = await useRedis();

describe.skipIf(redis.missing)("two processes under load", () => {
  const database = useDatabase();
  let replicas: Replicas;

  beforeAll(async () => {
    replicas = await startReplicas(
      { databaseUrl: database.serviceUrl, redisUrl: redis.url },
      // Between production's, which a busy machine exceeds by itself, and the seconds that faults have caused.
      { PURSER_STORE_TIMEOUT_MS: "1500", PURSER_REDIS_TIMEOUT_MS: "1500" },
    );
  });
  afterAll(() => replicas.stop());

  it.each<[Way, number]>([
    ["rotate-key", 6],
    ["compromised", 4],
    ["revoked", 4],
  ])(
    "401: nothing that began after the answer is accepted under the old key, %s, 16 callers, two processes",
    async (way, replacements) => {
      const figures = await runRotateKeyCampaign({
        replicas,
        way,
        callers: 16,
        replacements,
        onProgress,
      });

      expect(figures).toMatchObject({
        replacements,
        acceptedAfterTheEnd: 0,
        refusedBeforeTheEnd: 0,
      });
      // Each key was in use at both before it ended, and was tried at both afterwards: a busy machine answers some with 503.
      expect(figures.accepted).toBeGreaterThanOrEqual(replacements * 16);
      expect(figures.refusedAfterTheEnd).toBeGreaterThanOrEqual(replacements * 12);
    },
    120_000,
  );

  it("200: of ten refreshes with one token a single one gets a new pair, and the session goes on", async () => {
    const figures = await runRefreshCampaign({ replicas, rounds: 12, atOnce: 10, onProgress });

    expect(figures).toMatchObject({ rounds: 12, roundsWithOneWinner: 12 });
  }, 60_000);

  it("200: a bystander is served while another caller sends the largest bodies", async () => {
    const attacked = ["POST /developers/login", "POST /developers/me/keys"];
    const figures = await runBystanderCampaign({
      replicas,
      requestsEach: 2,
      slowMs: 500,
      isAttacked: ({ method, path }) => attacked.includes(`${method} ${path}`),
      onProgress,
    });

    expect(figures.refusedByMeaning).not.toContain("POST /developers/login");
    expect(figures.unavailable).toEqual([]);
    expect(figures.trials).toBeGreaterThan(40);
  }, 60_000);
});
