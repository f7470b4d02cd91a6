import { randomUUID } from "node:crypto";
import type { App } from "../../../app.ts";
import type { BlockchainNetwork } from "../../../foundation/blockchain-networks.ts";
import type { TenantId } from "../../../foundation/ids.ts";
import type { Mode } from "../../../foundation/vocabulary.ts";
import type { WalletKey } from "../queries.ts";
import { getWallet, walletNotFound } from "../wallets.ts";
import { presentBalances, type WalletBalance } from "./present-balances.ts";

/** How long balances are cached. */
const CACHE_TTL_MS = 30_000;
/** How long a caller that found no cached balances can store those that it reads. */
const LEASE_MS = 10_000;

/** What the cache contains for a wallet. */
interface CachedBalances {
  readonly mode: Mode;
  readonly agentId: string;
  readonly network: BlockchainNetwork;
  readonly balances: WalletBalance[];
  /** When the balances were read from the database, in milliseconds. */
  readonly asOfMs: number;
}

export interface BalanceReading extends CachedBalances {
  readonly source: "cache" | "database";
}

type CacheApp = Pick<App, "db" | "clock" | "log" | "fastState">;

/**
 * Returns the wallet's balances, which can be up to 30 seconds old. They contain every change for which `forgetBalances`
 * has returned. If the fast state does not respond, reads the database. Throws `wallet_not_found`.
 */
export async function readCachedBalances(app: CacheApp, key: WalletKey): Promise<BalanceReading> {
  const entry = {
    key: cacheKeyOf(key.tenantId, key.walletId),
    leaseId: randomUUID(),
    nowMs: app.clock.now().getTime(),
  };
  const cached = await orUndefined(app, app.fastState.readCached({ ...entry, leaseMs: LEASE_MS }));
  if (cached !== undefined) {
    return { ...inScope(JSON.parse(cached) as CachedBalances, key), source: "cache" };
  }
  const read = await readWalletBalances(app, key);
  const { source, ...value } = read;
  const filled = { ...entry, value: JSON.stringify(value), ttlMs: CACHE_TTL_MS };
  await orUndefined(app, app.fastState.fillCached(filled));
  return read;
}

/** Returns the wallet's balances from the database. Throws `wallet_not_found`. */
export async function readWalletBalances(
  { db, clock }: Pick<App, "db" | "clock">,
  key: WalletKey,
): Promise<BalanceReading> {
  const asOfMs = clock.now().getTime();
  const wallet = await getWallet(db, key);
  const { mode, agentId, network } = wallet;
  const balances = presentBalances(wallet);
  return { mode, agentId, network, balances, asOfMs, source: "database" };
}

/**
 * Removes the cached balances of wallets. Call it after the commit of every change of their balances, and before the
 * response. If the fast state does not respond, other readers can get the old balances for up to 30 seconds.
 */
export async function forgetBalances(
  app: Pick<App, "fastState" | "log">,
  tenantId: TenantId,
  walletIds: readonly string[],
): Promise<void> {
  if (walletIds.length === 0) return;
  const keys = walletIds.map((walletId) => cacheKeyOf(tenantId, walletId));
  await orUndefined(app, app.fastState.clearCached({ keys }));
}

function cacheKeyOf(tenantId: TenantId, walletId: string): string {
  return `balances:${tenantId}:${walletId}`;
}

function inScope(cached: CachedBalances, key: WalletKey): CachedBalances {
  const isReachable = key.agentIds === null || key.agentIds.includes(cached.agentId);
  return cached.mode === key.mode && isReachable ? cached : walletNotFound(key);
}

/** A balance is not a permission, so it is readable without the cache. */
async function orUndefined<Result>({ log }: Pick<App, "log">, call: Promise<Result>): Promise<Result | undefined> {
  return call.catch((cause: unknown) => {
    log.warn({ cause: String(cause) }, "the cache of balances does not respond");
    return undefined;
  });
}
