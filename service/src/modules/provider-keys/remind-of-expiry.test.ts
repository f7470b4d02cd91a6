import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { type AnyBody, useHarness } from "../../../test/harness.ts";
import { withTransaction } from "../../db/transaction.ts";
import type { TenantId } from "../../foundation/ids.ts";
import { remindOfExpiry } from "./remind-of-expiry.ts";

const DAY_SECONDS = 24 * 3_600;
const PATH = "/developers/provider-keys/helius";

describe("remindOfExpiry", () => {
  const harness = useHarness();

  const inDays = (days: number) => new Date(harness.clock.now().getTime() + days * DAY_SECONDS * 1000).toISOString();

  const body = (expires_at: string | null) => ({
    credentials: { api_key: "sandbox-acme" },
    verify: "skip",
    expires_at,
  });

  /** Runs the reminder job, then returns `days_left_max` of all reminders sent to the tenant so far, oldest first. */
  async function remindedOf(tenantId: TenantId): Promise<number[]> {
    await remindOfExpiry(harness.app);
    const rows = await harness.app.db
      .selectFrom("events")
      .select("data")
      .where("tenantId", "=", tenantId)
      .where("type", "=", "provider_key.expiring")
      .where("sequence", "is", null)
      .orderBy("eventId")
      .execute();
    const events: AnyBody[] = rows;
    return events.map(({ data }) => data.days_left_max);
  }

  /** Returns the number of database sessions that are waiting for a lock. */
  async function countWaiting(): Promise<number> {
    const { rows } = await sql<{ count: bigint }>`
      select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
    `.execute(harness.app.db);
    return Number(rows[0]?.count ?? 0);
  }

  it("sends one reminder each 14 days, 7 days and 1 day before the expiry", async () => {
    const { tenantId, put } = await harness.seedTenant();
    await put(PATH, body(inDays(20)));

    expect(await remindedOf(tenantId)).toEqual([]);
    harness.clock.advanceSeconds(6 * DAY_SECONDS - 1);
    expect(await remindedOf(tenantId)).toEqual([]);
    harness.clock.advanceSeconds(1);
    expect(await remindedOf(tenantId)).toEqual([14]);
    expect(await remindedOf(tenantId)).toEqual([14]);
    harness.clock.advanceSeconds(7 * DAY_SECONDS);
    expect(await remindedOf(tenantId)).toEqual([14, 7]);
    harness.clock.advanceSeconds(6 * DAY_SECONDS);
    expect(await remindedOf(tenantId)).toEqual([14, 7, 1]);
    harness.clock.advanceSeconds(2 * DAY_SECONDS);
    expect(await remindedOf(tenantId)).toEqual([14, 7, 1]);
  });

  it("sends one reminder if two workers run at the same time", async () => {
    const { tenantId, put } = await harness.seedTenant();
    await put(PATH, body(inDays(5)));
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const lockHolder = withTransaction(harness.app.db, tenantId, async (tx) => {
      await tx.selectFrom("providerKeys").select("version").where("tenantId", "=", tenantId).forUpdate().execute();
      await released;
    });

    const workers = Promise.all([remindOfExpiry(harness.app), remindOfExpiry(harness.app)]);
    await expect.poll(countWaiting, { timeout: 10_000 }).toBe(2);
    release();
    await Promise.all([lockHolder, workers]);

    expect(await remindedOf(tenantId)).toEqual([7]);
  });

  it("sends no reminder for expired keys", async () => {
    const { tenantId, put } = await harness.seedTenant();
    await put(PATH, body(inDays(20)));
    harness.clock.advanceSeconds(20 * DAY_SECONDS);

    expect(await remindedOf(tenantId)).toEqual([]);
  });

  it("sends only the 7-day reminder, as an event and an email, for keys that expire in 3 days", async () => {
    const { tenantId, put } = await harness.seedTenant();
    await put(PATH, body(inDays(3)));

    expect(await remindedOf(tenantId)).toEqual([7]);
    await harness.deliverMails();

    const mail = harness.mails.find(({ to }) => to === `${tenantId}@example.com`);
    expect(mail?.subject).toContain("helius");
    expect(mail?.text).toContain(inDays(3).slice(0, 16).replace("T", " "));
    expect(mail?.text).not.toContain("sandbox-acme");
  });

  it("sends new reminders for replaced keys, and none for removed keys or keys without an expiry", async () => {
    const { tenantId, put, delete: remove } = await harness.seedTenant();
    await put(PATH, body(inDays(10)));
    expect(await remindedOf(tenantId)).toEqual([14]);

    await put(PATH, body(inDays(12)));
    expect(await remindedOf(tenantId)).toEqual([14, 14]);
    await put(PATH, body(null));
    await put("/developers/provider-keys/bridge", body(inDays(1)));
    await remove("/developers/provider-keys/bridge");
    expect(await remindedOf(tenantId)).toEqual([14, 14]);
  });
});
