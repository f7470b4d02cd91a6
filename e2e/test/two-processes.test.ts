import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import type { ServerProcess } from "../src/server-process.ts";
import type { ApiResponse, SignedClient } from "../src/signed-client.ts";
import { createClient, load, statusesOf, useDatabase, useDeployment, useRedis } from "./fixtures.ts";

const ME = "/developers/me";
const KEYS = "/developers/me/keys";

const redis = await useRedis();

describe.skipIf(redis.missing)("two processes with one PostgreSQL and one Redis", () => {
  const database = useDatabase();
  const deployment = useDeployment(() => ({
    databaseUrl: database.serviceUrl,
    redisUrl: redis.url,
  }));
  let processes: readonly [ServerProcess, ServerProcess];

  beforeAll(async () => {
    processes = await Promise.all([deployment.start(), deployment.start()]);
  });

  /** Creates a tenant with a second key, and makes both processes cache that key. */
  async function arrangeKey() {
    const tenant = await deployment.seedTenant();
    const key = await deployment.seedKey(tenant.tenantId);
    const [first, second] = processes;
    const clients = [createClient(first, key), createClient(second, key)] as const;
    for (const client of clients) {
      // Two requests are needed to cache the key. The first sets the key's epoch, a value that every revocation
      // changes. The second stores the key under that epoch.
      expect((await client.get(ME)).status).toBe(200);
      expect((await client.get(ME)).status).toBe(200);
    }
    return { tenant, key, clients };
  }

  it("401: the other process has already received the nonce", async () => {
    const { clients } = await arrangeKey();
    const [first, second] = clients;

    for (const [one, other] of [
      [first, second],
      [second, first],
    ] as const) {
      const nonce = randomUUID();
      expect((await one.get(ME, { nonce })).status).toBe(200);
      expect((await other.get(ME, { nonce })).status).toBe(401);
      expect((await one.get(ME, { nonce })).status).toBe(401);
    }
  });

  it("401: all but one of twenty identical requests to both processes", async () => {
    const { clients } = await arrangeKey();

    for (let round = 0; round < 5; round += 1) {
      const nonce = randomUUID();
      const requests = Array.from({ length: 20 }, (_, index) => clients[index % 2 === 0 ? 0 : 1].get(ME, { nonce }));
      const accepted = (await Promise.all(requests)).filter(({ status }) => status === 200);
      expect(accepted).toHaveLength(1);
    }
  });

  it("401: the next request to each process after a key is revoked", async () => {
    for (let round = 0; round < 10; round += 1) {
      const { tenant, key, clients } = await arrangeKey();
      const revoker = createClient(processes[round % 2 === 0 ? 0 : 1], tenant);

      const revoked = await revoker.delete(`${KEYS}/${key.keyId}`);
      const after = await Promise.all(clients.map((client) => client.get(ME)));

      expect(revoked.status).toBe(200);
      expect(after.map(({ status }) => status)).toEqual([401, 401]);
    }
  });

  it("401: every request that starts after the response to the revocation, with 16 concurrent callers", async () => {
    for (let round = 0; round < 2; round += 1) {
      const { tenant, key, clients } = await arrangeKey();
      const revoker = createClient(processes[round % 2 === 0 ? 0 : 1], tenant);

      const { before, after } = await sendWhileRevoking(clients, () => revoker.delete(`${KEYS}/${key.keyId}`));

      expect(after.filter(isAccepted)).toEqual([]);
      // The key must have worked before the revocation, and the callers must have continued after it.
      expect(before.filter(isAccepted).length).toBeGreaterThan(100);
      expect(after.filter(({ status }) => status === 401).length).toBeGreaterThan(100);
    }
  });

  it("429: both processes share a key's token bucket", async () => {
    const tenant = await deployment.seedTenant({ rateLimitPerMinute: 30 });
    const [first, second] = processes;
    const clients = [createClient(first, tenant), createClient(second, tenant)] as const;
    const startedMs = performance.now();

    const responses: ApiResponse[] = [];
    for (let round = 0; round < 30; round += 1) {
      responses.push(...(await Promise.all(clients.map((client) => client.get(ME)))));
    }

    const refilled = Math.ceil((performance.now() - startedMs) / 2_000);
    const limited = responses.filter(({ status }) => status === 429);
    expect(statusesOf(responses)).toEqual([200, 429]);
    expect(responses.filter(isAccepted).length).toBeGreaterThanOrEqual(30);
    expect(responses.filter(isAccepted).length).toBeLessThanOrEqual(30 + refilled);
    for (const response of limited) {
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    }
  });

  it("accepts concurrent requests with a key that no process has cached", async () => {
    const tenant = await deployment.seedTenant();
    const clients = processes.map((server) => createClient(server, tenant));

    const responses = await Promise.all(
      Array.from({ length: 30 }, () => clients.map((client) => client.get(ME))).flat(),
    );

    expect(statusesOf(responses)).toEqual([200]);
  });
});

function isAccepted({ status }: ApiResponse): boolean {
  return status < 400;
}

async function sendWhileRevoking(clients: readonly [SignedClient, SignedClient], revoke: () => Promise<ApiResponse>) {
  const loads = clients.map((client) => load(() => client.get(ME), 8));
  const more = (count: number) => Promise.all(loads.map((each) => each.more(count)));
  await more(100);
  const revoking = revoke();
  const revokeStartedAtMs = performance.now();
  expect((await revoking).status).toBe(200);
  const revokedAtMs = performance.now();
  await more(100);
  await Promise.all(loads.map((each) => each.stop()));

  const responses = loads.flatMap((each) => each.responses);
  return {
    before: responses.filter((one) => one.startedAtMs + one.elapsedMs < revokeStartedAtMs),
    after: responses.filter(({ startedAtMs }) => startedAtMs > revokedAtMs),
  };
}
