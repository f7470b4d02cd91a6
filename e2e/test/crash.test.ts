import { Purser } from "@purser/sdk";
import { beforeAll, describe, expect, it } from "vitest";
import { repetitions, testMaxMs } from "../../service/test/campaign.ts";
import type { ServerProcess } from "../src/server-process.ts";
import { createClient, load, query, useDatabase, useDeployment, useRedis } from "./fixtures.ts";
import {
  createWriter,
  endLeases,
  expectNoPartialWrites,
  expectRepeatable,
  expectValidAudit,
  readTraces,
} from "./writes.ts";

const ROUNDS = repetitions(1);
const WRITES = 25;
const TEST_MAX_MS = testMaxMs(60_000);

const redis = await useRedis();

describe.skipIf(redis.missing)("a process that is killed while it handles writes", () => {
  const database = useDatabase();
  const deployment = useDeployment(() => ({
    databaseUrl: database.serviceUrl,
    redisUrl: redis.url,
  }));
  /** The running process. A test that kills it starts a new one. */
  let server: ServerProcess;

  beforeAll(async () => {
    server = await deployment.start();
  });

  it(
    `201: confirmed writes exist, and a write that is repeated with its Idempotency-Key is applied once (${ROUNDS} rounds)`,
    async () => {
      const tenant = await deployment.seedTenant();
      const found = [];

      for (let round = 0; round < ROUNDS; round += 1) {
        const writer = createWriter(() => createClient(server, tenant));
        const writes = load(writer.write, 8);
        await writes.more(WRITES);
        const [ended] = await Promise.all([server.kill(), writes.stop()]);
        expect(ended).toEqual({ code: null, signal: "SIGKILL" });

        found.push(await expectNoPartialWrites(database.superuserUrl, writer.writes));
        server = await deployment.start();
        await expectInFlight(writer);
        await endLeases(database.superuserUrl);
        await expectRepeatable(database.superuserUrl, writer);
        await expectValidAudit(createClient(server, tenant), writer.writes.length);
      }

      // If no write was interrupted, the test is meaningless.
      expect(sum(found.map(({ confirmed }) => confirmed))).toBeGreaterThan(0);
      expect(
        sum(found.map(({ lostAndNotApplied, lostAndApplied }) => lostAndNotApplied + lostAndApplied)),
      ).toBeGreaterThan(0);
      console.info(JSON.stringify(found));
    },
    TEST_MAX_MS,
  );

  it("201: an SDK call succeeds after the process was killed and restarted", async () => {
    const tenant = await deployment.seedTenant();
    const { port } = new URL(server.url);
    const purser = new Purser({ ...tenant, baseUrl: server.url, maxRetries: 8, logLevel: "off" });
    await purser.projects.create({ name: "before" });
    await server.kill();

    const created = purser.projects.create({ name: "interrupted" });
    server = await deployment.start({ PURSER_PORT: port });

    expect((await created).name).toBe("interrupted");
    const rows = await query<{ name: string }>(
      database.superuserUrl,
      "select name from projects where tenant_id = $1 order by name",
      [tenant.tenantId],
    );
    expect(rows.map(({ name }) => name)).toEqual(["before", "interrupted"]);
  });

  /**
   * Repeats the interrupted calls and expects 409, because for one minute the server treats an interrupted call as
   * still running.
   */
  async function expectInFlight({ writes, repeat }: ReturnType<typeof createWriter>) {
    const traces = await readTraces(database.superuserUrl, writes);
    const inFlight = await query<{ key: string }>(
      database.superuserUrl,
      "select idempotency_key::text as key from idempotency_records where state = 'in_flight'",
    );
    const stuck = traces.filter(({ write }) => inFlight.some(({ key }) => key === write.idempotencyKey));
    for (const { write, trace } of stuck) {
      const response = await repeat(write);
      expect(trace.project).toBe(0);
      expect(response.status).toBe(409);
      expect(response.body).toMatchObject({ code: "idempotency_in_flight", retryable: true });
      expect(response.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
    }
  }
});

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
