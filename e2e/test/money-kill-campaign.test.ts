import { describe, expect, it } from "vitest";
import { runMoneyKillCampaign } from "../src/campaigns/money-kill/run.ts";

describe("payments while the service and PostgreSQL are killed", () => {
  it("every acknowledged payment is there once, and nothing waits", async () => {
    const figures = await runMoneyKillCampaign({ clients: 8, kills: 3, onProgress: () => {} });

    expect(figures.kills).toEqual({ service: 2, postgres: 1 });
    expect(figures.payments).toBeGreaterThan(20);
    expect(figures.answers["capture done"]).toBeGreaterThan(0);
    expect(figures.auditEntries).toBeGreaterThan(figures.payments);
    console.info(JSON.stringify(figures));
  }, 120_000);
});
