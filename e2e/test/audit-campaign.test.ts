import { describe, expect, it } from "vitest";
import { runAuditCampaign } from "../src/campaigns/audit.ts";
import { useDatabase } from "./fixtures.ts";

describe("the audit trail with 16 concurrent writers", () => {
  const database = useDatabase();

  it("has one chain without gaps for each tenant, with exactly one entry for each change", async () => {
    const figures = await runAuditCampaign({
      databaseUrl: database.serviceUrl,
      writers: 16,
      mutationsEach: 50,
      onProgress: () => {},
    });

    expect(figures.mutations).toBe(800);
    expect(figures.verifications).toBeGreaterThan(1);
    // At least the first and the last checkpoint of each chain.
    expect(figures.checkpoints).toBeGreaterThanOrEqual(4);
  }, 120_000);
});
