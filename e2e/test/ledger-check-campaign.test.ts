import { describe, expect, it } from "vitest";
import { runLedgerCampaign } from "../src/campaigns/ledger-check.ts";
import { useDatabase } from "./fixtures.ts";

describe("the ledger with 16 concurrent writers", () => {
  const database = useDatabase();

  it("has exactly the accepted moves and no differences, while wallets are frozen", async () => {
    const figures = await runLedgerCampaign({
      databaseUrl: database.serviceUrl,
      writers: 16,
      movesEach: 60,
      onProgress: () => {},
    });

    expect(figures.moves).toBe(960);
    expect(figures.checks).toBeGreaterThan(1);
    for (const outcome of ["done", "insufficient_funds", "wallet_frozen", "already_resolved"]) {
      expect([outcome, figures.outcomes[outcome] ?? 0]).not.toEqual([outcome, 0]);
    }
  }, 120_000);
});
