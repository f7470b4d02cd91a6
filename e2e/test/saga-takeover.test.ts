import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { isCampaign, testMaxMs } from "../../service/test/campaign.ts";
import type { ServerProcess } from "../src/server-process.ts";
import type { ApiResponse } from "../src/signed-client.ts";
import { until } from "../src/until.ts";
import { createClient, type Tenant, useDatabase, useDeployment, useRedis } from "./fixtures.ts";
import { lockTable, type Moment, type PausePoints, preparePausePoints, setPausePoints } from "./pause-points.ts";
import {
  type Addition,
  add,
  expectAddedOnce,
  type Kind,
  prepareAddition,
  untilEnded,
  useVendors,
} from "./service-additions.ts";
import { expectValidAudit } from "./writes.ts";

const KINDS: readonly Kind[] = ["sync", "async"];
const LEASE_MS = 2_000;
/** A process polls for expired leases once per second, and for work four times per second. */
const POLLS_MS = 2 * (1_000 + 250);
const FINISHED_WITHIN_MS = LEASE_MS + POLLS_MS + 5_000;
/**
 * Response time of a slow vendor call. It is longer than stopping the process takes, and shorter than the timeout for
 * vendor calls.
 */
const SLOW_MS = 6_000;
const TEST_MAX_MS = testMaxMs(60_000);
/** Logged by a process whose workflow was taken over. */
const TAKEN_OVER = "is no longer owned by this execution";

const redis = await useRedis();

if (redis.missing) console.info("Skipped: two processes need Redis, and redis-server is not installed.");

describe.skipIf(redis.missing)("a process that takes over adding a service", () => {
  const database = useDatabase();
  const deployment = useDeployment(() => ({
    databaseUrl: database.serviceUrl,
    redisUrl: redis.url,
  }));
  const vendors = useVendors();
  let tenant: Tenant;
  let owner: ServerProcess;
  let other: ServerProcess;

  const start = () =>
    deployment.start({
      ...vendors.environment(),
      PURSER_WORKFLOW_LEASE_MS: String(LEASE_MS),
    });

  beforeAll(async () => {
    await preparePausePoints(database.superuserUrl);
    tenant = await deployment.seedTenant();
    [owner, other] = await Promise.all([start(), start()]);
  });

  async function expectFinishedOnce(addition: Addition, where: string): Promise<void> {
    const client = createClient(other, tenant);
    await expectAddedOnce(database.superuserUrl, vendors, { client, addition, where });
    await expectValidAudit(client, 2);
  }

  it(
    `202: the owner is killed; the other process finishes within ${FINISHED_WITHIN_MS} ms`,
    async () => {
      const client = createClient(owner, tenant);
      const additions = await Promise.all(KINDS.map((kind) => prepareAddition(owner, client, kind)));
      const step = "credential_storage";
      await using pausePoints = await setPausePoints(
        database.superuserUrl,
        additions.map(({ projectId }) => ({ projectId, moment: "in", step })),
      );
      for (const addition of additions) add(client, addition).catch(() => {});
      await pausePoints.untilReached();

      await owner.kill();
      await pausePoints.release();
      let finishedAfterMs = [Number.POSITIVE_INFINITY];
      try {
        finishedAfterMs = await Promise.all(additions.map((addition) => untilEnded(database.superuserUrl, addition)));
      } finally {
        owner = await start();
      }

      console.info(
        `Owner killed: the other process finished after ${finishedAfterMs.map(Math.round).join(" and ")} ms (lease ${LEASE_MS} ms)`,
      );
      expect(Math.max(...finishedAfterMs)).toBeLessThan(FINISHED_WITHIN_MS);
      for (const addition of additions) await expectFinishedOnce(addition, addition.kind);
    },
    TEST_MAX_MS,
  );

  /**
   * Starts adding a service and waits until the saga reaches the place at which the test stops its process. Returns the
   * pause points, if the place has any.
   */
  type RunUntil = (addition: Addition, start: () => void) => Promise<PausePoints | undefined>;

  const slow =
    (operation: string, times = 1): RunUntil =>
    async (_addition, start) => {
      vendors.sandbox.force({ vendor: "neon", operation, outcome: "slow", delayMs: SLOW_MS });
      const since = new Date();
      start();
      await vendors.untilReceived("neon", operation, { since, times });
      return undefined;
    };

  /** Adds a service without interruption. Returns how often Neon's projects are listed before a project is created. */
  async function countLists(): Promise<number> {
    const client = createClient(owner, tenant);
    const addition = await prepareAddition(owner, client, "sync");
    const since = new Date();
    await add(client, addition);
    const requests = vendors.sandbox.requests("neon").filter(({ receivedAt }) => receivedAt >= since);
    const createdAt = requests.findIndex(({ operation }) => operation === "createProject");
    return requests.slice(0, createdAt).filter(({ operation }) => operation === "listProjects").length;
  }

  const pausedAt =
    (moment: Moment): RunUntil =>
    async ({ projectId }, start) => {
      const point = { projectId, moment, step: "credential_storage" };
      const pausePoints = await setPausePoints(database.superuserUrl, [point]);
      start();
      await pausePoints.untilReached();
      return pausePoints;
    };

  interface Pause {
    readonly where: string;
    readonly runUntil: RunUntil;
  }

  /**
   * The process is stopped after all sagas have reached their places. A slow vendor call keeps a saga at its place only
   * for `SLOW_MS`, so the slow calls come last. Pause points have no time limit.
   */
  const PAUSES: readonly Pause[] = [
    { where: "in the transaction of a step", runUntil: pausedAt("in") },
    { where: "in the transaction that stores a checkpoint", runUntil: pausedAt("after") },
    {
      where: "while it lists existing resources",
      runUntil: async (addition, start) => {
        const lists = await countLists();
        const call = { vendor: "neon", operation: "listProjects" };
        if (lists > 1) vendors.sandbox.force({ ...call, outcome: "ok", times: lists - 1 });
        return slow("listProjects", lists)(addition, start);
      },
    },
    { where: "while the provider creates the resource", runUntil: slow("createProject") },
  ];

  /** This pause is tested separately, because the locked table stops all sagas. */
  const PAUSE_ALONE: Pause = {
    where: "before the transaction of a step",
    runUntil: async (addition, start) => {
      await slow("createProject")(addition, start);
      const pausePoints = await lockTable(database.superuserUrl, "dbos.transaction_completion");
      await pausePoints.untilReached();
      return pausePoints;
    },
  };

  const TRIALS: readonly (readonly Pause[])[] = [
    PAUSES,
    [PAUSE_ALONE],
    ...(isCampaign ? PAUSES.map((pause) => [pause]) : []),
  ];

  const activePausePoints: PausePoints[] = [];
  const releaseAll = () => Promise.all(activePausePoints.splice(0).map((pausePoints) => pausePoints.release()));
  afterEach(releaseAll);

  it.each(TRIALS.map((pauses) => ({ pauses, where: pauses.map(({ where }) => where).join(", ") })))(
    "202: the owner is paused $where; the other process finishes, and the owner repeats nothing when it resumes",
    async ({ pauses }) => {
      const client = createClient(owner, tenant);
      const additions = await Promise.all(pauses.map(() => prepareAddition(owner, client, "sync")));
      const pausedAdditions = pauses.map((pause, index) => ({
        ...pause,
        addition: additions[index] as Addition,
      }));
      const responses: Promise<ApiResponse | undefined>[] = [];
      for (const { addition, runUntil } of pausedAdditions) {
        const pausePoints = await runUntil(addition, () => {
          responses.push(add(client, addition).catch(() => undefined));
        });
        if (pausePoints !== undefined) activePausePoints.push(pausePoints);
      }

      owner.signal("SIGSTOP");
      const logLength = owner.log().length;
      await releaseAll();
      const finishedAfterMs = await Promise.all(
        additions.map((addition) => untilEnded(database.superuserUrl, addition)),
      ).finally(() => owner.signal("SIGCONT"));
      const takenOverCount = () => owner.log().slice(logLength).split(TAKEN_OVER).length - 1;
      const hasNoticed = async () => takenOverCount() >= additions.length || undefined;
      await until("the owner notices that its workflows were taken over", hasNoticed, TEST_MAX_MS / 3);

      console.info(`Owner paused: finished after ${finishedAfterMs.map(Math.round).join(", ")} ms`);
      for (const { addition, where } of pausedAdditions) await expectFinishedOnce(addition, where);
      await Promise.all(responses);
    },
    TEST_MAX_MS,
  );
});
