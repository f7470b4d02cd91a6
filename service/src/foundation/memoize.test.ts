import { describe, expect, it } from "vitest";
import { memoize } from "./memoize.ts";

/** Memoizes a function that records its calls. */
function counted(charactersMax?: number) {
  const calls: string[] = [];
  const work = (text: string) => {
    calls.push(text);
    return `${text}!`;
  };
  return { calls, answer: memoize(work, charactersMax) };
}

describe("memoize", () => {
  it("one call: the same text is asked twice", () => {
    const { calls, answer } = counted();

    expect([answer("a"), answer("b"), answer("a")]).toEqual(["a!", "b!", "a!"]);
    expect(calls).toEqual(["a", "b"]);
  });

  it("one call: the text has exactly the maximum length", () => {
    const { calls, answer } = counted(3);

    expect([answer("abc"), answer("abc")]).toEqual(["abc!", "abc!"]);
    expect(calls).toEqual(["abc"]);
  });

  it("a call each time: the text is longer than the maximum", () => {
    const { calls, answer } = counted(3);

    expect([answer("abcd"), answer("abcd")]).toEqual(["abcd!", "abcd!"]);
    expect(calls).toEqual(["abcd", "abcd"]);
  });

  it("1,000 answers are stored: more texts are asked", () => {
    const { calls, answer } = counted();
    for (let number = 0; number <= 1_000; number += 1) answer(String(number));

    answer("1");
    expect(calls).toHaveLength(1_001);
    answer("0");
    expect(calls).toHaveLength(1_002);
  });
});
