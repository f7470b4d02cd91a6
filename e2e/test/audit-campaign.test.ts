import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runAuditCampaign } from "../src/campaigns/audit.ts";
import { type OwnPostgres, startOwnPostgres } from "../src/own-postgres.ts";

describe("the audit trail under many writers", () => {
  let postgres: OwnPostgres;

  beforeAll(async () => {
    postgres = await startOwnPostgres();
  });

  afterAll(() => postgres.remove());

  it("is one chain a tenant, without a gap, that tells of every change once", async () => {
    const figures = await runAuditCampaign({
      databaseUrl: postgres.serviceUrl,
      writers: 16,
      mutationsEach: 250,
      onProgress: () => {},
    });

    expect(figures.mutations).toBe(4_000);
    expect(figures.verifications).toBeGreaterThan(1);
    // At the very least each chain's first one, and its last.
    expect(figures.checkpoints).toBeGreaterThanOrEqual(4);
  }, 120_000);
});
