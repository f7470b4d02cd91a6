import { setTimeout as delay } from "node:timers/promises";
import pLimit from "p-limit";
import type { App } from "../app.ts";
import { withTransaction } from "../db/transaction.ts";
import type { TenantId } from "../foundation/ids.ts";
import { redactedMessage } from "../foundation/redact.ts";
import { VendorError } from "../ports/vendor-error.ts";
import type { DueWork, Finish } from "./due-work.ts";
import { claimItem, type DueItem, deleteClaimedItem, listDueItems, postponeItem } from "./queries.ts";

const ITEMS_MAX = 100;
const TENANTS_CONCURRENT_MAX = 4;
/** How many items of a tenant are tried before the list is read again. */
const ITEMS_OF_TENANT_MAX = 5;
/** So that a run ends. The next run continues. */
const ITEMS_PER_RUN_MAX = 1_000;
const LEASE_MS = 120_000;
const ROUND_MS_MAX = 1_000;

/**
 * Does the work of a kind that is due. The list is read again after a few items of a tenant, so that one tenant's many or
 * slow items do not delay another's. One tenant's items are tried one after another. Any number of processes can run this at the
 * same time. Returns the number of items that were tried.
 *
 * @param stopping aborted when the process stops: then no more items are begun
 */
export async function runDueWork(app: App, work: DueWork, stopping?: AbortSignal): Promise<number> {
  /** Tenants of which nothing is tried for a while, and until when. */
  const failed = new Map<TenantId, number>();
  const pauseTenant = (tenantId: TenantId) => failed.set(tenantId, performance.now() + work.retryMs.first);
  const failures: unknown[] = [];
  let tried = 0;
  /** Returns false if the item is to be tried again later. */
  const tryItem = async (item: DueItem) => {
    const claimed = await claim(app, work, item);
    if (claimed === undefined) return true;
    tried += 1;
    return await attempt(app, work, claimed);
  };
  const tryItems = async ({ tenantId, items }: ItemsOfTenant) => {
    for (const item of items) {
      if (stopping?.aborted) return;
      if ((await tryItem(item)) || !work.stopsAtFailure) continue;
      return void pauseTenant(tenantId);
    }
  };
  const tryBatch = async (batch: ItemsOfTenant) => {
    await tryItems(batch).catch((error: unknown) => {
      pauseTenant(batch.tenantId);
      failures.push(error);
    });
  };
  const { itemsPerRunMax = ITEMS_PER_RUN_MAX, tenantsConcurrentMax = TENANTS_CONCURRENT_MAX } = work;
  const limit = pLimit(tenantsConcurrentMax);
  const running = new Map<ItemsOfTenant, Promise<void>>();
  let before: number;
  do {
    before = tried + failed.size;
    const except = [...tenantsToSkip(work, failed, running.keys())];
    const query = { kind: work.kind, at: app.clock.now(), except, limit: Math.min(ITEMS_MAX, itemsPerRunMax) };
    for (const batch of batchesOf(work, await listDueItems(app.db, query))) {
      running.set(
        batch,
        limit(tryBatch, batch).finally(() => running.delete(batch)),
      );
    }
    // The list is read again before all are done, so that a tenant whose work is slow does not delay the others.
    await within(Promise.all(running.values()), Math.min(work.everyMs, ROUND_MS_MAX));
  } while (running.size > 0 || (tried + failed.size > before && tried < itemsPerRunMax));
  if (failures.length > 0) throw failures[0];
  return tried;
}

/** Items of a tenant that are tried one after another. */
interface ItemsOfTenant {
  readonly tenantId: TenantId;
  readonly items: readonly DueItem[];
}

function batchesOf({ isParallel }: DueWork, items: Awaited<ReturnType<typeof listDueItems>>): ItemsOfTenant[] {
  const due = items.filter(({ turn }) => turn <= ITEMS_OF_TENANT_MAX);
  if (isParallel) return due.map((item) => ({ tenantId: item.tenantId, items: [item] }));
  return [...Map.groupBy(due, (item) => item.tenantId)].map(([tenantId, own]) => ({ tenantId, items: own }));
}

/** Yields the tenants of which nothing more is begun now. */
function* tenantsToSkip(
  { isParallel }: DueWork,
  failed: ReadonlyMap<TenantId, number>,
  running: Iterable<ItemsOfTenant>,
): Generator<TenantId> {
  for (const [tenantId, untilMs] of failed) if (untilMs > performance.now()) yield tenantId;
  for (const [tenantId, own] of Map.groupBy(running, (batch) => batch.tenantId)) {
    if (!isParallel || own.length >= ITEMS_OF_TENANT_MAX) yield tenantId;
  }
}

/** Resolves when the promise has resolved, or after this time. */
async function within(done: Promise<unknown>, timeoutMs: number): Promise<void> {
  const timeout = new AbortController();
  await Promise.race([done, delay(timeoutMs, undefined, { signal: timeout.signal }).catch(() => {})]);
  timeout.abort();
}

function claim(
  { db, clock }: App,
  { leaseMs = LEASE_MS }: DueWork,
  { tenantId, kind, subject }: DueItem,
): Promise<DueItem | undefined> {
  const at = clock.now();
  const nextDueAt = new Date(at.getTime() + leaseMs);
  return withTransaction(db, tenantId, (tx) => claimItem(tx, { tenantId, kind, subject, at, nextDueAt }));
}

/** Returns false if the item is to be tried again later. */
async function attempt(app: App, work: DueWork, item: DueItem): Promise<boolean> {
  try {
    await complete(app, item, await work.run(app, item));
    return true;
  } catch (error) {
    return await fail(app, work, item, error);
  }
}

async function fail(app: App, work: DueWork, item: DueItem, error: unknown): Promise<boolean> {
  const { tenantId, kind, subject, attempts } = item;
  const what = kind.replaceAll("-", " ");
  const details = {
    ...{ tenantId, subject, attempts, message: redactedMessage(error) },
    ...(error instanceof VendorError && { vendorMessage: error.vendorMessage }),
  };
  const at = app.clock.now().getTime();
  if (work.giveUp !== undefined && at - item.firstDueAt.getTime() >= work.giveUp.afterMs) {
    app.log.error(details, `could not ${what}: operator action required`);
    await complete(app, item, await work.giveUp.finish(app, item));
    return true;
  }
  app.log.warn(details, `could not ${what}, retrying later`);
  const delayMs = Math.min(work.retryMs.max, work.retryMs.first * 2 ** (attempts - 1));
  await withTransaction(app.db, tenantId, (tx) => postponeItem(tx, item, new Date(at + delayMs)));
  return false;
}

async function complete({ db }: App, item: DueItem, finish: Finish | undefined): Promise<void> {
  await withTransaction(db, item.tenantId, async (tx) => {
    const isOurs = await deleteClaimedItem(tx, item);
    if (isOurs) await finish?.(tx);
  });
}
