import { describe, expect, it } from "vitest";
import { wordProblems } from "./words.ts";

describe("wordProblems", () => {
  it("finds a removed identifier with its line and its replacement", () => {
    expect(wordProblems("a\nkeepTokens(tx)\n")).toEqual([{ line: 2, found: "keepTokens", instead: "saveTokens" }]);
  });

  it("finds a phrase, also if it is split across two lines of a comment", () => {
    expect(wordProblems("It is a Fault of ours.")).toHaveLength(1);
    expect(wordProblems("/**\n * It is a fault\n * of ours.\n */")).toHaveLength(1);
  });

  it.each(["PostgreSQL runs as the user nobody", '"nobody"', "saveTokens"])("reports no problem in: %s", (text) => {
    expect(wordProblems(text)).toEqual([]);
  });
});
