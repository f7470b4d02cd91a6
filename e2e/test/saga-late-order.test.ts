import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { isCampaign, repetitions, testMaxMs } from "../../service/test/campaign.ts";
import type { ServerProcess } from "../src/server-process.ts";
import type { SignedClient } from "../src/signed-client.ts";
import { until } from "../src/until.ts";
import { createClient, type Tenant, useDatabase, useDeployment } from "./fixtures.ts";
import { add, expectAddedOnce, prepareAddition, untilEnded, useVendors } from "./service-additions.ts";
import { expectValidAudit } from "./writes.ts";

/** How long the proxy still holds the request after another process has continued the workflow. */
const DELAY_MS = 500;
/** How long after its timeout a vendor call may still take effect (`PURSER_VENDOR_SETTLE_MS`). */
const SETTLE_MS = 3_000;
const LEASE_MS = 1_000;
const TEST_MAX_MS = testMaxMs(60_000);

/**
 * The process that continues the workflow. The same instance continues immediately after a restart. Another instance
 * waits until the killed process's lease expires.
 */
const ITSELF = { successor: "the same instance", changes: {}, logs: "" };
const ANOTHER = {
  successor: "another instance",
  changes: { PURSER_INSTANCE_ID: "another" },
  logs: "taking over abandoned workflows",
};
const SUCCESSORS = isCampaign ? Array.from({ length: repetitions(1) }, () => [ITSELF, ANOTHER]).flat() : [ANOTHER];

describe("a delayed request to the provider whose sender was killed", () => {
  const database = useDatabase();
  const deployment = useDeployment(() => ({ databaseUrl: database.serviceUrl, redisUrl: "" }));
  const vendors = useVendors();
  let tenant: Tenant;
  let proxy: DelayingProxy | undefined;

  beforeAll(async () => {
    tenant = await deployment.seedTenant();
  });
  afterEach(() => proxy?.close());

  async function start(changes: Readonly<Record<string, string>>) {
    const server = await deployment.start({
      ...vendors.environment(),
      NEON_API_URL: proxy?.url ?? "",
      PURSER_INSTANCE_ID: "the-one",
      PURSER_CLAIMS_FILE: join(deployment.folder, "claims"),
      PURSER_WORKFLOW_LEASE_MS: String(LEASE_MS),
      PURSER_VENDOR_SETTLE_MS: String(SETTLE_MS),
      ...changes,
    });
    return { server, client: createClient(server, tenant) };
  }

  it.each(SUCCESSORS)(
    "202: $successor waits for it and does not send a second one",
    async ({ successor, changes, logs }) => {
      proxy = await startDelayingProxy(vendors.sandbox.neon.url);
      let { server, client }: { server: ServerProcess; client: SignedClient } = await start({});
      const addition = await prepareAddition(server, client, "sync");
      const lost = add(client, addition).then(
        () => false,
        () => true,
      );
      await proxy.delayed;

      await server.kill();
      const diedAt = performance.now();
      ({ server, client } = await start(changes));
      const hasContinued = async () => server.log().includes(logs) || undefined;
      await until("the other process continues the workflow", hasContinued);
      const arrival = wait(DELAY_MS).then(proxy.release);
      await untilEnded(database.superuserUrl, addition);
      const endedAfterMs = Math.round(performance.now() - diedAt);
      await arrival;

      console.info(`Killed with a delayed request: ${successor} finished after ${endedAfterMs} ms`);
      expect(await lost).toBe(true);
      expect(proxy.createRequests()).toBe(1);
      await expectAddedOnce(database.superuserUrl, vendors, { client, addition, where: successor });
      await expectValidAudit(client, 2);
      await server.stop();
    },
    TEST_MAX_MS,
  );
});

type DelayingProxy = Awaited<ReturnType<typeof startDelayingProxy>>;

/**
 * Starts a proxy that holds the first request to create a project until `release` is called. It then forwards the
 * request, even if the sender was killed.
 */
async function startDelayingProxy(vendorUrl: string) {
  const { origin, pathname } = new URL(vendorUrl);
  const released = Promise.withResolvers<void>();
  const firstDelayed = Promise.withResolvers<void>();
  let count = 0;

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    if (isCreateRequest(request)) {
      count += 1;
      firstDelayed.resolve();
      if (count === 1) await released.promise;
    }
    const vendorResponse = await fetch(`${origin}${request.url}`, {
      method: request.method ?? "GET",
      headers: headersOf(request),
      ...(body.length > 0 ? { body } : {}),
    });
    response.writeHead(vendorResponse.status, { "content-type": "application/json" });
    response.end(await vendorResponse.text());
  }

  const server = createServer((request, response) => {
    forward(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${pathname === "/" ? "" : pathname}`,
    /** Resolves when the first request to create a project has arrived. */
    delayed: firstDelayed.promise,
    release: released.resolve,
    /** Returns the number of requests to create a project. */
    createRequests: () => count,
    close: () => {
      released.resolve();
      server.closeAllConnections();
      server.close();
    },
  };
}

function isCreateRequest({ method, url }: IncomingMessage): boolean {
  return method === "POST" && url?.endsWith("/projects") === true;
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const forwarded = ["authorization", "accept", "content-type", "user-agent"];
  return Object.fromEntries(forwarded.flatMap((name) => pairOf(name, headers[name])));
}

function pairOf(name: string, value: string | string[] | undefined): [string, string][] {
  return typeof value === "string" ? [[name, value]] : [];
}
