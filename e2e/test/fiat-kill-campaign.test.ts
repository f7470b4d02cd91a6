import { describe, expect, it } from "vitest";
import { runFiatKillCampaign } from "../src/campaigns/fiat-kill/run.ts";

describe("conversions while the service and PostgreSQL are killed and Bridge fails", () => {
  it("conversions, the ledger, budgets and Bridge agree to the cent, and nothing is stuck", async () => {
    const figures = await runFiatKillCampaign({ clients: 8, kills: 3, onProgress: () => {} });

    expect(figures.kills).toEqual({ service: 2, postgres: 1 });
    expect(figures.transfers["payment_processed"]).toBeGreaterThan(0);
    expect(figures.auditEntries).toBeGreaterThan(0);
    console.info(JSON.stringify(figures));
  }, 240_000);
});
