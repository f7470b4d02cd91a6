import { LRUCache } from "lru-cache";
import type { App } from "../../app.ts";
import { withDeadline } from "../../foundation/deadline.ts";
import { type LoadedApiKey, loadApiKey } from "../../modules/developers/index.ts";

const KEYS_CACHED_MAX = 100_000;
/** No key is trusted for longer than this without being asked for again. */
const KEY_CACHED_MS = 60_000;
const UNKNOWN_CACHED_MAX = 10_000;
const UNKNOWN_CACHED_MS = 60_000;
/** With `max`, the cache would allocate room for all of its entries when it is made. */
const COUNTED = { sizeCalculation: () => 1 } as const;

interface CachedKey {
  readonly key: LoadedApiKey;
  /** The epoch that was the key's before it was read from the database. A key read without one is asked for again. */
  readonly epoch: string | null;
  readonly loadedAtMs: number;
}

/** What this process knows of keys, by the hash of their texts. */
export interface KeyCache {
  /** The key as it was when it was last read: good for checking a signature, and for nothing else. */
  peek(keyHash: string): LoadedApiKey | undefined;
  /** The key as the database has it. Undefined where nobody has it, or it no longer works. */
  load(keyHash: string): Promise<LoadedApiKey | undefined>;
  /** The cached key, where it is still as it is now: the epoch is what the fast state named after the request arrived. */
  getIfCurrent(keyHash: string, epoch: string | null): LoadedApiKey | undefined;
  /** The key as it is now. Without an epoch it may change at any moment, and what another request asked for is too old. */
  reload(keyHash: string, epoch: string | null): Promise<LoadedApiKey | undefined>;
}

/**
 * Keys are cached by their epoch: a revocation changes it, the fast state hands it back with every request, and what was
 * cached under another one is read again before the request goes on. So is what is older than a minute: an account that is
 * shut, or a fast state that came back with an epoch of yesterday, leaves no key working for longer.
 */
export function createKeyCache(app: App): KeyCache {
  const keys = new LRUCache<string, CachedKey>({ maxSize: KEYS_CACHED_MAX, ...COUNTED });
  // A hash that is not there is never there later: keys are random and stored before anybody is shown one. But an account
  // that was shut may be opened again, and its keys with it.
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
    const key = await once(keyHash, () => readFromDatabase(keyHash, null));
    if (key === undefined) unknown.set(keyHash, nowMs + UNKNOWN_CACHED_MS);
    return key;
  }

  function reload(keyHash: string, epoch: string | null): Promise<LoadedApiKey | undefined> {
    if (epoch === null) return readFromDatabase(keyHash, null);
    return once(`${keyHash} ${epoch}`, () => readFromDatabase(keyHash, epoch));
  }

  /** Of many requests that arrive together, one asks the database: a burst under a new key would use up its connections. */
  function once(name: string, ask: () => Promise<LoadedApiKey | undefined>) {
    const underWay = loading.get(name);
    if (underWay !== undefined) return underWay;
    const asked = ask().finally(() => loading.delete(name));
    loading.set(name, asked);
    return asked;
  }

  function getIfCurrent(keyHash: string, epoch: string | null): LoadedApiKey | undefined {
    const cached = keys.get(keyHash);
    if (epoch === null || cached?.epoch !== epoch) return undefined;
    return app.clock.now().getTime() < cached.loadedAtMs + KEY_CACHED_MS ? cached.key : undefined;
  }

  return {
    peek: (keyHash) => keys.get(keyHash)?.key,
    load: load,
    getIfCurrent: getIfCurrent,
    reload,
  };
}
