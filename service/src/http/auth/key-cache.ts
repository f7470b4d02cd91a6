import { LRUCache } from "lru-cache";
import type { App } from "../../app.ts";
import { withDeadline } from "../../foundation/deadline.ts";
import { type LoadedApiKey, loadApiKey } from "../../modules/developers/index.ts";

const KEYS_CACHED_MAX = 100_000;
/** Maximum age of a cached key. */
const KEY_CACHED_MS = 60_000;
const UNKNOWN_CACHED_MAX = 10_000;
const UNKNOWN_CACHED_MS = 60_000;
/** With `max`, the cache would allocate memory for all entries. */
const COUNTED = { sizeCalculation: () => 1 } as const;

interface CachedKey {
  readonly key: LoadedApiKey;
  /** The key's epoch before it was read from the database. A key without an epoch is not used from the cache. */
  readonly epoch: string | null;
  readonly loadedAtMs: number;
}

/** Caches API keys by the SHA-256 of their text. */
export interface KeyCache {
  /** Returns the cached key, which may be outdated. Use it only to verify a signature. */
  peek(keyHash: string): LoadedApiKey | undefined;
  /** Reads the key from the database. Undefined if it is unknown or revoked, or its developer is not active. An expired key is returned. */
  load(keyHash: string): Promise<LoadedApiKey | undefined>;
  /** Returns the cached key if its epoch is equal. Pass the epoch that the fast state returned for this request. */
  getIfCurrent(keyHash: string, epoch: string | null): LoadedApiKey | undefined;
  /** Reads the key again. Requests with the same epoch share one read. With a null epoch each request reads by itself. */
  reload(keyHash: string, epoch: string | null): Promise<LoadedApiKey | undefined>;
}

/**
 * A revocation changes the key's epoch. The fast state returns the present epoch with every request, and a key that was
 * cached under another one is read again. Entries expire after a minute, which limits how long a key of a suspended account
 * works, or a key whose old epoch returned with a restored fast state.
 */
export function createKeyCache(app: App): KeyCache {
  const keys = new LRUCache<string, CachedKey>({ maxSize: KEYS_CACHED_MAX, ...COUNTED });
  // An unknown key never becomes known, because keys are random and stored before they are returned. The entries expire
  // because a suspended account can become active again.
  const unknown = new LRUCache<string, number>({ maxSize: UNKNOWN_CACHED_MAX, ...COUNTED });
  const loading = new Map<string, Promise<LoadedApiKey | undefined>>();

  async function readFromDatabase(
    keyHash: string,
    epoch: string | null,
  ): Promise<LoadedApiKey | undefined> {
    const loadedAtMs = app.clock.now().getTime();
    const key = await withDeadline(
      loadApiKey(app, keyHash),
      app.settings.storeTimeoutMs,
      "loading an API key",
    );
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

  /** Shares one read between concurrent requests, so that a burst under a new key does not use up the connections. */
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
