import { describe, expect, it } from "vitest";
import { currentConnectionShare, withConnectionShare } from "./connection-share.ts";

const JOBS = { pool: "jobs", owner: "purge" } as const;
const TENANT = { pool: "requests", owner: "dev_1" } as const;

describe("the connection share", () => {
  it("the requests pool without an owner: no share is set", () => {
    expect(currentConnectionShare()).toEqual({ pool: "requests", owner: "" });
  });

  it("the share is still set after an await", async () => {
    const seen = await withConnectionShare(JOBS, async () => {
      await new Promise(setImmediate);
      return currentConnectionShare();
    });

    expect(seen).toBe(JOBS);
    expect(currentConnectionShare()).toEqual({ pool: "requests", owner: "" });
  });

  it("the inner share in the inner work and the outer share after it: shares are nested", () => {
    withConnectionShare(JOBS, () => {
      expect(withConnectionShare(TENANT, currentConnectionShare)).toBe(TENANT);
      expect(currentConnectionShare()).toBe(JOBS);
    });
  });
});
