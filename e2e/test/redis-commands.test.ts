import { randomUUID } from "node:crypto";
import { Redis } from "ioredis";
import { beforeAll, describe, expect, it } from "vitest";
import type { ServerProcess } from "../src/server-process.ts";
import type { SignedClient } from "../src/signed-client.ts";
import { until } from "../src/until.ts";
import { createClient, useDatabase, useDeployment, useRedis } from "./fixtures.ts";

const ME = "/developers/me";
const REQUESTS = 200;

const redis = await useRedis();

describe.skipIf(redis.missing)("the Redis commands of a request", () => {
  const database = useDatabase();
  const deployment = useDeployment(() => ({
    databaseUrl: database.serviceUrl,
    redisUrl: redis.url,
  }));
  let server: ServerProcess;
  let client: SignedClient;

  beforeAll(async () => {
    server = await deployment.start();
    client = createClient(server, await deployment.seedTenant());
    // After these requests, the key is cached and Redis has loaded the script.
    for (let count = 0; count < 3; count += 1) await client.get(ME);
  });

  it(`one evalsha for each of ${REQUESTS} signed reads`, async () => {
    const commands = await commandsDuring(async () => {
      for (let count = 0; count < REQUESTS; count += 1) {
        expect((await client.get(ME)).status).toBe(200);
      }
    });

    expect(commands).toEqual(Array.from({ length: REQUESTS }, () => "evalsha"));
  });

  it(`one evalsha for each of ${REQUESTS} concurrent writes with an Idempotency-Key`, async () => {
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

  it("at most one evalsha for a rejected request", async () => {
    const nonce = randomUUID();
    const unknownClient = createClient(server, {
      keyId: "",
      apiKey: `svc_sk_live_${"A".repeat(43)}`,
      apiSecret: "none",
    });

    const commands = await commandsDuring(async () => {
      expect((await client.get(ME, { nonce })).status).toBe(200);
      expect((await client.get(ME, { nonce })).status).toBe(401);
      expect((await client.get(ME, { timestamp: "1000000000" })).status).toBe(401);
      expect((await unknownClient.get(ME)).status).toBe(401);
    });

    // The four requests cause at most three commands. The request with the old timestamp is rejected before Redis is
    // called.
    expect(commands.filter((name) => name !== "evalsha")).toEqual([]);
    expect(commands.length).toBeLessThanOrEqual(3);
  });

  it("no command for a public request", async () => {
    const commands = await commandsDuring(async () => {
      expect((await fetch(`${server.url}/api/v1/svc/time`)).status).toBe(200);
      expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
    });

    expect(commands).toEqual([]);
  });

  /** Returns the names of the commands that clients send, using MONITOR. Commands inside scripts are not included. */
  async function commandsDuring(work: () => Promise<void>): Promise<string[]> {
    const observer = new Redis(redis.url);
    const monitor = await observer.monitor();
    const seen: { name: string; source: string; first: string }[] = [];
    monitor.on("monitor", (_time: string, args: string[], source: string) => {
      seen.push({ name: (args[0] ?? "").toLowerCase(), source, first: args[1] ?? "" });
    });
    const settled = async (text: string) => {
      await observer.echo(text);
      await until("the monitor has caught up", async () => seen.find(({ first }) => first === text));
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
    return seen.filter(({ source, first }) => source !== "lua" && first !== "after").map(({ name }) => name);
  }
});
