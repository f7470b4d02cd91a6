import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { isCampaign, repetitions, testMaxMs } from "../../service/test/campaign.ts";
import type { ApiResponse } from "../src/signed-client.ts";
import { type Successor, useKilledServer } from "./killed-server.ts";
import { type Moment, setPausePoints } from "./pause-points.ts";
import {
  type Addition,
  add,
  CHECKPOINTS,
  expectAddedOnce,
  type Kind,
  prepareAddition,
  REFUSED_WITHOUT_CARD,
  readTrace,
  STEPS,
  untilEnded,
} from "./service-additions.ts";
import { endLeases, expectValidAudit } from "./writes.ts";

/** This limit is high, because starting a process is slow on a busy machine. */
const TEST_MAX_MS = testMaxMs(60_000);

interface Kill {
  readonly successor: Successor;
  readonly sagas: readonly {
    readonly kind: Kind;
    readonly moment: Moment;
    readonly step: string;
  }[];
}

/**
 * The places at which the process is killed: in the transaction of each step (`in`), and before each checkpoint is
 * stored (`after`).
 */
const PLACES = { in: STEPS, after: CHECKPOINTS };
const atEachPlace = (moment: Moment, kindOf: (index: number) => Kind) =>
  PLACES[moment].map((step, index) => ({ kind: kindOf(index), moment, step }));
const odd = (index: number): Kind => (index % 2 === 0 ? "async" : "sync");
const even = (index: number): Kind => (index % 2 === 0 ? "sync" : "async");

/**
 * Each entry kills one process while several sagas are paused, each at a different place. The test suite covers each
 * place once. `npm run campaign -- add-service-kill` covers every combination of place, kind and successor.
 */
const KILLS: readonly Kill[] = isCampaign
  ? (["sync", "async"] as const).flatMap((kind) =>
      (["in", "after"] as const).flatMap((moment) =>
        (["itself", "another"] as const).map((successor) => ({
          successor,
          sagas: atEachPlace(moment, () => kind),
        })),
      ),
    )
  : [{ successor: "another", sagas: [...atEachPlace("in", even), ...atEachPlace("after", odd)] }];

/** Steps and checkpoints before the call to the provider. The caller cannot receive a response before that call. */
const BEFORE_PROVIDER: ReadonlySet<string> = new Set(["begin", ...STEPS.slice(0, 4)]);

/** Vendor calls that get no response. The call takes effect (`timeout_applied`) or does not (`timeout_lost`). */
const LOST_RESPONSES = [
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

const LOST_CUSTOMER_RESPONSE = {
  vendor: "stripe",
  operation: "PostCustomers",
  outcome: "timeout_applied",
} as const;

const RANDOM_KILLS = repetitions(1);
const RANDOM_SEED = 20_261_121;
/** The process is killed at a random moment within this time. Adding several services takes longer. */
const RANDOM_WITHIN_MS = 150;

describe("a process that is killed while it adds services", () => {
  const deployed = useKilledServer();
  const { database, vendors, start } = deployed;

  /** Adds a service and waits until the vendor has received the call that gets no response. */
  async function addWithLostResponse(
    lostResponse: Omit<(typeof LOST_RESPONSES)[number], "kind"> | typeof LOST_CUSTOMER_RESPONSE,
    addition: Addition,
  ) {
    vendors.sandbox.force(lostResponse);
    const since = new Date();
    const lost = isLost(add(deployed.client, addition));
    await vendors.untilReceived(lostResponse.vendor, lostResponse.operation, { since });
    return { lost };
  }

  it.each(KILLS)(
    "202: killed at each step; each service is added once ($successor continues)",
    async ({ successor, sagas: planned }) => {
      const sagas = await Promise.all(
        planned.map(async (saga) => ({
          ...saga,
          addition: await prepareAddition(deployed.server, deployed.client, saga.kind),
        })),
      );
      await using pausePoints = await setPausePoints(
        database.superuserUrl,
        sagas.map(({ step, moment, addition: { projectId } }) => ({ projectId, moment, step })),
      );
      const lost = sagas.map(async ({ addition }) => ({
        addition,
        isLost: await isLost(add(deployed.client, addition)),
      }));
      await pausePoints.untilReached();

      await deployed.server.kill();
      await pausePoints.release();
      await start(successor);

      const completed = (await Promise.all(lost)).filter((call) => !call.isLost);
      for (const { kind, moment, step, addition } of sagas) {
        const where = `${kind}, killed ${moment} ${step}`;
        // If the provider is slow, the caller gets a response before the operation ends.
        const canHaveResponse = kind === "async" && !BEFORE_PROVIDER.has(step);
        if (!canHaveResponse)
          expect(
            completed.map((call) => call.addition),
            where,
          ).not.toContain(addition);
        await untilEnded(database.superuserUrl, addition);
        await expectAddedOnce(database.superuserUrl, vendors, {
          client: deployed.client,
          addition,
          where,
        });
      }
      await expectValidAudit(deployed.client, 2 * sagas.length);
    },
    TEST_MAX_MS,
  );

  it(
    "202, 402: killed while vendor calls have no response; each service is added once, or fails and leaves one customer",
    async () => {
      const sagas = [];
      for (const { kind, ...lostResponse } of LOST_RESPONSES) {
        const addition = await prepareAddition(deployed.server, deployed.client, kind);
        const { lost } = await addWithLostResponse(lostResponse, addition);
        sagas.push({ addition, lost, where: `${lostResponse.operation} ${lostResponse.outcome}` });
      }
      const withoutCard = await prepareAddition(deployed.server, deployed.client, "sync", {
        withCard: false,
      });
      const { lost: lostWithoutCard } = await addWithLostResponse(LOST_CUSTOMER_RESPONSE, withoutCard);

      await deployed.server.kill();
      await start("itself");

      expect(await Promise.all(sagas.map(({ lost }) => lost))).toContain(true);
      for (const { addition, where } of sagas) {
        await untilEnded(database.superuserUrl, addition);
        await expectAddedOnce(database.superuserUrl, vendors, {
          client: deployed.client,
          addition,
          where,
        });
      }
      expect(await lostWithoutCard).toBe(true);
      await untilEnded(database.superuserUrl, withoutCard);
      expect(await readTrace(database.superuserUrl, vendors, withoutCard)).toEqual(REFUSED_WITHOUT_CARD);
      const repeated = await add(deployed.client, withoutCard);
      expect(repeated.status).toBe(402);
      expect(repeated.body).toMatchObject({ code: "payment_method_required" });
      await expectValidAudit(deployed.client, 2 * (LOST_RESPONSES.length + 1));
    },
    TEST_MAX_MS,
  );

  it(
    `202: killed at ${RANDOM_KILLS} random moments (seed ${RANDOM_SEED}); a repeated call adds each service once`,
    async () => {
      const random = seededRandom(RANDOM_SEED);
      const kills: { afterMs: number; lost: number }[] = [];
      for (let number = 1; number <= RANDOM_KILLS; number += 1) {
        const kinds = ["sync", "async", "sync", "async"] as const;
        const additions = await Promise.all(
          kinds.map((kind) => prepareAddition(deployed.server, deployed.client, kind)),
        );
        const afterMs = Math.round(random() * RANDOM_WITHIN_MS);
        const lost = additions.map((addition) => isLost(add(deployed.client, addition)));
        await wait(afterMs);

        await deployed.server.kill();
        kills.push({ afterMs, lost: (await Promise.all(lost)).filter(Boolean).length });
        await start(random() < 0.5 ? "itself" : "another");

        await endLeases(database.superuserUrl);
        for (const addition of additions) {
          const repeated = await add(deployed.client, addition);
          expect(repeated.status, repeated.text).toBe(202);
          await untilEnded(database.superuserUrl, addition);
          const where = `kill ${number}, after ${afterMs} ms`;
          await expectAddedOnce(database.superuserUrl, vendors, {
            client: deployed.client,
            addition,
            where,
          });
        }
      }
      // If no call was interrupted, the test is meaningless.
      expect(kills.some(({ lost }) => lost > 0)).toBe(true);
      console.info(JSON.stringify(kills));
      await expectValidAudit(deployed.client, 2 * RANDOM_KILLS);
    },
    2 * TEST_MAX_MS,
  );
});

/** Resolves to true if the call got no response. */
function isLost(response: Promise<ApiResponse>): Promise<boolean> {
  return response.then(
    () => false,
    () => true,
  );
}

/** Returns a generator of random numbers from 0 to below 1 (mulberry32). A seed always produces the same numbers. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
