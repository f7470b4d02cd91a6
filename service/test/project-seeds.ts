import { randomUUID } from "node:crypto";
import type { Insertable } from "kysely";
import { Client } from "pg";
import type { App } from "../src/app.ts";
import type { Schema } from "../src/db/schema.ts";
import { withTransaction } from "../src/db/transaction.ts";
import type { Json } from "../src/foundation/canonical-json.ts";
import type { ProjectId, TenantId } from "../src/foundation/ids.ts";

type Charge = Insertable<Schema["charges"]>;

/** A charge of a project's, in cents: of Neon, succeeded, now, unless said otherwise. */
export async function seedCharge(
  app: Pick<App, "db" | "clock">,
  {
    tenantId,
    projectId,
    ...charge
  }: { tenantId: TenantId; projectId: string; amountCents: bigint } & Partial<
    Omit<Charge, "tenantId" | "projectId" | "amountCents">
  >,
): Promise<string> {
  const chargeId = `ch_${randomUUID()}`;
  await withTransaction(app.db, tenantId, (tx) =>
    tx
      .insertInto("charges")
      .values({
        tenantId,
        chargeId,
        projectId: projectId as ProjectId,
        mode: "live",
        provider: "neon",
        type: "subscription",
        description: "launch",
        currency: "usd",
        status: "succeeded",
        occurredAt: app.clock.now(),
        ...charge,
      })
      .execute(),
  );
  return chargeId;
}

/** What the trail says of a subject, oldest first. */
export async function auditOf({ db }: Pick<App, "db">, subjectId: string) {
  const entries = await db
    .selectFrom("auditEntries")
    .select(["auditId", "action", "subject", "facts", "actor", "mode"])
    .orderBy("auditId")
    .execute();
  return entries.filter(({ subject }) => subject.id === subjectId);
}

/** What an event says, as it waits in the outbox. */
interface WaitingEvent {
  readonly type: string;
  readonly subject: { readonly type: string; readonly id: string };
  readonly data: Json;
}

/** The events of a subject that wait to be relayed, oldest first. */
export async function eventsOf({ db }: Pick<App, "db">, subjectId: string) {
  const messages = await db
    .selectFrom("outboxMessages")
    .select("payload")
    .where("topic", "=", "event")
    .orderBy("messageId")
    .execute();
  return messages
    .map(({ payload }) => payload as unknown as WaitingEvent)
    .filter(({ subject }) => subject.id === subjectId);
}

/** Runs statements as somebody whom nothing binds. */
export async function asSuperuser<Result>(
  url: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Every row of every table, as text: bytes in hex. */
export async function dumpDatabase(url: string): Promise<string> {
  return asSuperuser(url, async (client) => {
    const tables = await client.query<{ name: string }>(
      "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = 'public'",
    );
    const texts: string[] = [];
    for (const { name } of tables.rows) {
      const rows = await client.query<{ text: string }>(`select t::text as text from ${name} as t`);
      texts.push(name, ...rows.rows.map(({ text }) => text));
    }
    return texts.join("\n");
  });
}
