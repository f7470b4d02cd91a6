import { LRUCache } from "lru-cache";

const TEXTS_MAX = 1_000;
/** Longer texts are not kept: an address is shorter, and a caller could fill the memory with them. */
const CHARACTERS_MAX = 64;

/** The same function of a text, which keeps its answers to the texts that it was last asked about. */
export function remembering<Answer extends string | boolean>(
  work: (text: string) => Answer,
): (text: string) => Answer {
  const answers = new LRUCache<string, Answer>({ max: TEXTS_MAX });
  return (text) => {
    const known = answers.get(text);
    if (known !== undefined) return known;
    const answer = work(text);
    if (text.length <= CHARACTERS_MAX) answers.set(text, answer);
    return answer;
  };
}
