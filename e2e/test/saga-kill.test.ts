import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { beforeAll, describe, expect, it } from "vitest";
import type { ServiceProcess } from "../src/service-process.ts";
import type { Answer, SignedClient } from "../src/signed-client.ts";
import {
  add,
  arrangePlace,
  expectAddedOnce,
  type Kind,
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
const TEST_MAX_MS = 60_000;

/** Who goes on: the same process again, or another one, which waits until the first one's lease has run out. */
const SUCCESSORS = { itself: { PURSER_INSTANCE_ID: "the-one" }, another: {} };
type Successor = keyof typeof SUCCESSORS;

const DEATHS: readonly { kind: Kind; moment: Moment; successor: Successor }[] = [
  { kind: "sync", moment: "in", successor: "itself" },
  { kind: "sync", moment: "after", successor: "another" },
  { kind: "async", moment: "in", successor: "another" },
  { kind: "async", moment: "after", successor: "itself" },
];

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

const RANDOM_DEATHS = 6;
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

  it.each(DEATHS)(
    "202: at each of the steps, $kind, $moment its transaction; $successor goes on, and each is added once",
    async ({ kind, moment, successor }) => {
      const sagas = await Promise.all(
        STEPS.map(async (step) => ({ step, place: await arrangePlace(service, client, kind) })),
      );
      await using traps = await setTraps(
        database.superuserUrl,
        sagas.map(({ step, place: { projectId } }) => ({ projectId, moment, step })),
      );
      const lost = sagas.map(({ place }) => isLost(add(client, place)));
      await traps.sprung();

      await service.kill();
      await traps.open();
      await start(successor);

      // Whoever waits for a provider that takes its time has been answered before.
      const lostMin = kind === "sync" ? STEPS.length : STEPS.indexOf("provider_provisioning");
      expect((await Promise.all(lost)).filter(Boolean).length).toBeGreaterThanOrEqual(lostMin);
      for (const { step, place } of sagas) {
        await untilEnded(database.superuserUrl, place);
        const where = `killed ${moment} ${step}`;
        await expectAddedOnce(database.superuserUrl, vendors, { client, place, where });
      }
      await expectSoundAudit(client, 2 * STEPS.length);
    },
    TEST_MAX_MS,
  );

  it(
    "202: while vendors have been asked and have not answered; each is added once",
    async () => {
      const sagas = [];
      for (const { kind, ...silence } of SILENCES) {
        const place = await arrangePlace(service, client, kind);
        vendors.sandbox.force(silence);
        const since = new Date();
        const lost = isLost(add(client, place));
        await vendors.hasSeen(silence.vendor, silence.operation, { since });
        sagas.push({ place, lost, where: `${silence.operation} ${silence.outcome}` });
      }

      await service.kill();
      await start("itself");

      expect(await Promise.all(sagas.map(({ lost }) => lost))).toContain(true);
      for (const { place, where } of sagas) {
        await untilEnded(database.superuserUrl, place);
        await expectAddedOnce(database.superuserUrl, vendors, { client, place, where });
      }
      await expectSoundAudit(client, 2 * SILENCES.length);
    },
    TEST_MAX_MS,
  );

  it(
    "402: while a customer is made for a project without a card; there is one customer, and nothing is reserved",
    async () => {
      const place = await arrangePlace(service, client, "sync", { withCard: false });
      const outcome = "timeout_applied";
      vendors.sandbox.force({ vendor: "stripe", operation: "PostCustomers", outcome });
      const since = new Date();
      const lost = isLost(add(client, place));
      await vendors.hasSeen("stripe", "PostCustomers", { since });

      await service.kill();
      await start("another");

      expect(await lost).toBe(true);
      await untilEnded(database.superuserUrl, place);
      expect(await readTrace(database.superuserUrl, vendors, place)).toEqual(REFUSED_WITHOUT_CARD);
      const again = await add(client, place);
      expect(again.status).toBe(402);
      expect(again.body).toMatchObject({ code: "payment_method_required" });
      await expectSoundAudit(client, 2);
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
