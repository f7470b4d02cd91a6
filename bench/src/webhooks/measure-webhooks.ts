import { get, type IncomingMessage } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { fetchJson } from "../fetch-json.ts";
import { pacedLatency } from "../paced-load.ts";
import { paymentsOf, seedPayers } from "../payments/payers.ts";
import type { PayingTenant } from "../payments/seed-payers.ts";
import type { StartServer } from "../server-process.ts";
import type { PurserReady } from "../servers/purser.ts";
import { createSigner } from "../signer.ts";
import type { Stores } from "../stores.ts";
import type { BareLoopInput } from "./bare-loop.ts";
import { startWebhookSink, type WebhookSink } from "./webhook-sink.ts";

const PURSER = new URL("../servers/purser.ts", import.meta.url);
const PURSER_SERVICE = new URL("../servers/purser-service.ts", import.meta.url);
const BARE_LOOP = new URL("./bare-loop.ts", import.meta.url);
const WEBHOOKS_PATH = "/api/v1/svc/webhooks";
const STREAM_PATH = "/api/v1/svc/events/stream";
/** Twenty streams of each account are the most, so these are enough for a thousand. */
const TENANTS = 50;
/** As many accounts as pay in the other measurements. */
const WEBHOOKS = 20;
const STREAMS = 1_000;
const WARM_UP_STREAMS = 50;
const STREAMS_SETTLE_MS = 12_000;
const PAYMENTS_PER_SECOND = 200;
const DELIVERIES_CONCURRENT = 32;
const MIB = 1_048_576;

export interface WebhookFigures {
  readonly deliveries: number;
  readonly deliveriesPerSecond: number;
  readonly bareLoopPerSecond: number;
  readonly latency: { readonly p50Ms: number; readonly p99Ms: number; readonly paymentsPerSecond: number };
  readonly streams: number;
  readonly streamsMiB: number;
}

interface WebhookSize {
  /** How many events there are for the fan-out, for each webhook. */
  readonly eventsPerTenant: number;
  readonly seconds: number;
}

/**
 * Measures deliveries of events that are in the log, by one worker; the time from a payment to its delivery; and the memory of
 * streams of events.
 */
export async function measureWebhooks(
  start: StartServer,
  stores: Stores,
  { eventsPerTenant, seconds }: WebhookSize,
): Promise<WebhookFigures> {
  const allTenants = await seedPayers(start, stores, TENANTS);
  const tenants = allTenants.slice(0, WEBHOOKS);
  const sink = await startWebhookSink();
  try {
    const api = await start<PurserReady>(PURSER, { ...stores.configFor("webhooks"), roles: ["api"] });
    const streamsMiB = await measureStreams(api.ready.origin, api.residentBytes, allTenants);
    for (const tenant of tenants) await createWebhook(api.ready.origin, tenant, sink.url);
    const deliveries = WEBHOOKS * eventsPerTenant;
    await writeEvents(stores, tenants, eventsPerTenant);
    const delivered = sink.expect(deliveries);
    await start(PURSER_SERVICE, { ...stores.configFor("webhook-worker"), roles: ["worker"] });
    const deliveriesPerSecond = deliveries / (await delivered);
    const bareLoopPerSecond = await measureBareLoop(start, sink, deliveries);
    const latency = await measureLatency(api.ready.origin, { tenants, sink, seconds });
    return { deliveries, deliveriesPerSecond, bareLoopPerSecond, latency, streams: STREAMS, streamsMiB };
  } finally {
    sink.close();
  }
}

async function createWebhook(origin: string, tenant: PayingTenant, url: string): Promise<void> {
  const body = JSON.stringify({ url, event_types: ["agent.updated", "payment.confirmed"] });
  const headers = { ...createSigner(tenant)("POST", WEBHOOKS_PATH, body), "content-type": "application/json" };
  await fetchJson(origin, WEBHOOKS_PATH, headers, body);
}

/** Writes events as large as those of agents, ten of each subject. */
async function writeEvents(stores: Stores, tenants: readonly PayingTenant[], count: number): Promise<void> {
  const data = JSON.stringify({ object: "agent", name: "payer", description: "d".repeat(500) });
  await stores.asSuperuser(async (client) => {
    for (const { tenantId } of tenants) {
      await client.query(
        `insert into events (tenant_id, event_id, mode, type, subject_type, subject_id, sequence, data, actor, occurred_at)
        select $1, 'evt_' || $1 || '_' || number, 'test', 'agent.updated', 'agent', 'bench-' || number / 10,
          number % 10 + 1, $3, '{"type":"system","id":null,"key_id":null,"ip":null}', now()
        from generate_series(0, $2 - 1) as number`,
        [tenantId, count, data],
      );
    }
  });
}

async function measureBareLoop(start: StartServer, sink: WebhookSink, deliveries: number): Promise<number> {
  const input: BareLoopInput = { url: sink.url, body: sink.lastBody(), deliveries, connections: DELIVERIES_CONCURRENT };
  const delivered = sink.expect(deliveries);
  const { stop } = await start(BARE_LOOP, input);
  const perSecond = deliveries / (await delivered);
  await stop();
  return perSecond;
}

async function measureLatency(
  origin: string,
  {
    tenants,
    sink,
    seconds,
  }: { readonly tenants: readonly PayingTenant[]; readonly sink: WebhookSink; readonly seconds: number },
): Promise<WebhookFigures["latency"]> {
  const delivered = sink.expect(PAYMENTS_PER_SECOND * seconds);
  await pacedLatency({ origin, next: paymentsOf(tenants), perSecond: PAYMENTS_PER_SECOND, seconds });
  await delivered;
  const latenciesMs = sink.latenciesOf("payment.confirmed").toSorted((a, b) => a - b);
  const at = (share: number) => latenciesMs[Math.floor(latenciesMs.length * share)] ?? Number.NaN;
  return { p50Ms: at(0.5), p99Ms: at(0.99), paymentsPerSecond: PAYMENTS_PER_SECOND };
}

/** Returns the memory that the streams add, in MiB, after they have been open for some heartbeats. */
async function measureStreams(
  origin: string,
  residentBytes: () => Promise<number>,
  tenants: readonly PayingTenant[],
): Promise<number> {
  const streams: IncomingMessage[] = [];
  const signers = tenants.map(createSigner);
  const openUntil = async (count: number) => {
    while (streams.length < count) {
      const next = signers
        .slice(0, count - streams.length)
        .map((signer) => openStream(origin, signer("GET", STREAM_PATH)));
      streams.push(...(await Promise.all(next)));
    }
    await wait(STREAMS_SETTLE_MS);
  };
  await openUntil(WARM_UP_STREAMS);
  const before = await residentBytes();
  await openUntil(STREAMS);
  const added = (await residentBytes()) - before;
  for (const stream of streams) stream.destroy();
  return ((added / MIB) * STREAMS) / (STREAMS - WARM_UP_STREAMS);
}

function openStream(origin: string, headers: Record<string, string>): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(origin + STREAM_PATH, { headers, agent: false }, (response) => {
      response.on("error", () => {}).resume();
      if (response.statusCode === 200) resolve(response);
      else reject(new Error(`${STREAM_PATH} responded ${response.statusCode}.`));
    }).once("error", reject);
  });
}

export function webhookLines(figures: WebhookFigures): string[] {
  const { deliveries, deliveriesPerSecond, bareLoopPerSecond, latency, streams, streamsMiB } = figures;
  return [
    "",
    `Webhooks of ${WEBHOOKS} accounts and streams of events of ${TENANTS}; one API process and one worker:`,
    "",
    "| | goal | |",
    "|---|---|---|",
    `| ${deliveries} deliveries, per second | ≥ 500 | **${deliveriesPerSecond.toFixed(0)}** |`,
    `| ÷ a loop that signs and posts (${bareLoopPerSecond.toFixed(0)} per second) | ≥ 0.60 | **${(deliveriesPerSecond / bareLoopPerSecond).toFixed(2)}** |`,
    `| from a payment to its delivery, ${latency.paymentsPerSecond} payments per second: p50 ms | ≤ 300 | **${latency.p50Ms}** |`,
    `| p99 ms | ≤ 2000 | **${latency.p99Ms}** |`,
    `| ${streams} streams: MiB of the process | ≤ 100 | **${streamsMiB.toFixed(0)}** |`,
  ];
}
