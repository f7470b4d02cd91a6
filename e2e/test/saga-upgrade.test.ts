import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { testMaxMs } from "../../service/test/campaign.ts";
import type { ServerProcess } from "../src/server-process.ts";
import { createClient, query, type Tenant, useDatabase, useDeployment } from "./fixtures.ts";
import { preparePausePoints, setPausePoints } from "./pause-points.ts";
import {
  add,
  CHECKPOINTS,
  expectAddedOnce,
  type Kind,
  prepareAddition,
  STEPS,
  untilEnded,
  useVendors,
} from "./service-additions.ts";
import { expectValidAudit } from "./writes.ts";

/** Marks running workflows as started by an older version, whose checkpoints the current version cannot read. */
const AS_OLDER_VERSION = `
  update dbos.workflow_status set application_version = '1' where status = 'PENDING'`;

describe("an upgrade to a version with different checkpoints", () => {
  const database = useDatabase();
  const deployment = useDeployment(() => ({ databaseUrl: database.serviceUrl, redisUrl: "" }));
  const vendors = useVendors();
  let tenant: Tenant;

  const start = (): Promise<ServerProcess> =>
    deployment.start({
      ...vendors.environment(),
      PURSER_CLAIMS_FILE: join(deployment.folder, "claims"),
      PURSER_WORKFLOW_LEASE_MS: "1000",
    });

  beforeAll(async () => {
    await preparePausePoints(database.superuserUrl);
    tenant = await deployment.seedTenant();
  });

  it(
    "202: additions in progress at every step continue in the new version, and each service is added once",
    async () => {
      const older = await start();
      const client = createClient(older, tenant);
      const additions = [
        ...STEPS.map((step) => ({ moment: "in" as const, step })),
        ...CHECKPOINTS.map((step) => ({ moment: "after" as const, step })),
      ];
      const sagas = await Promise.all(
        additions.map(async (saga, index) => {
          const kind: Kind = index % 2 === 0 ? "sync" : "async";
          return { ...saga, addition: await prepareAddition(older, client, kind) };
        }),
      );
      await using pausePoints = await setPausePoints(
        database.superuserUrl,
        sagas.map(({ addition: { projectId }, ...saga }) => ({ ...saga, projectId })),
      );
      for (const { addition } of sagas) add(client, addition).catch(() => {});
      await pausePoints.untilReached();

      await older.kill();
      await pausePoints.release();
      await query(database.superuserUrl, AS_OLDER_VERSION, []);
      const newer = createClient(await start(), tenant);

      for (const { moment, step, addition } of sagas) {
        const where = `${addition.kind}, ${moment} ${step}`;
        await untilEnded(database.superuserUrl, addition);
        await expectAddedOnce(database.superuserUrl, vendors, { client: newer, addition, where });
      }
      await expectValidAudit(newer, 2 * sagas.length);
      const versions = "select distinct application_version from dbos.workflow_status";
      expect(await query(database.superuserUrl, versions, [])).toEqual([{ application_version: "3" }]);
    },
    testMaxMs(60_000),
  );
});
