import { describe, expect, it } from "vitest";
import type { TalliedRequest } from "../../../simulators/src/kit/tally.ts";
import { judgeTally } from "./vendor-tally.ts";

const requestTo = (vendor: string, mark: TalliedRequest["mark"], detail = ""): TalliedRequest => ({
  vendor,
  mark,
  detail,
});
const wholeRun = { isDescribed: true, isWholeRun: true };

describe("judgeTally", () => {
  it("counts all requests and those of each vendor", () => {
    const requests = [requestTo("stripe", "valid"), requestTo("neon", "valid"), requestTo("stripe", "valid")];
    expect(judgeTally(requests, wholeRun)).toEqual({
      sentence: "vendor requests compared with the vendors' descriptions: 3 valid, 0 invalid (neon 1, stripe 2)",
    });
  });

  it("fails the run for a single invalid request, and prints it", () => {
    const requests = [requestTo("neon", "valid"), requestTo("neon", "invalid", "POST /projects nmae")];
    for (const isWholeRun of [true, false]) {
      const { sentence, failure } = judgeTally(requests, { ...wholeRun, isWholeRun });
      expect(sentence).toContain("1 valid, 1 invalid (neon 2)");
      expect(failure).toContain("neon, invalid: POST /projects nmae");
    }
  });

  it("fails the run for an invalid response from a simulator, and counts its request once", () => {
    const requests = [requestTo("neon", "valid"), requestTo("neon", "bad-answer", "POST /projects id")];
    const { sentence, failure } = judgeTally(requests, wholeRun);
    expect(sentence).toContain("1 valid, 0 invalid (neon 1)");
    expect(failure).toContain("neon, bad-answer: POST /projects id");
  });

  it("fails a complete run without any request, but not a partial run", () => {
    expect(judgeTally([], wholeRun).failure).toContain("No request");
    expect(judgeTally([], { ...wholeRun, isWholeRun: false })).toEqual({});
  });

  it("states that requests were not compared if no descriptions are installed", () => {
    const run = { ...wholeRun, isDescribed: false };
    expect(judgeTally([], run)).toEqual({
      sentence: "vendor requests were not compared with the vendors' descriptions: none are installed",
    });
    expect(judgeTally([], { ...run, isWholeRun: false })).toEqual({});
  });
});
