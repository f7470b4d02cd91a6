import { sql } from "kysely";
import { expect, vi } from "vitest";
import type { App } from "../../src/app.ts";

/**
 * How long a test waits for events. Events are only read when every transaction on the PostgreSQL server that began before theirs
 * has ended, also those of other tests.
 */
export const EVENTS_TIMEOUT_MS = 90_000;

/** Gives the tests of this file the time to wait for events. */
export function allowWaitingForEvents(): void {
  vi.setConfig({ testTimeout: 2 * EVENTS_TIMEOUT_MS });
}

/** Resolves when all events that were written before this call can be read. */
export async function untilEventsAreReadable({ db }: Pick<App, "db">): Promise<void> {
  const { rows } = await sql<{ xid: string }>`select pg_snapshot_xmax(pg_current_snapshot())::text as xid`.execute(db);
  const end = BigInt(rows[0]?.xid ?? 0);
  const read = async () => {
    const { rows: now } = await sql<{ xid: string }>`
      select pg_snapshot_xmin(pg_current_snapshot())::text as xid`.execute(db);
    return BigInt(now[0]?.xid ?? 0) >= end;
  };
  await expect.poll(read, { timeout: EVENTS_TIMEOUT_MS }).toBe(true);
}
