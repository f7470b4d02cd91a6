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
 */
export async function runDueWork(app: App, work: DueWork): Promise<number> {
  const failed = new Set<TenantId>();
  const failures: unknown[] = [];
  let tried = 0;
  /** Returns false if the item is to be tried again later. */
  const tryItem = async (item: DueItem) => {
    const claimed = await claim(app, work, item);
    if (claimed === undefined) return true;
    tried += 1;
    return await attempt(app, work, claimed);
  };
  const tryItems = async ([tenantId, items]: readonly [TenantId, readonly DueItem[]]) => {
    if (work.isParallel) return void (await Promise.all(items.map(tryItem)));
    for (const item of items) {
      if ((await tryItem(item)) || !work.stopsAtFailure) continue;
      failed.add(tenantId);
      return;
    }
  };
  const tryTenant = async (due: readonly [TenantId, readonly DueItem[]]) => {
    await tryItems(due).catch((error: unknown) => {
      failed.add(due[0]);
      failures.push(error);
    });
  };
  const { itemsPerRunMax = ITEMS_PER_RUN_MAX, tenantsConcurrentMax = TENANTS_CONCURRENT_MAX } = work;
  const limit = pLimit(tenantsConcurrentMax);
  const running = new Map<TenantId, Promise<void>>();
  let before: number;
  do {
    before = tried + failed.size;
    const except = [...failed, ...running.keys()];
    const query = { kind: work.kind, at: app.clock.now(), except, limit: Math.min(ITEMS_MAX, itemsPerRunMax) };
    const due = (await listDueItems(app.db, query)).filter(({ turn }) => turn <= ITEMS_OF_TENANT_MAX);
    for (const [tenantId, items] of Map.groupBy(due, (item) => item.tenantId)) {
      running.set(
        tenantId,
        limit(tryTenant, [tenantId, items]).finally(() => running.delete(tenantId)),
      );
    }
    // The list is read again before all are done, so that a tenant whose work is slow does not delay the others.
    await within(Promise.all(running.values()), Math.min(work.everyMs, ROUND_MS_MAX));
  } while (running.size > 0 || (tried + failed.size > before && tried < itemsPerRunMax));
  if (failures.length > 0) throw failures[0];
  return tried;
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
