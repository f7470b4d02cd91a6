import { describe, expect, it } from "vitest";
import { runLedgerKillCampaign } from "../src/campaigns/ledger-kill/run.ts";

describe("money requests while the service and PostgreSQL are killed", () => {
  it("every acknowledged move is there once, and no refusal has moved anything", async () => {
    const figures = await runLedgerKillCampaign({
      writers: 8,
      requestsEach: 40,
      acknowledgementsPerKill: 80,
      onProgress: () => {},
    });

    expect(figures).toMatchObject({ requests: 320, kills: { service: 2, postgres: 1 } });
    expect(figures.retries).toBeGreaterThan(0);
    expect(figures.done).toBeGreaterThan(200);
    expect(figures.refused["wallet_frozen"]).toBeGreaterThan(0);
    console.info(JSON.stringify(figures));
  }, 120_000);
});
