import { describe, expect, it } from "vitest";
import { runSchemathesis } from "../src/campaigns/schemathesis.ts";

describe("schemathesis", () => {
  it("finds no 5xx and no undeclared status, media type, body or header", async ({ skip }) => {
    const run = await runSchemathesis({ examples: 2, phases: "fuzzing" });

    if ("skipped" in run) return skip(run.skipped);
    expect(run.exitCode, run.output).toBe(0);
    expect(run.output).toMatch(/[1-9]\d+ generated, \d+ passed/);
  }, 300_000);
});
