import { join } from "node:path";
import { beforeAll } from "vitest";
import type { ServerProcess } from "../src/server-process.ts";
import type { SignedClient } from "../src/signed-client.ts";
import { createClient, type Tenant, useDatabase, useDeployment } from "./fixtures.ts";
import { preparePausePoints } from "./pause-points.ts";
import { useVendors } from "./service-additions.ts";

/**
 * The process that resumes the sagas. `itself` has the same instance ID as the killed process. `another` has a
 * different ID, so it waits until the killed process's lease expires.
 */
const SUCCESSORS = { itself: { PURSER_INSTANCE_ID: "the-one" }, another: {} };
export type Successor = keyof typeof SUCCESSORS;

/** Starts a server with simulated vendors and a tenant's client. The server can be killed and started again. */
export function useKilledServer() {
  const database = useDatabase();
  const deployment = useDeployment(() => ({ databaseUrl: database.serviceUrl, redisUrl: "" }));
  const vendors = useVendors();
  let server: ServerProcess;
  let tenant: Tenant;
  let client: SignedClient;

  /** Starts the server that continues what the killed one has left. */
  async function start(successor: Successor): Promise<void> {
    server = await deployment.start({
      ...vendors.environment(),
      ...SUCCESSORS[successor],
      PURSER_CLAIMS_FILE: join(deployment.folder, "claims"),
      PURSER_WORKFLOW_LEASE_MS: "1000",
    });
    client = createClient(server, tenant);
  }

  beforeAll(async () => {
    await preparePausePoints(database.superuserUrl);
    tenant = await deployment.seedTenant();
    await start("itself");
  });

  return {
    database,
    vendors,
    start,
    get server() {
      return server;
    },
    get client() {
      return client;
    },
  };
}
