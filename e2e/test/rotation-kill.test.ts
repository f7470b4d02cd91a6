import { describe, expect, it } from "vitest";
import { isCampaign, testMaxMs } from "../../service/test/campaign.ts";
import { connectTo } from "../../service/test/services.ts";
import { until } from "../src/until.ts";
import { query } from "./fixtures.ts";
import { useKilledServer } from "./killed-server.ts";
import { type PausePoint, setPausePoints } from "./pause-points.ts";
import { add, prepareAddition, untilEnded } from "./service-additions.ts";
import { expectValidAudit } from "./writes.ts";

const TEST_MAX_MS = testMaxMs(90_000);
const ENDED_WITHIN_MS = 30_000;

/** The steps of a rotation, in order. */
const STEPS = ["credential_preparation", "provider_rotation", "provider_retirement", "audit"] as const;
/** The names of the checkpoints that the workflow engine stores during a rotation. */
const CHECKPOINTS = [
  "begin",
  "provider_rotation: issue",
  "provider_rotation: use",
  "provider_rotation",
  "provider_retirement: retire",
  "provider_retirement: forget",
  "provider_retirement",
] as const;
/** The checkpoints of retiring the credential of an earlier rotation, before a compromised one is rotated. */
const OLDER_CHECKPOINTS = ["provider_rotation: older: retire", "provider_rotation: older retired"] as const;
const PLACES = [
  ...STEPS.map((step) => ({ moment: "in" as const, step })),
  ...CHECKPOINTS.map((step) => ({ moment: "after" as const, step })),
];

describe("a process that is killed while it rotates services", () => {
  const deployed = useKilledServer();
  const { database, start } = deployed;

  async function publishedUrl(projectId: string): Promise<string> {
    const { body } = await deployed.client.get(`/projects/${projectId}/env`);
    return String(Object(Object(body).env).DATABASE_URL);
  }

  async function arrange<Place extends Pick<PausePoint, "moment" | "step">>(place: Place) {
    const addition = await prepareAddition(deployed.server, deployed.client, "sync");
    const { body } = await add(deployed.client, addition);
    await untilEnded(database.superuserUrl, addition);
    const { projectId } = addition;
    const { service_id: serviceId } = Object(Object(body).service);
    const path = `/projects/${projectId}/services/${serviceId}`;
    return { ...place, projectId, path, url: await publishedUrl(projectId) };
  }

  it.each(isCampaign ? (["another", "itself"] as const) : (["another"] as const))(
    "200: killed at each step; the published credential always works, and the former one is refused in the end (%s continues)",
    async (successor) => {
      const sagas = [];
      for (const place of PLACES) sagas.push(await arrange(place));
      await using pausePoints = await setPausePoints(database.superuserUrl, sagas);
      const body = { grace_period_seconds: 0 };
      for (const { path } of sagas) deployed.client.post(`${path}/rotate`, body).catch(() => {});
      await pausePoints.untilReached();

      await deployed.server.kill();
      await pausePoints.release();
      await start(successor);

      for (const { projectId, moment, step } of sagas) {
        const where = `killed ${moment} ${step}`;
        expect(await connectTo(await publishedUrl(projectId)), where).toEqual([{ one: 1 }]);
      }
      for (const { projectId, moment, step, path, url } of sagas) {
        const where = `killed ${moment} ${step}`;
        await untilRotationsAre("succeeded", projectId);
        const service = Object((await deployed.client.get(path)).body);
        expect([service.status, service.credential.version], where).toEqual(["active", 2]);
        expect(await connectTo(await publishedUrl(projectId)), where).toEqual([{ one: 1 }]);
        await expect(connectTo(url), where).rejects.toMatchObject({ code: "28P01" });
      }
      await expectValidAudit(deployed.client, 3 * sagas.length);
    },
    TEST_MAX_MS,
  );

  it(
    "200: killed while it retires an older credential; a new one is published, and all former ones are refused",
    async () => {
      const call = { vendor: "neon", operation: "resetProjectBranchRolePassword" } as const;
      const sagas = [];
      for (const step of OLDER_CHECKPOINTS) {
        const saga = await arrange({ moment: "after", step });
        deployed.vendors.sandbox.force({ ...call, outcome: "refused" });
        await deployed.client.post(`${saga.path}/rotate`, { grace_period_seconds: 0 });
        await untilRotationsAre("needs_operator", saga.projectId);
        sagas.push({ ...saga, urls: [saga.url, await publishedUrl(saga.projectId)] });
      }
      await using pausePoints = await setPausePoints(database.superuserUrl, sagas);
      const body = { reason: "compromised" };
      for (const { path } of sagas) deployed.client.post(`${path}/rotate`, body).catch(() => {});
      await pausePoints.untilReached();

      await deployed.server.kill();
      await pausePoints.release();
      await start("another");

      for (const { projectId, step, path, urls } of sagas) {
        const where = `killed after ${step}`;
        const read = async () => {
          const service = Object((await deployed.client.get(path)).body);
          const { version, previous_valid_until: validUntil } = service.credential;
          return version === 3 && validUntil === null ? true : undefined;
        };
        await until(`${where}: the service is rotated`, read, ENDED_WITHIN_MS);
        expect(await connectTo(await publishedUrl(projectId)), where).toEqual([{ one: 1 }]);
        for (const url of urls) {
          await expect(connectTo(url), where).rejects.toMatchObject({ code: "28P01" });
        }
      }
    },
    TEST_MAX_MS,
  );

  it(
    "200: killed while the provider ended the former credential; the next rotation publishes the new one, even if the provider refused the repeated call",
    async () => {
      const { vendors } = deployed;
      const addition = await prepareAddition(deployed.server, deployed.client, "single");
      const { body } = await add(deployed.client, addition);
      await untilEnded(database.superuserUrl, addition);
      const { projectId } = addition;
      const { service_id: serviceId } = Object(Object(body).service);
      const path = `/projects/${projectId}/services/${serviceId}`;
      const call = { vendor: "acme-db", operation: "rotatePassword" } as const;
      vendors.sandbox.force({ ...call, outcome: "timeout_applied" });
      const since = new Date();
      deployed.client.post(`${path}/rotate`, {}).catch(() => {});
      await vendors.untilReceived(call.vendor, call.operation, { since });

      await deployed.server.kill();
      vendors.sandbox.force({ ...call, outcome: "refused" });
      await start("itself");

      await untilRotationsAre("needs_operator", projectId);
      expect(Object((await deployed.client.get(path)).body).status).toBe("active");
      const rotated = await deployed.client.post(`${path}/rotate`, {});
      expect(rotated.body).toMatchObject({ status: "completed", changed: true });
      const { password } = new URL(await publishedUrl(projectId));
      const databases = await vendors.sandbox.objects("acme-db");
      const found = databases.find(({ data }) => data["name"] === `svc-${serviceId}`);
      expect(Object(found?.data["secret"]).password).toBe(password);
    },
    TEST_MAX_MS,
  );

  async function untilRotationsAre(status: string, projectId: string): Promise<void> {
    const read = async () => {
      const rows = await query(
        database.superuserUrl,
        "select status from operations where project_id = $1 and type = 'service.rotate'",
        [projectId],
      );
      return rows.every((row) => Object(row).status === status) || undefined;
    };
    await until(`the rotations of ${projectId} are ${status}`, read, ENDED_WITHIN_MS);
  }
});
