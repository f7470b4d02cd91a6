import { type Selectable, sql } from "kysely";
import type { Db, Tx } from "../db/database.ts";
import type { Schema } from "../db/schema.ts";
import { tableOf } from "../db/table.ts";
import { selectWhere, updateWhere } from "../db/where.ts";
import type { Json } from "../foundation/canonical-json.ts";
import type { TenantId } from "../foundation/ids.ts";
import type { Mode } from "../foundation/vocabulary.ts";

export const outboxMessageRows = tableOf("outboxMessages", ["tenantId", "messageId"]);

export type OutboxMessage = Selectable<Schema["outboxMessages"]>;

export interface NewOutboxMessage {
  readonly tenantId: TenantId;
  readonly messageId: string;
  readonly topic: string;
  readonly mode: Mode;
  readonly payload: Readonly<Record<string, Json>>;
  readonly sealed: Buffer | null;
  readonly createdAt: Date;
  readonly dueAt: Date;
}

export async function insertMessage(tx: Tx, { payload, ...message }: NewOutboxMessage): Promise<void> {
  await tx
    .insertInto("outboxMessages")
    .values({ ...message, payload: JSON.stringify(payload) })
    .onConflict((conflict) => conflict.columns(["tenantId", "messageId"]).doNothing())
    .execute();
}

/** Returns the tenants with due emails. The tenant whose email has been due for longest comes first. */
export async function listTenantsWithDueEmails(db: Db, at: Date, limit: number): Promise<TenantId[]> {
  const rows = await selectWhere(db, "outboxMessages", { topic: "mail" })
    .select("tenantId")
    .where("dueAt", "<=", at)
    .groupBy("tenantId")
    .orderBy(({ fn }) => fn.min("dueAt"))
    .limit(limit)
    .execute();
  return rows.map(({ tenantId }) => tenantId);
}

/** Returns how many messages wait, and since when the oldest does. */
export async function countMessages(db: Db): Promise<{ readonly count: number; readonly oldestAt: Date | null }> {
  return db
    .selectFrom("outboxMessages")
    .select(sql<number>`count(*)::integer`.as("count"))
    .select(sql<Date | null>`min(created_at)`.as("oldestAt"))
    .executeTakeFirstOrThrow();
}

/**
 * Claims the tenant's email that has been due for longest, so that the caller can try to send it. The email is due
 * again at `nextDueAt`, unless the caller deletes or postpones it. Skips emails that another transaction has locked.
 */
export async function claimDueEmail(
  tx: Tx,
  { tenantId, at, nextDueAt }: { readonly tenantId: TenantId; readonly at: Date; readonly nextDueAt: Date },
): Promise<OutboxMessage | undefined> {
  const due = selectWhere(tx, "outboxMessages", { tenantId, topic: "mail" })
    .select("messageId")
    .where("dueAt", "<=", at)
    .orderBy("dueAt")
    .orderBy("messageId")
    .limit(1)
    .forUpdate()
    .skipLocked();
  return (
    updateWhere(tx, "outboxMessages", { tenantId })
      .set(({ eb, ref }) => ({ attempts: eb(ref("attempts"), "+", 1), dueAt: nextDueAt }))
      // "=" runs the subquery once. With "in", the planner may run it more than once, and each run would claim another
      // email.
      .where("messageId", "=", due)
      .returningAll()
      .executeTakeFirst()
  );
}
