import { describe, expect, it } from "vitest";
import { serviceEnvProblem, toProjectNames } from "./service-env.ts";

const envNames = { DATABASE_URL: "APP_DATABASE_URL", PGHOST: "PGHOST" };
const env = { DATABASE_URL: "postgres://u:p@h/d", PGHOST: "h" };

describe("toProjectNames", () => {
  it("gives each value its name in the project, and leaves out what has none", () => {
    const more = { ...env, constructor: "x", toString: "y", NEW: "z" };

    expect(toProjectNames({ envNames }, more)).toEqual({
      APP_DATABASE_URL: env.DATABASE_URL,
      PGHOST: "h",
    });
  });
});

describe("serviceEnvProblem", () => {
  it("finds none in what was promised, up to 32 KiB a value and empty ones included", () => {
    expect(serviceEnvProblem({ envNames }, env)).toBeUndefined();
    expect(
      serviceEnvProblem({ envNames }, { DATABASE_URL: "é".repeat(16 * 1024), PGHOST: "" }),
    ).toBeUndefined();
  });

  it.each([
    ["a name that is missing", { PGHOST: "h" }, "DATABASE_URL is missing"],
    [
      "a name that was not promised",
      { ...env, LD_PRELOAD: "/x.so" },
      "more names than the catalog's",
    ],
    ["a NUL", { ...env, PGHOST: "a\0b" }, "PGHOST is too long, or no text"],
    ["half a surrogate pair", { ...env, PGHOST: "a\ud800" }, "PGHOST is too long, or no text"],
    [
      "more than 32 KiB",
      { ...env, PGHOST: "é".repeat(16 * 1024 + 1) },
      "PGHOST is too long, or no text",
    ],
  ])("finds %s", (_, given, flaw) => {
    expect(serviceEnvProblem({ envNames }, given)).toBe(flaw);
  });
});
