import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { isCampaign, repetitions, testMaxMs } from "../../service/test/campaign.ts";
import type { ServiceProcess } from "../src/service-process.ts";
import type { SignedClient } from "../src/signed-client.ts";
import { until } from "../src/until.ts";
import { add, arrangePlace, expectAddedOnce, untilEnded, useVendors } from "./additions.ts";
import { clientOf, type Tenant, useDatabase, useDeployment } from "./fixtures.ts";
import { expectSoundAudit } from "./writes.ts";

/** How long an order is on its way after somebody has taken its addition up again, and how long the service allows for it. */
const HELD_MS = 500;
const SETTLE_MS = 3_000;
const LEASE_MS = 1_000;
const TEST_MAX_MS = testMaxMs(60_000);

/** A process that starts again under its name goes on at once; another one, once the first one's lease has run out. */
const ITSELF = { successor: "itself", changes: {}, says: "" };
const ANOTHER = {
  successor: "another one",
  changes: { PURSER_INSTANCE_ID: "another" },
  says: "taking over abandoned workflows",
};
const SUCCESSORS = isCampaign
  ? Array.from({ length: repetitions(1) }, () => [ITSELF, ANOTHER]).flat()
  : [ANOTHER];

describe("an order that is on its way to the provider when the process dies that sent it", () => {
  const database = useDatabase();
  const deployment = useDeployment(() => ({ databaseUrl: database.serviceUrl, redisUrl: "" }));
  const vendors = useVendors();
  let tenant: Tenant;
  let line: SlowLine | undefined;

  beforeAll(async () => {
    tenant = await deployment.seedTenant();
  });
  afterEach(() => line?.close());

  async function start(changes: Readonly<Record<string, string>>) {
    const service = await deployment.start({
      ...vendors.environment(),
      NEON_API_URL: line?.url ?? "",
      PURSER_INSTANCE_ID: "the-one",
      PURSER_CLAIMS_FILE: join(deployment.folder, "claims"),
      PURSER_WORKFLOW_LEASE_MS: String(LEASE_MS),
      PURSER_VENDOR_SETTLE_MS: String(SETTLE_MS),
      ...changes,
    });
    return { service, client: clientOf(service, tenant) };
  }

  it.each(SUCCESSORS)(
    "202: is waited for by $successor, and not made twice",
    async ({ successor, changes, says }) => {
      line = await openSlowLine(vendors.sandbox.neon.url);
      let { service, client }: { service: ServiceProcess; client: SignedClient } = await start({});
      const place = await arrangePlace(service, client, "sync");
      const lost = add(client, place).then(
        () => false,
        () => true,
      );
      await line.holds;

      await service.kill();
      const diedAt = performance.now();
      ({ service, client } = await start(changes));
      const goesOn = async () => service.log().includes(says) || undefined;
      await until("the successor goes on with it", goesOn);
      const arrival = wait(HELD_MS).then(line.release);
      await untilEnded(database.superuserUrl, place);
      const endedAfterMs = Math.round(performance.now() - diedAt);
      await arrival;

      console.info(`Died with an order on its way: ${successor} was done after ${endedAfterMs} ms`);
      expect(await lost).toBe(true);
      expect(line.ordered()).toBe(1);
      await expectAddedOnce(database.superuserUrl, vendors, { client, place, where: successor });
      await expectSoundAudit(client, 2);
      await service.stop();
    },
    TEST_MAX_MS,
  );
});

type SlowLine = Awaited<ReturnType<typeof openSlowLine>>;

/** A way to the provider on which the first order stands still, and arrives though nobody waits for its answer any more. */
async function openSlowLine(vendorUrl: string) {
  const { origin, pathname } = new URL(vendorUrl);
  const released = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  let orders = 0;

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    if (isOrder(request)) {
      orders += 1;
      held.resolve();
      if (orders === 1) await released.promise;
    }
    const answer = await fetch(`${origin}${request.url}`, {
      method: request.method ?? "GET",
      headers: headersOf(request),
      ...(body.length > 0 ? { body } : {}),
    });
    response.writeHead(answer.status, { "content-type": "application/json" });
    response.end(await answer.text());
  }

  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${pathname === "/" ? "" : pathname}`,
    /** Resolves when an order stands still. */
    holds: held.promise,
    release: released.resolve,
    /** How many orders have come. */
    ordered: () => orders,
    close: () => {
      released.resolve();
      server.closeAllConnections();
      server.close();
    },
  };
}

function isOrder({ method, url }: IncomingMessage): boolean {
  return method === "POST" && url?.endsWith("/projects") === true;
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const kept = ["authorization", "accept", "content-type", "user-agent"];
  return Object.fromEntries(kept.flatMap((name) => pairOf(name, headers[name])));
}

function pairOf(name: string, value: string | string[] | undefined): [string, string][] {
  return typeof value === "string" ? [[name, value]] : [];
}
