import { randomUUID } from "node:crypto";
import { Redis } from "ioredis";
import { beforeAll, describe, expect, it } from "vitest";
import type { ServiceProcess } from "../src/service-process.ts";
import type { SignedClient } from "../src/signed-client.ts";
import { until } from "../src/until.ts";
import { clientOf, useDatabase, useDeployment, useRedis } from "./fixtures.ts";

const ME = "/developers/me";
const REQUESTS = 200;

const redis = await useRedis();

describe.skipIf(redis.missing)("what a signed request asks of Redis", () => {
  const database = useDatabase();
  const deployment = useDeployment(() => ({
    databaseUrl: database.serviceUrl,
    redisUrl: redis.url,
  }));
  let service: ServiceProcess;
  let client: SignedClient;

  beforeAll(async () => {
    service = await deployment.start();
    client = clientOf(service, await deployment.seedTenant());
    // Warm: the key is cached under its epoch, and Redis knows the script.
    for (let warming = 0; warming < 3; warming += 1) await client.get(ME);
  });

  it(`of ${REQUESTS} reads, each is one script call and nothing else`, async () => {
    const commands = await commandsDuring(async () => {
      for (let count = 0; count < REQUESTS; count += 1) {
        expect((await client.get(ME)).status).toBe(200);
      }
    });

    expect(commands).toEqual(Array.from({ length: REQUESTS }, () => "evalsha"));
  });

  it(`of ${REQUESTS} writes with an Idempotency-Key, ten at a time, too`, async () => {
    const commands = await commandsDuring(async () => {
      for (let count = 0; count < REQUESTS; count += 10) {
        const writes = Array.from({ length: 10 }, () => {
          const idempotencyKey = randomUUID();
          return client.post("/projects", { name: `p-${idempotencyKey}` }, { idempotencyKey });
        });
        for (const { status } of await Promise.all(writes)) expect(status).toBe(201);
      }
    });

    expect(commands).toEqual(Array.from({ length: REQUESTS }, () => "evalsha"));
  });

  it("a refused request too, whether its nonce was seen or its signature is wrong", async () => {
    const nonce = randomUUID();
    const stranger = clientOf(service, {
      keyId: "",
      apiKey: `svc_sk_live_${"A".repeat(43)}`,
      apiSecret: "none",
    });

    const commands = await commandsDuring(async () => {
      expect((await client.get(ME, { nonce })).status).toBe(200);
      expect((await client.get(ME, { nonce })).status).toBe(401);
      expect((await client.get(ME, { timestamp: "1000000000" })).status).toBe(401);
      expect((await stranger.get(ME)).status).toBe(401);
    });

    // The one whose timestamp is old does not get as far as Redis.
    expect(commands.filter((name) => name !== "evalsha")).toEqual([]);
    expect(commands.length).toBeLessThanOrEqual(3);
  });

  it("and a public one asks nothing of it", async () => {
    const commands = await commandsDuring(async () => {
      expect((await fetch(`${service.url}/api/v1/svc/time`)).status).toBe(200);
      expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
    });

    expect(commands).toEqual([]);
  });

  /** The names of the commands that clients send meanwhile, as MONITOR tells them. What a script runs inside is not among them. */
  async function commandsDuring(work: () => Promise<void>): Promise<string[]> {
    const observer = new Redis(redis.url);
    const monitor = await observer.monitor();
    const seen: { name: string; source: string; first: string }[] = [];
    monitor.on("monitor", (_time: string, args: string[], source: string) => {
      seen.push({ name: (args[0] ?? "").toLowerCase(), source, first: args[1] ?? "" });
    });
    const settled = async (text: string) => {
      await observer.echo(text);
      await until("the monitor has caught up", async () =>
        seen.find(({ first }) => first === text),
      );
    };
    try {
      await settled("before");
      seen.length = 0;
      await work();
      await settled("after");
    } finally {
      monitor.disconnect();
      observer.disconnect();
    }
    return seen
      .filter(({ source, first }) => source !== "lua" && first !== "after")
      .map(({ name }) => name);
  }
});
