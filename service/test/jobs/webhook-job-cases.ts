import { sql } from "kysely";
import { systemActor } from "../../src/audit/actors.ts";
import { withTransaction } from "../../src/db/transaction.ts";
import { scheduleWork } from "../../src/due-work/due-work.ts";
import { appendEvent } from "../../src/events/events.ts";
import { newId, type TenantId } from "../../src/foundation/ids.ts";
import { newDelivery } from "../../src/modules/webhooks/deliver-in-order.ts";
import { saveDeliveries, type Webhook, webhookRows } from "../../src/modules/webhooks/queries.ts";
import { NEW_EVENTS, RETRIES } from "../../src/modules/webhooks/schedule-deliveries.ts";
import { run } from "../database.ts";
import type { useHarness } from "../harness.ts";

/** The cases of the jobs that send events to developers. Their servers cannot be reached, so each attempt fails. */
export function webhookJobCases(harness: ReturnType<typeof useHarness>) {
  const woken = new Set<TenantId>();
  const has = async (query: ReturnType<typeof sql>) => (await query.execute(harness.app.db)).rows.length > 0;
  const inTenant = <Result>(tenantId: TenantId, work: Parameters<typeof withTransaction<Result>>[2]) =>
    withTransaction(harness.app.db, tenantId, work);

  /** Creates a webhook of a tenant that has an event. */
  async function seedWebhook(tenantId: TenantId): Promise<Webhook> {
    const at = harness.clock.now();
    const webhook = await inTenant(tenantId, async (tx) => {
      await appendEvent(tx, systemActor({ tenantId }), {
        ...{ type: "project.updated", subject: { type: "project", id: "proj_one" }, data: {}, occurredAt: at },
      });
      return webhookRows.insertAndGet(tx, {
        ...{ tenantId, webhookId: newId("wh"), mode: "live", url: "https://127.0.0.1/", description: null },
        ...{
          eventTypes: ["*"],
          projectIds: [],
          agentIds: [],
          readXid: "0",
          readEventId: "",
          startsAt: at,
          createdAt: at,
          updatedAt: at,
        },
      });
    });
    // So that it is older than every open transaction of the PostgreSQL server, also of other tests.
    await run(harness.database.superuserUrl, `update events set xid = '3' where tenant_id = '${tenantId}'`);
    return webhook;
  }
  const hasAttempts = (attempts: number) => (tenantId: TenantId) =>
    has(sql`select from webhook_deliveries where tenant_id = ${tenantId} and attempts = ${attempts}`);

  return {
    "follow-events": {
      seed: async (tenantId: TenantId) => {
        harness.app.eventFeed.add({ tenantId, mode: "live", wake: () => void woken.add(tenantId) });
      },
      isDone: async (tenantId: TenantId) => woken.has(tenantId),
    },
    "schedule-webhooks": {
      seed: async (tenantId: TenantId) => void (await seedWebhook(tenantId)),
      isDone: (tenantId: TenantId) =>
        has(sql`select from due_work where tenant_id = ${tenantId} and kind = ${NEW_EVENTS.kind}`),
    },
    "deliver-webhook-events": {
      seed: async (tenantId: TenantId) => {
        const { webhookId: subject } = await seedWebhook(tenantId);
        const dueAt = harness.clock.now();
        await inTenant(tenantId, (tx) => scheduleWork(tx, NEW_EVENTS, { tenantId, subject, dueAt }));
      },
      isDone: hasAttempts(1),
    },
    "retry-webhook-deliveries": {
      seed: async (tenantId: TenantId) => {
        const webhook = await seedWebhook(tenantId);
        const at = harness.clock.now();
        await inTenant(tenantId, async (tx) => {
          const [event] = await tx.selectFrom("events").selectAll().where("tenantId", "=", tenantId).execute();
          if (event === undefined) return;
          const delivery = newDelivery(webhook, { ...event, previousData: null }, at);
          await saveDeliveries(tx, [{ ...delivery, attempts: 1 }]);
          await scheduleWork(tx, RETRIES, { tenantId, subject: webhook.webhookId, dueAt: at });
        });
      },
      isDone: hasAttempts(2),
    },
  };
}
