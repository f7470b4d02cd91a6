import { createServer } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { developerActor } from "@purser/service/audit/actors.ts";
import { withTransaction } from "@purser/service/db/transaction.ts";
import { newId } from "@purser/service/foundation/ids.ts";
import { createOperation } from "@purser/service/operations/operations.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testMaxMs } from "../../service/test/campaign.ts";
import { testSaga } from "../../service/test/test-saga.ts";
import { until } from "../src/until.ts";
import { createClient, type Tenant, useDatabase, useDeployment } from "./fixtures.ts";

const file = fileURLToPath(new URL("./test-saga-server.ts", import.meta.url));
const fail = async () => {
  throw new Error("Only the server process calls the vendor.");
};
const kind = testSaga({ find: fail, make: fail, destroy: fail });

describe("a process that is killed during a saga without a project", () => {
  const database = useDatabase();
  const deployment = useDeployment(() => ({ databaseUrl: database.serviceUrl, redisUrl: "" }));
  /** The vendor's resources. The first request to create one takes effect but gets no response. */
  const resources = new Set<string>();
  let createRequests = 0;
  const vendor = createServer(({ method, url = "" }, response) => {
    if (method === "GET") {
      response.writeHead(resources.has(url) ? 200 : 404).end();
      return;
    }
    createRequests += 1;
    resources.add(url);
    if (createRequests > 1) response.writeHead(201).end();
  });
  let drillUrl: string;
  let tenant: Tenant;

  beforeAll(async () => {
    await new Promise<void>((resolve) => vendor.listen(0, "127.0.0.1", resolve));
    drillUrl = `http://127.0.0.1:${Reflect.get(Object(vendor.address()), "port")}`;
    tenant = await deployment.seedTenant();
  });
  afterAll(() => {
    vendor.closeAllConnections();
    vendor.close();
  });

  const start = () =>
    deployment.start(
      {
        DRILL_URL: drillUrl,
        PURSER_INSTANCE_ID: "drill",
        PURSER_CLAIMS_FILE: join(deployment.folder, "claims"),
        PURSER_VENDOR_SETTLE_MS: "500",
        PURSER_WORKFLOW_POLL_MS: "100",
      },
      { file },
    );

  it(
    "200: the next process continues, finds the resource, and does not create a second one",
    async () => {
      const { tenantId } = tenant;
      const request = { network: "127.0.0.0/24", requestId: "req_drill" };
      const actor = developerActor({ tenantId, mode: "live" }, request);
      const subject = { type: "agent", id: newId("dev") };
      const operationId = await withTransaction(deployment.seeds.db, tenantId, (tx) =>
        createOperation(tx, deployment.seeds, actor, { kind, subject, projectId: null }),
      );
      const first = await start();
      await until("the vendor receives the request", async () => createRequests || undefined);

      await first.kill();
      const client = createClient(await start(), tenant);

      const ended = await until("the operation ends", async () => {
        const { body } = await client.get(`/operations/${operationId}`);
        return Reflect.get(Object(body), "status") === "running" ? undefined : body;
      });
      expect(ended.value).toMatchObject({ status: "succeeded", subject, project_id: null });
      expect([createRequests, resources.size]).toEqual([1, 1]);
    },
    testMaxMs(30_000),
  );
});
