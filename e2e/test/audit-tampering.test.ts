import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runTamperingCampaign } from "../src/campaigns/audit-tampering.ts";
import { type OwnPostgres, startOwnPostgres } from "../src/own-postgres.ts";

describe("an intruder with all power over the database, and none over the anchor", () => {
  let postgres: OwnPostgres;

  beforeAll(async () => {
    postgres = await startOwnPostgres();
  });

  afterAll(() => postgres.remove());

  it("is found by the service and by the SDK in a short chain: every kind of change at every place", async () => {
    const figures = await runTamperingCampaign({ postgres, entries: 60, onProgress: () => {} });

    expect(figures).toEqual({ entries: 60, anchored: 48, found: 814, unanchored: 24 });
  }, 120_000);

  it("is found by both in a chain of 1,000: a change at every place, of each kind in turn", async () => {
    const campaign = { postgres, entries: 1_000, kindsEach: 1, onProgress: () => {} };

    const figures = await runTamperingCampaign(campaign);

    expect(figures.entries).toBe(1_000);
    expect(figures.found + figures.unanchored).toBeGreaterThan(995);
    expect(figures.found).toBeGreaterThan(950);
  }, 300_000);
});
