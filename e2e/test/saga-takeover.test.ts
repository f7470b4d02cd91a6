import { beforeAll, describe, expect, it } from "vitest";
import type { ServiceProcess } from "../src/service-process.ts";
import type { Answer } from "../src/signed-client.ts";
import { until } from "../src/until.ts";
import {
  add,
  arrangePlace,
  expectAddedOnce,
  type Kind,
  type Place,
  untilEnded,
  useVendors,
} from "./additions.ts";
import { clientOf, type Tenant, useDatabase, useDeployment, useRedis } from "./fixtures.ts";
import { lockTable, type Moment, prepareTraps, setTraps, type Traps } from "./traps.ts";
import { expectSoundAudit } from "./writes.ts";

const LEASE_MS = 2_000;
/** Once a second somebody looks for leases that have run out, and four times a second for work. */
const POLLS_MS = 2 * (1_000 + 250);
const FINISHED_WITHIN_MS = LEASE_MS + POLLS_MS + 5_000;
/** Longer than an owner needs to be paused, and shorter than a vendor is waited for. */
const SLOW_MS = 1_500;
const TEST_MAX_MS = 60_000;
/** What a process logs when it finds that somebody else has its work. */
const NOT_MINE = "is no longer owned by this execution";

const redis = await useRedis();

if (redis.missing)
  console.info("Skipped: two processes share their state in Redis, and there is no redis-server.");

describe.skipIf(redis.missing)("a process that takes over what another one was adding", () => {
  const database = useDatabase();
  const deployment = useDeployment(() => ({
    databaseUrl: database.serviceUrl,
    redisUrl: redis.url,
  }));
  const vendors = useVendors();
  let tenant: Tenant;
  let owner: ServiceProcess;
  let other: ServiceProcess;

  const start = () =>
    deployment.start({
      ...vendors.environment(),
      PURSER_WORKFLOW_LEASE_MS: String(LEASE_MS),
    });

  beforeAll(async () => {
    await prepareTraps(database.superuserUrl);
    tenant = await deployment.seedTenant();
    [owner, other] = await Promise.all([start(), start()]);
  });

  async function expectFinishedOnce(place: Place, where: string): Promise<void> {
    const client = clientOf(other, tenant);
    await expectAddedOnce(database.superuserUrl, vendors, { client, place, where });
    await expectSoundAudit(client, 2);
  }

  it.each<Kind>(["sync", "async"])(
    `202: killed in the middle, %s: the other one finishes within ${FINISHED_WITHIN_MS} ms`,
    async (kind) => {
      const client = clientOf(owner, tenant);
      const place = await arrangePlace(owner, client, kind);
      const step = "credential_storage";
      await using traps = await setTraps(database.superuserUrl, [
        { projectId: place.projectId, moment: "in", step },
      ]);
      add(client, place).catch(() => {});
      await traps.sprung();

      await owner.kill();
      await traps.open();
      let finishedAfterMs = Number.POSITIVE_INFINITY;
      try {
        finishedAfterMs = await untilEnded(database.superuserUrl, place);
      } finally {
        owner = await start();
      }

      console.info(
        `Owner killed, ${kind}: the other one had finished after ${Math.round(finishedAfterMs)} ms (lease ${LEASE_MS} ms)`,
      );
      expect(finishedAfterMs).toBeLessThan(FINISHED_WITHIN_MS);
      await expectFinishedOnce(place, kind);
    },
    TEST_MAX_MS,
  );

  /** Brings an addition to where its owner is to be paused, and gives what holds it there. */
  type Bring = (place: Place, ask: () => void) => Promise<Traps | undefined>;

  const slow =
    (operation: string, times = 1): Bring =>
    async (_place, ask) => {
      vendors.sandbox.force({ vendor: "neon", operation, outcome: "slow", delayMs: SLOW_MS });
      const since = new Date();
      ask();
      await vendors.hasSeen("neon", operation, { since, times });
      return undefined;
    };

  /** How often it looks, in an addition that nobody disturbs, before it has the resource made. */
  async function countLooks(): Promise<number> {
    const client = clientOf(owner, tenant);
    const place = await arrangePlace(owner, client, "sync");
    const since = new Date();
    await add(client, place);
    const asked = vendors.sandbox.requests("neon").filter(({ receivedAt }) => receivedAt >= since);
    const made = asked.findIndex(({ operation }) => operation === "createProject");
    return asked.slice(0, made).filter(({ operation }) => operation === "listProjects").length;
  }

  const trapped =
    (moment: Moment): Bring =>
    async ({ projectId }, ask) => {
      const trap = { projectId, moment, step: "credential_storage" };
      const traps = await setTraps(database.superuserUrl, [trap]);
      ask();
      await traps.sprung();
      return traps;
    };

  const PAUSES: readonly { readonly where: string; readonly bring: Bring }[] = [
    { where: "while the provider makes the resource", bring: slow("createProject") },
    {
      where: "while it looks whether there is one",
      bring: async (place, ask) => {
        const looks = await countLooks();
        const look = { vendor: "neon", operation: "listProjects" };
        if (looks > 1) vendors.sandbox.force({ ...look, outcome: "ok", times: looks - 1 });
        return slow("listProjects", looks)(place, ask);
      },
    },
    {
      where: "before the transaction of a step",
      bring: async (place, ask) => {
        await slow("createProject")(place, ask);
        const traps = await lockTable(database.superuserUrl, "dbos.transaction_completion");
        await traps.sprung();
        return traps;
      },
    },
    { where: "in the transaction of a step", bring: trapped("in") },
    { where: "in the transaction that notes a step", bring: trapped("after") },
  ];

  it.each(PAUSES)(
    "202: paused $where: the other one finishes, and the first one does nothing again when it wakes up",
    async ({ where, bring }) => {
      const client = clientOf(owner, tenant);
      const place = await arrangePlace(owner, client, "sync");
      let answer: Promise<Answer | undefined> = Promise.resolve(undefined);
      await using traps = await bring(place, () => {
        answer = add(client, place).catch(() => undefined);
      });

      owner.signal("SIGSTOP");
      const pausedAt = owner.log().length;
      await traps?.open();
      const finishedAfterMs = await untilEnded(database.superuserUrl, place).finally(() =>
        owner.signal("SIGCONT"),
      );
      const hasLetGo = async () => owner.log().slice(pausedAt).includes(NOT_MINE) || undefined;
      await until("the first one lets go of it", hasLetGo, TEST_MAX_MS / 3);

      console.info(`Owner paused ${where}: finished after ${Math.round(finishedAfterMs)} ms`);
      await expectFinishedOnce(place, where);
      await answer;
    },
    TEST_MAX_MS,
  );
});
