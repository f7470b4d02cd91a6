import { describe, expect, it } from "vitest";
import { isCanonicalPath } from "./paths.ts";

describe("isCanonicalPath", () => {
  it.each([
    "/",
    "/api/v1/svc/time",
    "/api/v1/svc/projects/proj_1?limit=1",
    "/api/.hidden",
    "/api/...",
    "/api/a..b",
    "/a?redirect=/../%2e;//",
  ])("true: %s", (target) => {
    expect(isCanonicalPath(target)).toBe(true);
  });

  it.each([
    "",
    "api",
    "*",
    "http://purser.test/api",
    "/api/",
    "//",
    "/api//v1",
    "/.",
    "/..",
    "/api/.",
    "/api/..",
    "/api/./v1",
    "/api/../v1",
    "/api/..?a=b",
    "/api/?a=b",
    "/api/%76",
    "/api;a=b",
    "/api#a",
    "/api\\v1",
    "/api/ v1",
    "/api/v\n1",
    "/api/\u00e9",
  ])("false: %j", (target) => {
    expect(isCanonicalPath(target)).toBe(false);
  });
});
