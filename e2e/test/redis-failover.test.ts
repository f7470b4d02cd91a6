import { beforeAll, describe, expect, it } from "vitest";
import { isRedisMissing } from "../../service/test/fast-state/redis.ts";
import { type RedisGroup, startRedisGroup } from "../../service/test/fast-state/redis-group.ts";
import { untilReadyAt } from "../src/server-process.ts";
import { PREFIX, sendOnce, signedHeaders } from "../src/signed-client.ts";
import { until } from "../src/until.ts";
import { createClient, DEFAULT_TIMEOUTS, type Tenant, useDatabase, useDeployment } from "./fixtures.ts";

const READ = { method: "GET", path: "/developers/me" };
const FAILOVER_MAX_MS = 30_000;

describe.skipIf(isRedisMissing())("two processes with Redis and Sentinel", () => {
  let group: RedisGroup;
  beforeAll(async () => {
    group = await startRedisGroup({ servers: 2, sentinels: 1 });
    return () => group.stop();
  });
  const database = useDatabase();
  const deployment = useDeployment(() => ({ databaseUrl: database.serviceUrl, redisUrl: group.url }));
  let tenant: Tenant;
  beforeAll(async () => {
    tenant = await deployment.seedTenant();
  });

  it("503: a captured request is not accepted again after the master has changed, a new one is", async () => {
    const servers = [await deployment.start(DEFAULT_TIMEOUTS), await deployment.start(DEFAULT_TIMEOUTS)] as const;
    const send = (url: string, headers: Record<string, string>) => sendOnce(url + PREFIX + READ.path, { headers });
    // From now on, the replica misses the nonces.
    await group.stopReplication();
    const captured = signedHeaders(tenant, READ);
    expect((await send(servers[0].url, captured)).status).toBe(200);
    expect((await send(servers[1].url, captured)).status).toBe(401);

    await group.signalMaster("SIGKILL");
    const { value: refused } = await until(
      "the processes know the new master",
      async () => {
        const { body } = await sendOnce(`${servers[0].url}/readyz`);
        const response = await send(servers[0].url, captured);
        expect(response.status).toBe(503);
        return Object(body).ready === true ? response : undefined;
      },
      FAILOVER_MAX_MS,
    );

    expect(refused.headers.get("retry-after")).toBe("1");
    expect(refused.body).toMatchObject({ code: "service_unavailable", retryable: true });
    for (const { url } of servers) {
      await untilReadyAt(url);
      expect((await send(url, captured)).status).toBe(503);
    }
    const client = createClient(servers[1], tenant, { retriesMax: 0 });
    expect((await client.get(READ.path)).status).toBe(200);
  }, 90_000);
});
