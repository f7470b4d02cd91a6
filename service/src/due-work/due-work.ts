import type { App } from "../app.ts";
import type { Tx } from "../db/database.ts";
import { type DueItem, type DueItemKey, dueWorkRows, upsertItemNoLater } from "./queries.ts";

/**
 * A kind of work that is due at a time and is tried until it succeeds, such as a call to a vendor.
 *
 * 1. A transaction that creates the need calls `scheduleWork` with the kind, a subject (the id of what the work is about) and
 *    the time. The work is done only if that transaction commits. `scheduleWork` for the same subject moves the time, and
 *    `cancelWork` deletes the item.
 * 2. `service/src/workflows/due-work.ts` lists the kinds. Each is a job of the workers with the name of the kind.
 * 3. The job claims the item, so that only one process tries it, and calls `run` outside of a transaction. `run` reads what
 *    it needs by the item's subject, may call vendors, and can return a function that writes the result.
 * 4. That function runs in the transaction that deletes the item. It can schedule the item again.
 * 5. If `run` throws, the item is tried again after a pause that doubles with each attempt. A process that was killed is
 *    followed by another one after the lease. `run` must therefore have the same effect if it is called twice.
 *
 * If the item is scheduled or canceled while `run` works, nothing is written, and the item keeps its new time.
 */
export interface DueWork {
  /** The kind, which is also the name of the job, in the imperative: `revoke-tokens`. */
  readonly kind: string;
  readonly everyMs: number;
  /** The longest pause between runs of the job while nothing is due. Default: `everyMs`. */
  readonly idleEveryMs?: number;
  /** The most items that a run tries. Default: 1,000. */
  readonly itemsPerRunMax?: number;
  /**
   * The time after which an item is tried again if the process crashes. Longer than the calls of an attempt usually take. Default:
   * 120,000.
   */
  readonly leaseMs?: number;
  /** The pause after the first failed attempt, and the longest pause. */
  readonly retryMs: { readonly first: number; readonly max: number };
  /**
   * True: a run tries no further items of a tenant after one has failed, because a vendor that is slow for one of them is
   * slow for all, and other tenants wait.
   */
  readonly stopsAtFailure: boolean;
  /** True: the items of a tenant are tried at the same time. Default: one after another. */
  readonly isParallel?: boolean;
  /** How many tenants' work a process does at once. Default: 4. */
  readonly tenantsConcurrentMax?: number;
  run(app: App, item: DueItem): Promise<Finish | undefined>;
  /** What happens if `run` fails this long after the item was first due. Default: it is tried forever. */
  readonly giveUp?: { readonly afterMs: number; readonly finish: (app: App, item: DueItem) => Promise<Finish> };
}

/** Writes the result of a piece of work, in the transaction that deletes its item. */
export type Finish = (tx: Tx) => Promise<unknown>;

/** Schedules work in the caller's transaction. If the subject has work of this kind already, its time is moved. */
export async function scheduleWork(
  tx: Tx,
  { kind }: Pick<DueWork, "kind">,
  { tenantId, subject, dueAt }: Omit<DueItemKey, "kind"> & Pick<DueItem, "dueAt">,
): Promise<void> {
  await dueWorkRows.put(tx, { kind, tenantId, subject, dueAt, firstDueAt: dueAt, attempts: 0 });
}

/** Schedules work in the caller's transaction, unless the subject has work of this kind already. */
export async function scheduleWorkIfNone(
  tx: Tx,
  { kind }: Pick<DueWork, "kind">,
  { tenantId, subject, dueAt }: Omit<DueItemKey, "kind"> & Pick<DueItem, "dueAt">,
): Promise<void> {
  await dueWorkRows.insertIfNew(tx, { kind, tenantId, subject, dueAt, firstDueAt: dueAt });
}

/** Schedules work in the caller's transaction. Work that is scheduled for an earlier time, or being done, is not changed. */
export async function scheduleNoLater(
  tx: Tx,
  { kind }: Pick<DueWork, "kind">,
  { tenantId, subject, dueAt }: Omit<DueItemKey, "kind"> & Pick<DueItem, "dueAt">,
): Promise<void> {
  await upsertItemNoLater(tx, { kind, tenantId, subject, dueAt });
}

/** Deletes scheduled work in the caller's transaction. Does nothing if there is none. */
export async function cancelWork(
  tx: Tx,
  { kind }: Pick<DueWork, "kind">,
  { tenantId, subject }: Omit<DueItemKey, "kind">,
): Promise<void> {
  await dueWorkRows.remove(tx, { kind, tenantId, subject });
}
