import { expect, it } from "vitest";
import { runRestoreCampaign } from "../src/campaigns/restore/run.ts";

it("after a restore to a point in time, what is lost is named, nothing is paid twice, and payments work", async () => {
  const figures = await runRestoreCampaign({ clients: 12, secondsEach: 2, onProgress: () => {} });

  expect(figures.lost.answers).toBeGreaterThan(0);
  expect(figures.lost.services).toBeGreaterThan(0);
  expect(figures.lost.livePayments).toBeGreaterThan(0);
  expect(figures.lostAuditEntries).toBeGreaterThan(0);
  expect(figures.walletsWithUnsentPayments).toBeGreaterThan(0);
  console.info(JSON.stringify(figures));
}, 180_000);
