import { purgeExpiredRows } from "@purser/service/due-work/retention/purge-expired-rows.ts";
import type { Pair } from "../compare.ts";
import { insertMany } from "../payments/flat-payments.ts";
import type { Stores } from "../stores.ts";
import { openPools } from "./open-pools.ts";

const KEPT_DAYS = 30;
const TENANTS = 100;
/** How many rows have expired since the purge before. */
const ROWS_EACH = 1_000;
const FIRST = new Date("2026-01-01");

/** Compares the purge of a thousand logged requests in a table of this many rows, and in one of ten times as many. */
export async function startPurgePair(few: Stores, many: Stores, rows: number) {
  const [baseline, candidate] = [await openPurge(few, rows), await openPurge(many, 10 * rows)];
  const pair: Pair = {
    title: `purge of ${ROWS_EACH} rows, of ${10 * rows} ÷ of ${rows}`,
    ...{ goal: 0.85, candidate: candidate.target, baseline: baseline.target },
  };
  return { pair, close: () => Promise.all([baseline.close(), candidate.close()]).then(() => {}) };
}

/** Writes rows a millisecond apart. Each call is a run of the job a second later than the one before. */
async function openPurge(stores: Stores, rows: number) {
  await stores.asSuperuser(async (client) => {
    const insert = `insert into logged_requests
      (tenant_id, request_id, key_id, mode, method, path, status, duration_ms, created_at)
      select 'dev_' || n % ${TENANTS}, 'req_' || lpad(n::text, 12, '0'), 'key_' || n % ${TENANTS}, 'live', 'GET', '/projects',
        200, 1, $1::timestamptz + n * interval '1 ms' from generate_series(1, $2::integer) n`;
    await insertMany(client, "logged_requests", insert, [FIRST, rows]);
    await client.query("checkpoint");
  });
  const { db, close } = openPools(stores.configFor("purge").databaseUrl);
  let atMs = FIRST.getTime() + KEPT_DAYS * 24 * 3_600_000;
  const call = async () => {
    atMs += ROWS_EACH;
    await purgeExpiredRows({ db, clock: { now: () => new Date(atMs) } });
  };
  return { target: { name: `${rows} rows`, callers: 1, call }, close };
}
