import { describe, expect, it } from "vitest";
import { runSagaKillCampaign } from "../src/campaigns/saga-kill/run.ts";

describe("services of many customers while the service is killed and vendors fail", () => {
  it("no resource, charge or secret is missing or left over, and every current credential works", async () => {
    const figures = await runSagaKillCampaign({
      ...{ clients: 2, kills: 2, disturbances: 4 },
      onProgress: () => {},
    });

    expect(figures.kills).toBeGreaterThanOrEqual(2);
    expect(figures.killsDuring).not.toEqual({});
    expect(figures.answers["add done"]).toBeGreaterThan(0);
    expect(figures.auditEntries).toBeGreaterThan(0);
    console.info(JSON.stringify(figures));
  }, 240_000);
});
