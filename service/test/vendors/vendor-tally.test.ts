import { describe, expect, it } from "vitest";
import type { TalliedRequest } from "../../../simulators/src/kit/tally.ts";
import { judgeTally } from "./vendor-tally.ts";

const of = (vendor: string, mark: TalliedRequest["mark"], detail = ""): TalliedRequest => ({
  vendor,
  mark,
  detail,
});
const wholeRun = { isDescribed: true, isWholeRun: true };

describe("the run's tally of vendor requests", () => {
  it("names all of them, and those of each vendor", () => {
    const requests = [of("stripe", "valid"), of("neon", "valid"), of("stripe", "valid")];
    expect(judgeTally(requests, wholeRun)).toEqual({
      sentence:
        "vendor requests held against the vendors' descriptions: 3 valid, 0 invalid (neon 1, stripe 2)",
    });
  });

  it("fails the run for one invalid request, and shows it", () => {
    const requests = [of("neon", "valid"), of("neon", "invalid", "POST /projects nmae")];
    for (const isWholeRun of [true, false]) {
      const { sentence, failure } = judgeTally(requests, { ...wholeRun, isWholeRun });
      expect(sentence).toContain("1 valid, 1 invalid (neon 2)");
      expect(failure).toContain("neon, invalid: POST /projects nmae");
    }
  });

  it("fails the run for an answer that no vendor would give, and counts no request twice", () => {
    const requests = [of("neon", "valid"), of("neon", "bad-answer", "POST /projects id")];
    const { sentence, failure } = judgeTally(requests, wholeRun);
    expect(sentence).toContain("1 valid, 0 invalid (neon 1)");
    expect(failure).toContain("neon, bad-answer: POST /projects id");
  });

  it("fails a whole run in which nothing was counted, and no other", () => {
    expect(judgeTally([], wholeRun).failure).toContain("Not one request");
    expect(judgeTally([], { ...wholeRun, isWholeRun: false })).toEqual({});
  });

  it("says of a whole run without descriptions that nothing was held against them", () => {
    const run = { ...wholeRun, isDescribed: false };
    expect(judgeTally([], run)).toEqual({
      sentence: "vendor requests were not held against the vendors' descriptions: none are here",
    });
    expect(judgeTally([], { ...run, isWholeRun: false })).toEqual({});
  });
});
