import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runBystanderCampaign } from "../src/campaigns/bystander/run.ts";
import { runRefreshCampaign } from "../src/campaigns/refresh.ts";
import { type Replicas, startReplicas } from "../src/campaigns/replicas.ts";
import { type KeyEnding, runRotateKeyCampaign } from "../src/campaigns/rotate-key.ts";
import { runWebhookCampaign } from "../src/campaigns/webhook-faults.ts";
import { useDatabase, useRedis } from "./fixtures.ts";

const onProgress = () => {};
const redis = await useRedis();

describe.skipIf(redis.missing)("two processes under load", () => {
  const database = useDatabase();
  let replicas: Replicas;

  beforeAll(async () => {
    replicas = await startReplicas(
      { databaseUrl: database.serviceUrl, redisUrl: redis.url },
      // These timeouts are longer than in production, because test machines can be busy. They are shorter than the
      // delays that a bug would cause.
      { PURSER_STORE_TIMEOUT_MS: "1500", PURSER_REDIS_TIMEOUT_MS: "1500" },
    );
  });
  afterAll(() => replicas.stop());

  it.each<[KeyEnding, number]>([
    ["rotate-key", 6],
    ["compromised", 4],
    ["revoked", 4],
  ])(
    "401: every request with the old key that starts after the response to the call that invalidated the key (%s)",
    async (ending, replacements) => {
      const figures = await runRotateKeyCampaign({
        replicas,
        ending,
        callers: 16,
        replacements,
        onProgress,
      });

      expect(figures).toMatchObject({
        replacements,
        acceptedAfterEnd: 0,
        refusedBeforeEnd: 0,
      });
      // Before each replacement, the replicas accept at least 16 requests with the old key. After the replacement, they
      // receive at least 16 more requests with that key. The expected number of rejections is lower, because a busy
      // machine can respond 503 instead of 401.
      expect(figures.accepted).toBeGreaterThanOrEqual(replacements * 16);
      expect(figures.refusedAfterEnd).toBeGreaterThanOrEqual(replacements * 12);
    },
    120_000,
  );

  it("200: one of the tokens that ten concurrent refreshes with the same token receive is valid, and the session continues", async () => {
    const figures = await runRefreshCampaign({ replicas, rounds: 12, concurrency: 10, onProgress });

    expect(figures).toMatchObject({ rounds: 12, roundsWithOneValidToken: 12 });
  }, 60_000);

  it("other developers' requests succeed while an attacker sends the largest bodies", async () => {
    const attacked = ["POST /developers/login", "POST /developers/me/keys"];
    const figures = await runBystanderCampaign({
      replicas,
      requestsEach: 2,
      slowMs: 500,
      isAttacked: ({ method, path }) => attacked.includes(`${method} ${path}`),
      onProgress,
    });

    expect(figures.refusedValidBody).not.toContain("POST /developers/login");
    expect(figures.unavailable).toEqual([]);
    expect(figures.trials).toBeGreaterThan(40);
  }, 60_000);

  it("webhooks of ten servers that fail in ten ways: each event arrives, in the order of its subject, signed", async () => {
    const figures = await runWebhookCampaign({ replicas, events: 600, onProgress: () => {} });

    expect(figures).toMatchObject({ events: 600, lost: 0, outOfOrder: 0, misdirected: 0, badSignatures: 0 });
    expect(figures.attempts).toBeGreaterThan(640);
  }, 180_000);
});
