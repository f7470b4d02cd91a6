import { LRUCache } from "lru-cache";

const ANSWERS_MAX = 1_000;

/** Keeps a function's answers for the 1,000 texts used last, but for none longer than `charactersMax`. */
export function memoize<Answer extends {}>(
  work: (text: string) => Answer,
  charactersMax = Number.POSITIVE_INFINITY,
): (text: string) => Answer {
  const answers = new LRUCache<string, Answer>({
    max: ANSWERS_MAX,
    memoMethod: (text) => work(text),
  });
  return (text) => (text.length > charactersMax ? work(text) : answers.memo(text));
}
