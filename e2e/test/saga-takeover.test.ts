import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { isCampaign, testMaxMs } from "../../service/test/campaign.ts";
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

const KINDS: readonly Kind[] = ["sync", "async"];
const LEASE_MS = 2_000;
/** Once a second somebody looks for leases that have run out, and four times a second for work. */
const POLLS_MS = 2 * (1_000 + 250);
const FINISHED_WITHIN_MS = LEASE_MS + POLLS_MS + 5_000;
/** Longer than an owner needs to be paused, and shorter than a vendor is waited for. */
const SLOW_MS = 3_000;
const TEST_MAX_MS = testMaxMs(60_000);
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

  it(
    `202: killed in the middle: the other one finishes within ${FINISHED_WITHIN_MS} ms`,
    async () => {
      const client = clientOf(owner, tenant);
      const places = await Promise.all(KINDS.map((kind) => arrangePlace(owner, client, kind)));
      const step = "credential_storage";
      await using traps = await setTraps(
        database.superuserUrl,
        places.map(({ projectId }) => ({ projectId, moment: "in", step })),
      );
      for (const place of places) add(client, place).catch(() => {});
      await traps.sprung();

      await owner.kill();
      await traps.open();
      let finishedAfterMs = [Number.POSITIVE_INFINITY];
      try {
        finishedAfterMs = await Promise.all(
          places.map((place) => untilEnded(database.superuserUrl, place)),
        );
      } finally {
        owner = await start();
      }

      console.info(
        `Owner killed: the other one had finished after ${finishedAfterMs.map(Math.round).join(" and ")} ms (lease ${LEASE_MS} ms)`,
      );
      expect(Math.max(...finishedAfterMs)).toBeLessThan(FINISHED_WITHIN_MS);
      for (const place of places) await expectFinishedOnce(place, place.kind);
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

  interface Pause {
    readonly where: string;
    readonly bring: Bring;
  }

  /** Slow vendors last: they answer after a while, and traps hold. */
  const PAUSES: readonly Pause[] = [
    { where: "in the transaction of a step", bring: trapped("in") },
    { where: "in the transaction that notes a step", bring: trapped("after") },
    {
      where: "while it looks whether there is one",
      bring: async (place, ask) => {
        const looks = await countLooks();
        const look = { vendor: "neon", operation: "listProjects" };
        if (looks > 1) vendors.sandbox.force({ ...look, outcome: "ok", times: looks - 1 });
        return slow("listProjects", looks)(place, ask);
      },
    },
    { where: "while the provider makes the resource", bring: slow("createProject") },
  ];

  /** A table that nobody gets into stops all of them. */
  const PAUSE_ALONE: Pause = {
    where: "before the transaction of a step",
    bring: async (place, ask) => {
      await slow("createProject")(place, ask);
      const traps = await lockTable(database.superuserUrl, "dbos.transaction_completion");
      await traps.sprung();
      return traps;
    },
  };

  const TRIALS: readonly (readonly Pause[])[] = [
    PAUSES,
    [PAUSE_ALONE],
    ...(isCampaign ? PAUSES.map((pause) => [pause]) : []),
  ];

  const held: Traps[] = [];
  const openAll = () => Promise.all(held.splice(0).map((traps) => traps.open()));
  afterEach(openAll);

  it.each(TRIALS.map((pauses) => ({ pauses, where: pauses.map(({ where }) => where).join(", ") })))(
    "202: paused $where: the other one finishes, and the first one does nothing again when it wakes up",
    async ({ pauses }) => {
      const client = clientOf(owner, tenant);
      const places = await Promise.all(pauses.map(() => arrangePlace(owner, client, "sync")));
      const additions = pauses.map((pause, index) => ({ ...pause, place: places[index] as Place }));
      const answers: Promise<Answer | undefined>[] = [];
      for (const { place, bring } of additions) {
        const traps = await bring(place, () => {
          answers.push(add(client, place).catch(() => undefined));
        });
        if (traps !== undefined) held.push(traps);
      }

      owner.signal("SIGSTOP");
      const pausedAt = owner.log().length;
      await openAll();
      const finishedAfterMs = await Promise.all(
        places.map((place) => untilEnded(database.superuserUrl, place)),
      ).finally(() => owner.signal("SIGCONT"));
      const lettingGo = () => owner.log().slice(pausedAt).split(NOT_MINE).length - 1;
      const hasLetGo = async () => lettingGo() >= places.length || undefined;
      await until("the first one lets go of them", hasLetGo, TEST_MAX_MS / 3);

      console.info(`Owner paused: finished after ${finishedAfterMs.map(Math.round).join(", ")} ms`);
      for (const { place, where } of additions) await expectFinishedOnce(place, where);
      await Promise.all(answers);
    },
    TEST_MAX_MS,
  );
});
