import { describe, expect, it } from "vitest";
import { memoize } from "./memoize.ts";

/** Memoizes a function that records its calls. */
function counted(charactersMax?: number) {
  const calls: string[] = [];
  const work = (text: string) => {
    calls.push(text);
    return `${text}!`;
  };
  return { calls, memoized: memoize(work, charactersMax) };
}

describe("memoize", () => {
  it("one call: the same text is passed twice", () => {
    const { calls, memoized } = counted();

    expect([memoized("a"), memoized("b"), memoized("a")]).toEqual(["a!", "b!", "a!"]);
    expect(calls).toEqual(["a", "b"]);
  });

  it("one call: the text has exactly the maximum length", () => {
    const { calls, memoized } = counted(3);

    expect([memoized("abc"), memoized("abc")]).toEqual(["abc!", "abc!"]);
    expect(calls).toEqual(["abc"]);
  });

  it("a call each time: the text is longer than the maximum", () => {
    const { calls, memoized } = counted(3);

    expect([memoized("abcd"), memoized("abcd")]).toEqual(["abcd!", "abcd!"]);
    expect(calls).toEqual(["abcd", "abcd"]);
  });

  it("1,000 results are cached: more texts are passed", () => {
    const { calls, memoized } = counted();
    for (let number = 0; number <= 1_000; number += 1) memoized(String(number));

    memoized("1");
    expect(calls).toHaveLength(1_001);
    memoized("0");
    expect(calls).toHaveLength(1_002);
  });
});
