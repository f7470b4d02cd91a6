import { describe, expect, it } from "vitest";
import { runAuditCampaign } from "../src/campaigns/audit.ts";
import { useDatabase } from "./fixtures.ts";

describe("the audit trail under many writers", () => {
  const database = useDatabase();

  it("is one chain a tenant, without a gap, that tells of every change once", async () => {
    const figures = await runAuditCampaign({
      databaseUrl: database.serviceUrl,
      writers: 16,
      mutationsEach: 50,
      onProgress: () => {},
    });

    expect(figures.mutations).toBe(800);
    expect(figures.verifications).toBeGreaterThan(1);
    // At the very least each chain's first one, and its last.
    expect(figures.checkpoints).toBeGreaterThanOrEqual(4);
  }, 120_000);
});
