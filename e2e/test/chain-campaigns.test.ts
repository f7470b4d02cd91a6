import { describe, expect, it } from "vitest";
import { runChainKillCampaign, runReorgCampaign } from "../src/campaigns/chain/run.ts";

const SAMPLE = { wallets: 8, onProgress: () => {} };

describe("payments, deposits and freezes of live wallets: the ledger, the chain and the answers agree", () => {
  it("after the service was killed and the chain or its bundler was paused", async () => {
    const { disturbances, payments } = await runChainKillCampaign({ ...SAMPLE, kills: 5 });

    expect(disturbances["service killed"]).toBe(3);
    expect(payments["confirmed"]).toBeGreaterThan(0);
  }, 300_000);

  it("after the newest blocks were replaced, up to all that were not final", async () => {
    const { disturbances, payments } = await runReorgCampaign({ ...SAMPLE, count: 3 });

    expect(Object.keys(disturbances)).toHaveLength(3);
    expect(payments["confirmed"]).toBeGreaterThan(0);
  }, 300_000);
});
