import { describe, expect, it } from "vitest";
import { runAuditCampaign } from "../src/campaigns/audit.ts";
import { useDatabase } from "./fixtures.ts";

describe("the audit trail with 16 concurrent writers", () => {
  const database = useDatabase();

  it("has one gapless chain per tenant, with exactly one entry per change", async () => {
    const figures = await runAuditCampaign({
      databaseUrl: database.serviceUrl,
      writers: 16,
      mutationsEach: 50,
      onProgress: () => {},
    });

    expect(figures.mutations).toBe(800);
    expect(figures.verifications).toBeGreaterThan(1);
    // At least two checkpoints for each of the two chains.
    expect(figures.checkpoints).toBeGreaterThanOrEqual(4);
  }, 120_000);
});
