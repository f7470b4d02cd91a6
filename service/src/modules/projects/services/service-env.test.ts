import { describe, expect, it } from "vitest";
import { serviceEnvProblem, toProjectNames } from "./service-env.ts";

const envNames = { DATABASE_URL: "APP_DATABASE_URL", PGHOST: "PGHOST" };
const env = { DATABASE_URL: "postgres://u:p@h/d", PGHOST: "h" };

describe("toProjectNames", () => {
  it("returns the values by their names in the project, and leaves out unnamed variables", () => {
    const more = { ...env, constructor: "x", toString: "y", NEW: "z" };

    expect(toProjectNames({ envNames }, more)).toEqual({
      APP_DATABASE_URL: env.DATABASE_URL,
      PGHOST: "h",
    });
  });
});

describe("serviceEnvProblem", () => {
  it("returns undefined for the catalog's names with values of up to 32 KiB, including empty ones", () => {
    expect(serviceEnvProblem({ envNames }, env)).toBeUndefined();
    expect(
      serviceEnvProblem({ envNames }, { DATABASE_URL: "é".repeat(16 * 1024), PGHOST: "" }),
    ).toBeUndefined();
  });

  it.each([
    ["a missing name", { PGHOST: "h" }, "DATABASE_URL is missing"],
    ["an unknown name", { ...env, LD_PRELOAD: "/x.so" }, "more names than in the catalog"],
    ["a NUL character", { ...env, PGHOST: "a\0b" }, "PGHOST is too long or not text"],
    ["an unpaired surrogate", { ...env, PGHOST: "a\ud800" }, "PGHOST is too long or not text"],
    [
      "a value of more than 32 KiB",
      { ...env, PGHOST: "é".repeat(16 * 1024 + 1) },
      "PGHOST is too long or not text",
    ],
  ])("returns the problem: %s", (_, given, problem) => {
    expect(serviceEnvProblem({ envNames }, given)).toBe(problem);
  });
});
