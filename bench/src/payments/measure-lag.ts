import { setTimeout as wait } from "node:timers/promises";
import { measure } from "../measure.ts";
import type { StartServer } from "../server-process.ts";
import type { PurserReady } from "../servers/purser.ts";
import type { Stores } from "../stores.ts";
import { CALLERS, paymentsOf, seedPayers } from "./payers.ts";
import { payOnceEach } from "./payment-scenario.ts";

const PURSER_SERVICE = new URL("../servers/purser-service.ts", import.meta.url);
const SAMPLE_MS = 250;
/** The jobs have caught up with what was there before the load. */
const SETTLE_SECONDS = 3;

/**
 * How old the oldest audit entry is that is not in its chain, the oldest event that readers do not see yet, and the oldest
 * message that is due but was not sent.
 */
const LAGS = `
  select
    (
      select extract(epoch from clock_timestamp() - min(entry.occurred_at)) from audit_pending as pending
      join audit_entries as entry using (tenant_id, audit_id)
    ) as audit,
    (
      select extract(epoch from clock_timestamp() - min(occurred_at)) from events
      where tenant_id = any($1) and xid >= pg_snapshot_xmin(pg_current_snapshot())
    ) as events,
    (select extract(epoch from clock_timestamp() - min(due_at)) from outbox_messages where due_at <= clock_timestamp())
      as outbox`;

interface Lag {
  readonly audit: number;
  readonly events: number;
  readonly outbox: number;
}

export interface LagFigures {
  readonly seconds: number;
  readonly paymentsPerSecond: number;
  /** In seconds, the largest of all samples during the load. */
  readonly largest: Lag;
  /** In seconds, when the load ends. */
  readonly last: Lag;
}

/** Measures how far jobs and the event log are behind while agents pay, on a process with both roles. */
export async function measurePaymentLag(start: StartServer, stores: Stores, seconds: number): Promise<LagFigures> {
  const tenants = await seedPayers(start, stores);
  const server = await start<PurserReady>(PURSER_SERVICE, stores.configFor("lag"));
  const { origin } = server.ready;
  await payOnceEach(stores, origin, tenants);
  await wait(SETTLE_SECONDS * 1_000);
  const samples: Lag[] = [];
  let isOver = false;
  const sampling = stores.asSuperuser(async (client) => {
    while (!isOver) {
      const { rows } = await client.query<Record<keyof Lag, string | null>>(LAGS, [
        tenants.map(({ tenantId }) => tenantId),
      ]);
      const seconds = (name: keyof Lag) => Number(rows[0]?.[name] ?? 0);
      samples.push({
        audit: seconds("audit"),
        events: seconds("events"),
        outbox: seconds("outbox"),
      });
      await wait(SAMPLE_MS);
    }
  });
  const load = { name: "Purser", process: server, origin, connections: CALLERS };
  const measured = await measure({ ...load, sent: paymentsOf(tenants) }, seconds).finally(() => {
    isOver = true;
  });
  await sampling;
  const largestOf = (name: keyof Lag) => Math.max(...samples.map((sample) => sample[name]));
  const last = samples.at(-1);
  if (last === undefined) throw new Error("There are no samples.");
  return {
    seconds,
    paymentsPerSecond: measured.requestsPerSecond,
    largest: {
      audit: largestOf("audit"),
      events: largestOf("events"),
      outbox: largestOf("outbox"),
    },
    last,
  };
}
