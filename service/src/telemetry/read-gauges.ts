import type { App } from "../app.ts";
import { findFirstPending } from "../audit/chains/queries.ts";
import { findFirstUnanchored } from "../audit/checkpoints/queries.ts";
import { poolUsageOf } from "../db/database.ts";
import { countDueItems } from "../due-work/queries.ts";
import { listAnchorMismatches } from "../events/queries.ts";
import { withConnectionShare } from "../foundation/connection-share.ts";
import { WAITING_PAYMENT_STATUSES } from "../foundation/vocabulary.ts";
import { listCursors } from "../modules/networks/queries.ts";
import { countWaitingPayments } from "../modules/payments/queries.ts";
import { countStuckOperations } from "../operations/operator/queries.ts";
import { countMessages } from "../outbox/queries.ts";
import { dueWork } from "../workflows/due-work.ts";
import { LONG_MS } from "../workflows/stalled-operations/resolve-operation.ts";

/** The gauges, with what they mean. */
export const GAUGES = {
  purser_database_up: "1 if the database answered when the gauges were read, otherwise 0",
  purser_database_connections_max: "The most connections that a pool of this process opens",
  purser_database_connections_in_use: "The connections of a pool that are in use",
  purser_database_connection_waiters: "Callers that wait for a connection of a pool",
  purser_due_work_items: "Background work that is due, by kind",
  purser_due_work_oldest_age_seconds: "For how long the oldest work of a kind has been due",
  purser_outbox_emails: "Emails that wait",
  purser_outbox_oldest_age_seconds: "For how long the oldest email has waited",
  purser_audit_pending_age_seconds: "The age of the oldest audit entry that is not in its chain yet",
  purser_audit_unanchored_age_seconds: "The age of the oldest entry of a chain that is not in the anchor yet",
  purser_audit_anchor_mismatches: "Chains that have not matched their anchor in the last 25 hours",
  purser_operations_waiting: "Operations that need an operator, or have run for more than ten minutes",
  purser_payments_waiting: "Payments that hold an amount or wait for a person, by status",
  purser_network_read_age_seconds: "For how long a chain has not been read without a failure",
  purser_network_blocks_behind: "The blocks of a chain that were read and are not final yet",
  purser_network_stopped: "1 if a network is stopped until an operator resumes it, otherwise 0",
} as const;

export interface Sample {
  readonly name: keyof typeof GAUGES;
  readonly value: number;
  readonly labels?: Readonly<Record<string, string>>;
}

export function readPools({ db, piiDb }: Pick<App, "db" | "piiDb">): Sample[] {
  const databases = [["main", db] as const, ...(piiDb === null ? [] : [["pii", piiDb] as const])];
  return databases.flatMap(([database, of]) =>
    poolUsageOf(of).flatMap(({ pool, connectionsMax, inUse, waiting }): Sample[] => {
      const labels = { database, pool };
      return [
        { name: "purser_database_connections_max", value: connectionsMax, labels },
        { name: "purser_database_connections_in_use", value: inUse, labels },
        { name: "purser_database_connection_waiters", value: waiting, labels },
      ];
    }),
  );
}

const MISMATCH_MS = 25 * 3_600_000;
const MISMATCHES_MAX = 100;

/** Reads what the database knows, in the share of the jobs. Each query serves several gauges where it can. */
export function readState({ db, clock }: Pick<App, "db" | "clock">): Promise<Sample[]> {
  const now = clock.now();
  const ageOf = (since: Date | null | undefined) => (since ? Math.max(0, now.getTime() - since.getTime()) / 1_000 : 0);
  const ago = (ms: number) => new Date(now.getTime() - ms);
  return withConnectionShare({ pool: "jobs", owner: "metrics" }, async (): Promise<Sample[]> => {
    const due = new Map((await countDueItems(db, now)).map((each) => [each.kind, each]));
    const outbox = await countMessages(db);
    const stuck = await countStuckOperations(db, ago(LONG_MS));
    const payments = new Map((await countWaitingPayments(db)).map(({ status, count }) => [status, count]));
    const networks = await listCursors(db);
    const mismatches = await listAnchorMismatches(db, ago(MISMATCH_MS), MISMATCHES_MAX);
    return [
      { name: "purser_database_up", value: 1 },
      ...dueWork.flatMap(({ kind }): Sample[] => [
        { name: "purser_due_work_items", value: due.get(kind)?.count ?? 0, labels: { kind } },
        { name: "purser_due_work_oldest_age_seconds", value: ageOf(due.get(kind)?.oldestDueAt), labels: { kind } },
      ]),
      { name: "purser_outbox_emails", value: outbox.count },
      { name: "purser_outbox_oldest_age_seconds", value: ageOf(outbox.oldestAt) },
      { name: "purser_audit_pending_age_seconds", value: ageOf(await findFirstPending(db)) },
      { name: "purser_audit_unanchored_age_seconds", value: ageOf(await findFirstUnanchored(db)) },
      { name: "purser_audit_anchor_mismatches", value: mismatches.length },
      { name: "purser_operations_waiting", value: stuck.needsOperator, labels: { state: "needs_operator" } },
      { name: "purser_operations_waiting", value: stuck.runningLong, labels: { state: "running_long" } },
      ...WAITING_PAYMENT_STATUSES.map((status): Sample => {
        return { name: "purser_payments_waiting", value: payments.get(status) ?? 0, labels: { status } };
      }),
      ...networks.flatMap(({ network, readAt, blockNumber, finalNumber, stoppedAt }): Sample[] => [
        { name: "purser_network_read_age_seconds", value: ageOf(readAt), labels: { network } },
        { name: "purser_network_blocks_behind", value: Number(blockNumber - finalNumber), labels: { network } },
        { name: "purser_network_stopped", value: stoppedAt === null ? 0 : 1, labels: { network } },
      ]),
    ];
  });
}
