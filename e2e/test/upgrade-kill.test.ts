import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { isCampaign, testMaxMs } from "../../service/test/campaign.ts";
import { until } from "../src/until.ts";
import { query } from "./fixtures.ts";
import { useKilledServer } from "./killed-server.ts";
import { type Moment, setPausePoints } from "./pause-points.ts";
import { type Addition, add, type Kind, prepareAddition, untilEnded } from "./service-additions.ts";
import { endLeases, expectValidAudit } from "./writes.ts";

/** This limit is high, because starting a process is slow on a busy machine. */
const TEST_MAX_MS = testMaxMs(60_000);

const STEPS = ["policy", "payment_setup", "provider_plan_change", "service_record", "audit"];
const CHECKPOINTS = ["begin", "payment_setup", "provider_plan_change"];
const PLACES = [
  ...STEPS.map((step) => ({ moment: "in", step }) as const),
  ...CHECKPOINTS.map((step) => ({ moment: "after", step }) as const),
];

/** The new plan of a service of each kind. Neon answers at once; Supabase restarts the project first. */
const NEW_PLANS = { sync: "launch", async: "pro-medium" } as const;
const OLD_PLANS = { sync: "free", async: "pro" } as const;

interface Upgrade {
  readonly addition: Addition;
  readonly path: string;
  readonly serviceId: string;
  readonly moment: Moment;
  readonly step: string;
  readonly idempotencyKey: string;
}

/** Vendor calls that get no response. The call takes effect (`timeout_applied`) or does not (`timeout_lost`). */
const LOST_RESPONSES = [
  { kind: "sync", vendor: "neon", operation: "updateProject", outcome: "timeout_applied" },
  { kind: "sync", vendor: "neon", operation: "updateProject", outcome: "timeout_lost" },
  {
    kind: "async",
    vendor: "supabase",
    operation: "v1-apply-project-addon",
    outcome: "timeout_applied",
  },
] as const;

describe("a process that is killed while it changes plans", () => {
  const deployed = useKilledServer();
  const { database, vendors, start } = deployed;

  async function prepare(kind: Kind, place: Pick<Upgrade, "moment" | "step">): Promise<Upgrade> {
    const addition = await prepareAddition(deployed.server, deployed.client, kind);
    const { status, text, body } = await add(deployed.client, addition, OLD_PLANS[kind]);
    expect(status, text).toBe(202);
    const serviceId = String(Reflect.get(Object(Reflect.get(Object(body), "service")), "service_id"));
    await untilEnded(database.superuserUrl, addition);
    const path = `/projects/${addition.projectId}/services/${serviceId}`;
    return { ...{ ...place, addition, path, serviceId }, idempotencyKey: randomUUID() };
  }

  const upgrade = ({ path, addition, idempotencyKey }: Upgrade) => {
    const body = { plan: NEW_PLANS[addition.kind] };
    return deployed.client.post(`${path}/upgrade`, body, { idempotencyKey });
  };

  /** Expects that the plan was changed exactly once, at the vendor and in the charges. */
  async function expectChangedOnce(planned: Upgrade, where: string): Promise<void> {
    const { addition, serviceId, path } = planned;
    const { kind, projectId } = addition;
    const plan = NEW_PLANS[kind];
    const repeated = await upgrade(planned);
    expect([repeated.status, Reflect.get(Object(repeated.body), "status")], where).toEqual([200, "completed"]);
    expect((await deployed.client.get(path)).body, where).toMatchObject({ plan, status: "active" });
    const charges = await query<{ charge: string }>(
      database.superuserUrl,
      `select plan || ' ' || status as charge from charges where project_id = $1 and plan = $2`,
      [projectId, plan],
    );
    expect(charges, where).toEqual([{ charge: `${plan} reserved` }]);
    const audits = await query(
      database.superuserUrl,
      `select action from audit_entries where subject ->> 'id' = $1 and action like 'service.plan%' order by action`,
      [serviceId],
    );
    expect(audits, where).toEqual([{ action: "service.plan_change_requested" }, { action: "service.plan_changed" }]);
    expect(await sizeAtVendor(planned), where).toBe(plan);
  }

  async function sizeAtVendor({ addition: { kind }, serviceId }: Upgrade): Promise<unknown> {
    const vendor = { sync: "neon", async: "supabase" }[kind];
    const objects = await vendors.sandbox.objects(vendor);
    const data = Object(objects.find(({ data }) => data["name"] === `svc-${serviceId}`)?.data);
    if (kind === "async") return `pro-${data.instanceSize}`;
    return data.settings.history_retention_seconds === 7 * 86_400 ? "launch" : "free";
  }

  const kinds: readonly (readonly Kind[])[] = isCampaign
    ? [PLACES.map(() => "sync"), PLACES.map(() => "async")]
    : [PLACES.map((_place, index) => (index % 2 === 0 ? "sync" : "async"))];

  it.each(kinds)(
    "200: killed at each step; each plan is changed once",
    async (...kindOfPlace) => {
      const planned = await Promise.all(PLACES.map((place, index) => prepare(kindOfPlace[index] ?? "sync", place)));
      await using pausePoints = await setPausePoints(
        database.superuserUrl,
        planned.map(({ addition: { projectId }, moment, step }) => ({ projectId, moment, step })),
      );
      const calls = planned.map((each) => upgrade(each).catch(() => undefined));
      await pausePoints.untilReached();

      await deployed.server.kill();
      await pausePoints.release();
      await start("another");

      await Promise.all(calls);
      for (const each of planned) {
        await untilEnded(database.superuserUrl, each.addition);
        await expectChangedOnce(each, `${each.addition.kind}, killed ${each.moment} ${each.step}`);
      }
      await expectValidAudit(deployed.client, 4 * planned.length);
    },
    TEST_MAX_MS,
  );

  it(
    "200: killed while vendor calls have no response; each plan is changed once",
    async () => {
      const planned = [];
      for (const { kind, ...lostResponse } of LOST_RESPONSES) {
        const each = await prepare(kind, { moment: "in", step: lostResponse.operation });
        vendors.sandbox.force(lostResponse);
        const since = new Date();
        planned.push({ each, call: upgrade(each).catch(() => undefined) });
        await vendors.untilReceived(lostResponse.vendor, lostResponse.operation, { since });
      }

      await deployed.server.kill();
      await start("another");

      await Promise.all(planned.map(({ call }) => call));
      await endLeases(database.superuserUrl);
      for (const { each } of planned) {
        await untilEnded(database.superuserUrl, each.addition);
        await until("the plan is changed", async () => {
          const { body } = await deployed.client.get(each.path);
          return Reflect.get(Object(body), "status") === "active" || undefined;
        });
        await expectChangedOnce(each, each.step);
      }
    },
    TEST_MAX_MS,
  );
});
