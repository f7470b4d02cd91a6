import { randomUUID } from "node:crypto";
import type { App } from "../../../app.ts";
import { type BlockchainNetwork, usdcOf } from "../../../foundation/blockchain-networks.ts";
import { AppError } from "../../../foundation/errors.ts";
import type { TenantId } from "../../../foundation/ids.ts";
import type { Mode } from "../../../foundation/vocabulary.ts";
import { isFailure } from "../../../ports/vendor-error.ts";
import { requireEvmNetwork, useNetwork } from "../../networks/networks.ts";
import type { Wallet, WalletKey } from "../queries.ts";
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
  /** When the balances were read, in milliseconds. */
  readonly asOfMs: number;
  /** Whether the chain of a live wallet did not answer, so that the balances are those of the ledger. */
  readonly stale: boolean;
}

export interface BalanceReading extends CachedBalances {
  readonly source: "cache" | "database" | "chain";
}

type ReadApp = Pick<App, "db" | "clock" | "log" | "evmNetworks" | "networksInUse" | "settings">;
type CacheApp = ReadApp & Pick<App, "fastState">;

/**
 * Returns the wallet's balances, which can be up to 30 seconds old. They contain every change for which `forgetBalances`
 * has returned. Totals of live wallets are those of the chain, or of the ledger if the chain does not answer. If the fast
 * state does not respond, the cache is not used. Throws `wallet_not_found`.
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

/**
 * Returns the wallet's balances without the cache: those of a test wallet from the ledger, those of a live wallet from the
 * chain and the ledger. Throws `wallet_not_found`.
 */
export async function readWalletBalances(app: ReadApp, key: WalletKey): Promise<BalanceReading> {
  const asOfMs = app.clock.now().getTime();
  const wallet = await getWallet(app.db, key);
  const { mode, agentId, network } = wallet;
  const onChain = mode === "live" ? await readUsdcOnChain(app, wallet) : null;
  const balances = presentBalances(wallet, onChain);
  const source = onChain === null ? "database" : "chain";
  return { mode, agentId, network, balances, asOfMs, source, stale: mode === "live" && onChain === null };
}

/** Returns how much USDC the wallet has on its chain, or null if that is not known. The network is then in use. */
async function readUsdcOnChain(
  app: ReadApp,
  { network, address }: Pick<Wallet, "network" | "address">,
): Promise<bigint | null> {
  try {
    await useNetwork(app, network);
    const balances = await requireEvmNetwork(app, network).readTokenBalances(usdcOf(network), [address], "latest");
    return balances[0] ?? null;
  } catch (error) {
    const isUnavailable = error instanceof AppError && error.code === "network_unavailable";
    if (!isUnavailable && !isFailure(error, "unavailable")) throw error;
    app.log.warn({ network, cause: String(error.cause) }, "the balance of a wallet could not be read from its network");
    return null;
  }
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
