import { describe, expect, it } from "vitest";
import { pythonClient, runSdkKillCampaign, TYPESCRIPT_CLIENT } from "../src/campaigns/sdk-kill/run.ts";

describe("payments with an SDK through a hostile proxy, while the server is killed", () => {
  it.each([
    ["TypeScript", async () => TYPESCRIPT_CLIENT],
    ["Python", pythonClient],
  ])(
    "%s: every payment is made once, and no call ends in an error",
    async (_language, client) => {
      const figures = await runSdkKillCampaign({
        ...{ client: await client(), payments: 120, workers: 8, kills: 3, onProgress: () => {} },
      });

      expect(figures.payments).toBeGreaterThan(80);
      expect(figures.kills).toEqual({ service: 2, postgres: 1 });
      expect(figures.disturbances["nonce rejected"]).toBeGreaterThan(0);
      console.info(JSON.stringify(figures));
    },
    120_000,
  );
});
