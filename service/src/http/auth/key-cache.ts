import { LRUCache } from "lru-cache";
import type { App } from "../../app.ts";
import { withDeadline } from "../../foundation/deadline.ts";
import { type LoadedApiKey, loadApiKey } from "../../modules/developers/keys/load-api-key.ts";

const KEYS_CACHED_MAX = 100_000;
/** Maximum age of a cached key. */
const KEY_CACHED_MS = 60_000;
const UNKNOWN_CACHED_MAX = 10_000;
const UNKNOWN_CACHED_MS = 60_000;
/**
 * Every entry has size 1, so `maxSize` limits the number of entries. `max` would preallocate memory for all entries.
 */
const COUNTED = { sizeCalculation: () => 1 } as const;

interface CachedKey {
  readonly key: LoadedApiKey;
  /**
   * The key's epoch, which was read before the key. Every revocation changes the epoch. If the epoch is null,
   * `getIfCurrent` does not return the key.
   */
  readonly epoch: string | null;
  readonly loadedAtMs: number;
}

/** Caches API keys by their SHA-256 hash. */
export interface KeyCache {
  /** Returns the cached key, which may be outdated. Use it only to verify a signature. */
  peek(keyHash: string): LoadedApiKey | undefined;
  /**
   * Reads the key from the database. Returns undefined if it is unknown or revoked, or if its developer is not active.
   * Also returns expired keys.
   */
  load(keyHash: string): Promise<LoadedApiKey | undefined>;
  /** Returns the key if it was cached with this epoch less than a minute ago. Every revocation changes the epoch. */
  getIfCurrent(keyHash: string, epoch: string | null): LoadedApiKey | undefined;
  /**
   * Reads the key from the database again. Concurrent requests with the same epoch share one read. If the epoch is
   * null, each request reads separately.
   */
  reload(keyHash: string, epoch: string | null): Promise<LoadedApiKey | undefined>;
}

/**
 * Every revocation changes the key's epoch. The fast state (Redis or memory) returns the current epoch with every
 * request. If a key was cached with a different epoch, it is read again. Entries also expire after a minute. Otherwise
 * a key could stay cached after its account is suspended, or after the fast state is restored and returns an old epoch.
 */
export function createKeyCache(app: App): KeyCache {
  const keys = new LRUCache<string, CachedKey>({ maxSize: KEYS_CACHED_MAX, ...COUNTED });
  // Keys that `load` did not find. A key that does not exist cannot become valid later, because keys are random, and a
  // new key is stored before its owner gets it. The entries of this cache still expire, because `load` also returns
  // undefined for a suspended account, which can become active again.
  const unknown = new LRUCache<string, number>({ maxSize: UNKNOWN_CACHED_MAX, ...COUNTED });
  const loading = new Map<string, Promise<LoadedApiKey | undefined>>();

  async function readFromDatabase(keyHash: string, epoch: string | null): Promise<LoadedApiKey | undefined> {
    const loadedAtMs = app.clock.now().getTime();
    const key = await withDeadline(loadApiKey(app, keyHash), app.settings.storeTimeoutMs, "loading an API key");
    if (key === undefined) keys.delete(keyHash);
    else keys.set(keyHash, { key, epoch, loadedAtMs });
    return key;
  }

  async function load(keyHash: string): Promise<LoadedApiKey | undefined> {
    const nowMs = app.clock.now().getTime();
    if (nowMs < (unknown.get(keyHash) ?? 0)) return undefined;
    const key = await share(keyHash, () => readFromDatabase(keyHash, null));
    if (key === undefined) unknown.set(keyHash, nowMs + UNKNOWN_CACHED_MS);
    return key;
  }

  function reload(keyHash: string, epoch: string | null): Promise<LoadedApiKey | undefined> {
    if (epoch === null) return readFromDatabase(keyHash, null);
    return share(`${keyHash} ${epoch}`, () => readFromDatabase(keyHash, epoch));
  }

  /**
   * Shares one read between concurrent requests, so that a burst of requests with one key does not use up the
   * connection pool.
   */
  function share(name: string, read: () => Promise<LoadedApiKey | undefined>) {
    const pending = loading.get(name);
    if (pending !== undefined) return pending;
    const started = read().finally(() => loading.delete(name));
    loading.set(name, started);
    return started;
  }

  function getIfCurrent(keyHash: string, epoch: string | null): LoadedApiKey | undefined {
    const cached = keys.get(keyHash);
    if (epoch === null || cached?.epoch !== epoch) return undefined;
    return app.clock.now().getTime() < cached.loadedAtMs + KEY_CACHED_MS ? cached.key : undefined;
  }

  return {
    peek: (keyHash) => keys.get(keyHash)?.key,
    load,
    getIfCurrent,
    reload,
  };
}
