import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import { isCampaign, repetitions, testMaxMs } from "../../service/test/campaign.ts";
import type { ServiceProcess } from "../src/service-process.ts";
import type { Answer, SignedClient } from "../src/signed-client.ts";
import {
  add,
  arrangePlace,
  CHECKPOINTS,
  expectAddedOnce,
  type Kind,
  type Place,
  REFUSED_WITHOUT_CARD,
  readTrace,
  STEPS,
  untilEnded,
  useVendors,
} from "./additions.ts";
import { clientOf, type Tenant, useDatabase, useDeployment } from "./fixtures.ts";
import { type Moment, prepareTraps, setTraps } from "./traps.ts";
import { endLeases, expectSoundAudit } from "./writes.ts";

/** Each test starts a process, on a machine that may have other things to do. */
const TEST_MAX_MS = testMaxMs(60_000);

/** Who goes on: the same process again, or another one, which waits until the first one's lease has run out. */
const SUCCESSORS = { itself: { PURSER_INSTANCE_ID: "the-one" }, another: {} };
type Successor = keyof typeof SUCCESSORS;

interface Death {
  readonly successor: Successor;
  readonly sagas: readonly {
    readonly kind: Kind;
    readonly moment: Moment;
    readonly step: string;
  }[];
}

/** In the transaction of each step, or after each checkpoint. */
const PLACES = { in: STEPS, after: CHECKPOINTS };
const atEachPlace = (moment: Moment, kindOf: (index: number) => Kind) =>
  PLACES[moment].map((step, index) => ({ kind: kindOf(index), moment, step }));
const odd = (index: number): Kind => (index % 2 === 0 ? "async" : "sync");
const even = (index: number): Kind => (index % 2 === 0 ? "sync" : "async");

/** One death while a saga stands in each step's transaction, and another one right after each checkpoint. The campaign has every combination. */
const DEATHS: readonly Death[] = isCampaign
  ? (["sync", "async"] as const).flatMap((kind) =>
      (["in", "after"] as const).flatMap((moment) =>
        (["itself", "another"] as const).map((successor) => ({
          successor,
          sagas: atEachPlace(moment, () => kind),
        })),
      ),
    )
  : [{ successor: "another", sagas: [...atEachPlace("in", even), ...atEachPlace("after", odd)] }];

/** The places before the caller receives an answer. */
const BEFORE_PROVIDER: ReadonlySet<string> = new Set(["begin", ...STEPS.slice(0, 4)]);

/** Calls that are left without an answer: what they ask for has been done, or has not. */
const SILENCES = [
  { kind: "sync", vendor: "neon", operation: "createProject", outcome: "timeout_applied" },
  { kind: "sync", vendor: "neon", operation: "createProject", outcome: "timeout_lost" },
  { kind: "sync", vendor: "neon", operation: "getConnectionURI", outcome: "timeout_lost" },
  {
    kind: "async",
    vendor: "supabase",
    operation: "v1-create-a-project",
    outcome: "timeout_applied",
  },
  { kind: "async", vendor: "supabase", operation: "v1-create-a-project", outcome: "timeout_lost" },
  { kind: "async", vendor: "supabase", operation: "v1-get-project", outcome: "timeout_lost" },
] as const;

const CUSTOMER_SILENCE = {
  vendor: "stripe",
  operation: "PostCustomers",
  outcome: "timeout_applied",
} as const;

const RANDOM_DEATHS = repetitions(1);
const RANDOM_SEED = 20_261_121;
/** Until then, most additions that nobody disturbs are done. */
const RANDOM_WITHIN_MS = 500;

describe("a process that is killed while it adds services", () => {
  const database = useDatabase();
  const deployment = useDeployment(() => ({ databaseUrl: database.serviceUrl, redisUrl: "" }));
  const vendors = useVendors();
  let service: ServiceProcess;
  let tenant: Tenant;
  let client: SignedClient;

  async function start(successor: Successor): Promise<void> {
    service = await deployment.start({
      ...vendors.environment(),
      ...SUCCESSORS[successor],
      PURSER_CLAIMS_FILE: join(deployment.folder, "claims"),
      PURSER_WORKFLOW_LEASE_MS: "1000",
    });
    client = clientOf(service, tenant);
  }

  beforeAll(async () => {
    await prepareTraps(database.superuserUrl);
    tenant = await deployment.seedTenant();
    await start("itself");
  });

  /** Adds a service and waits until the vendor has received the call that it will not answer. The answer to the addition is checked later. */
  async function addInto(
    silence: Omit<(typeof SILENCES)[number], "kind"> | typeof CUSTOMER_SILENCE,
    place: Place,
  ) {
    vendors.sandbox.force(silence);
    const since = new Date();
    const lost = isLost(add(client, place));
    await vendors.hasSeen(silence.vendor, silence.operation, { since });
    return { lost };
  }

  it.each(DEATHS)(
    "202: at each of the steps; $successor goes on, and each is added once",
    async ({ successor, sagas: wanted }) => {
      const sagas = await Promise.all(
        wanted.map(async (saga) => ({
          ...saga,
          place: await arrangePlace(service, client, saga.kind),
        })),
      );
      await using traps = await setTraps(
        database.superuserUrl,
        sagas.map(({ step, moment, place: { projectId } }) => ({ projectId, moment, step })),
      );
      const lost = sagas.map(async ({ place }) => ({
        place,
        isLost: await isLost(add(client, place)),
      }));
      await traps.sprung();

      await service.kill();
      await traps.open();
      await start(successor);

      const answered = (await Promise.all(lost)).filter((call) => !call.isLost);
      for (const { kind, moment, step, place } of sagas) {
        const where = `${kind}, killed ${moment} ${step}`;
        // An addition at a slow provider is answered before it ends.
        const mayBeAnswered = kind === "async" && !BEFORE_PROVIDER.has(step);
        if (!mayBeAnswered)
          expect(
            answered.map((call) => call.place),
            where,
          ).not.toContain(place);
        await untilEnded(database.superuserUrl, place);
        await expectAddedOnce(database.superuserUrl, vendors, { client, place, where });
      }
      await expectSoundAudit(client, 2 * sagas.length);
    },
    TEST_MAX_MS,
  );

  it(
    "202, 402: while vendors have been asked and have not answered; each is added once, or leaves one customer",
    async () => {
      const sagas = [];
      for (const { kind, ...silence } of SILENCES) {
        const place = await arrangePlace(service, client, kind);
        const { lost } = await addInto(silence, place);
        sagas.push({ place, lost, where: `${silence.operation} ${silence.outcome}` });
      }
      const poor = await arrangePlace(service, client, "sync", { withCard: false });
      const { lost: lostByPoor } = await addInto(CUSTOMER_SILENCE, poor);

      await service.kill();
      await start("itself");

      expect(await Promise.all(sagas.map(({ lost }) => lost))).toContain(true);
      for (const { place, where } of sagas) {
        await untilEnded(database.superuserUrl, place);
        await expectAddedOnce(database.superuserUrl, vendors, { client, place, where });
      }
      expect(await lostByPoor).toBe(true);
      await untilEnded(database.superuserUrl, poor);
      expect(await readTrace(database.superuserUrl, vendors, poor)).toEqual(REFUSED_WITHOUT_CARD);
      const again = await add(client, poor);
      expect(again.status).toBe(402);
      expect(again.body).toMatchObject({ code: "payment_method_required" });
      await expectSoundAudit(client, 2 * (SILENCES.length + 1));
    },
    TEST_MAX_MS,
  );

  it(
    `202: at ${RANDOM_DEATHS} moments of chance (seed ${RANDOM_SEED}); the same call again adds each once`,
    async () => {
      const random = seededRandom(RANDOM_SEED);
      const deaths: { afterMs: number; lost: number }[] = [];
      for (let death = 1; death <= RANDOM_DEATHS; death += 1) {
        const kinds = ["sync", "async", "sync", "async"] as const;
        const places = await Promise.all(kinds.map((kind) => arrangePlace(service, client, kind)));
        const afterMs = Math.round(random() * RANDOM_WITHIN_MS);
        const lost = places.map((place) => isLost(add(client, place)));
        await wait(afterMs);

        await service.kill();
        deaths.push({ afterMs, lost: (await Promise.all(lost)).filter(Boolean).length });
        await start(random() < 0.5 ? "itself" : "another");

        await endLeases(database.superuserUrl);
        for (const place of places) {
          const again = await add(client, place);
          expect(again.status, again.text).toBe(202);
          await untilEnded(database.superuserUrl, place);
          const where = `death ${death}, after ${afterMs} ms`;
          await expectAddedOnce(database.superuserUrl, vendors, { client, place, where });
        }
      }
      // They have to have hit something, or nothing was shown.
      expect(deaths.some(({ lost }) => lost > 0)).toBe(true);
      console.info(JSON.stringify(deaths));
      await expectSoundAudit(client, 2 * RANDOM_DEATHS);
    },
    2 * TEST_MAX_MS,
  );
});

/** Whether a call got no answer. */
function isLost(answer: Promise<Answer>): Promise<boolean> {
  return answer.then(
    () => false,
    () => true,
  );
}

/** Numbers from 0 to below 1, always the same for one seed (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
