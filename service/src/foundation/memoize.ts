import { LRUCache } from "lru-cache";

const RESULTS_MAX = 1_000;

/**
 * Caches a function's results for the 1,000 most recently used texts. Texts longer than `charactersMax` are not cached.
 */
export function memoize<Result extends {}>(
  work: (text: string) => Result,
  charactersMax = Number.POSITIVE_INFINITY,
): (text: string) => Result {
  const results = new LRUCache<string, Result>({
    max: RESULTS_MAX,
    memoMethod: (text) => work(text),
  });
  return (text) => (text.length > charactersMax ? work(text) : results.memo(text));
}
