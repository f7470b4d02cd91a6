import { type Static, Type } from "typebox";
import type { App } from "../../app.ts";
import { countDueItems } from "../../due-work/queries.ts";
import { Count, Flag, ListOf, NamedObject, Nullable, Timestamp } from "../../foundation/wire/fields.ts";
import { checkReadiness } from "../../modules/health/health.ts";
import { listCursors } from "../../modules/networks/queries.ts";
import { countStuckOperations } from "../../operations/operator/queries.ts";
import { countMessages } from "../../outbox/queries.ts";
import { LONG_MS } from "../stalled-operations/resolve-operation.ts";

const AgeSeconds = Type.Integer({ minimum: 0 });

/** What admins see of the server's health (docs/rules/admins.md). */
export const AdminHealthResource = NamedObject("AdminHealth", {
  object: Type.Literal("admin_health"),
  ready: Flag("Whether the process that answers can serve requests, as `/readyz` says."),
  checks: Type.Record(Type.String(), Type.String(), {
    description: "The result of each check of `/readyz`: `ok`, or the problem.",
  }),
  due_work: ListOf(
    NamedObject("DueWorkHealth", {
      kind: Type.String(),
      count: Count("How many items are due."),
      oldest_age_seconds: { ...AgeSeconds, description: "For how long the oldest one has been due." },
    }),
    "The background work that is due, by its kind. A kind of which nothing is due is omitted.",
  ),
  operations: NamedObject("OperationHealth", {
    needs_operator: Type.Integer(),
    running_long: Count("How many operations have run for more than ten minutes."),
  }),
  outbox: NamedObject("OutboxHealth", {
    count: Count("How many emails wait."),
    oldest_age_seconds: Nullable(AgeSeconds, "For how long the oldest one waits. Null if none does."),
  }),
  networks: ListOf(
    NamedObject("NetworkHealth", {
      network: Type.String(),
      block_number: Count("The newest block that was read."),
      read_age_seconds: { ...AgeSeconds, description: "How long ago the chain was last read without a failure." },
      disputed_at: Nullable(Timestamp, "Since when the network's nodes differ. Null if they do not."),
      stopped_at: Nullable(Timestamp, "Since when the network is stopped. Null if it is not."),
    }),
    "The networks in use.",
  ),
  checked_at: Timestamp,
});

/** Returns the state of what `/readyz` checks, and of what waits. */
export async function readHealth(app: App): Promise<Static<typeof AdminHealthResource>> {
  const { db, clock } = app;
  const now = clock.now();
  const ageOf = (since: Date) => Math.max(0, Math.floor((now.getTime() - since.getTime()) / 1_000));
  const { ready, checks } = await checkReadiness(app);
  const dueWork = await countDueItems(db, now);
  const { needsOperator, runningLong } = await countStuckOperations(db, new Date(now.getTime() - LONG_MS));
  const outbox = await countMessages(db);
  const networks = await listCursors(db);
  return {
    ...{ object: "admin_health", ready, checks: { ...checks } },
    due_work: dueWork.map(({ kind, count, oldestDueAt }) => ({ kind, count, oldest_age_seconds: ageOf(oldestDueAt) })),
    operations: { needs_operator: needsOperator, running_long: runningLong },
    outbox: { count: outbox.count, oldest_age_seconds: outbox.oldestAt && ageOf(outbox.oldestAt) },
    networks: networks.map(({ network, blockNumber, readAt, disputedAt, stoppedAt }) => ({
      ...{ network, block_number: Number(blockNumber), read_age_seconds: ageOf(readAt) },
      disputed_at: disputedAt?.toISOString() ?? null,
      stopped_at: stoppedAt?.toISOString() ?? null,
    })),
    checked_at: now.toISOString(),
  };
}
