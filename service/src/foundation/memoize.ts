import { LRUCache } from "lru-cache";

const ANSWERS_MAX = 1_000;

/** The same function of a text, which keeps its answers to the texts that it was last asked about. */
export function memoize<Answer extends {}>(
  work: (text: string) => Answer,
): (text: string) => Answer {
  const answers = new LRUCache<string, Answer>({
    max: ANSWERS_MAX,
    memoMethod: (text) => work(text),
  });
  return (text) => answers.memo(text);
}
