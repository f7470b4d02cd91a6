import { describe, expect, it } from "vitest";
import { runTamperingCampaign } from "../src/campaigns/audit-tampering.ts";
import { useDatabase } from "./fixtures.ts";

const onProgress = () => {};

/**
 * These tests change every entry of a short chain, and some entries of a long chain. `npm run campaign --
 * audit-tampering` makes every kind of change at every entry of a chain of 1,000 entries.
 */
describe("an attacker who can change the database but not the anchor", () => {
  const database = useDatabase();

  it("is detected by the server and the SDK: every kind of change at every place of a short chain", async () => {
    const figures = await runTamperingCampaign({ database, entries: 10, onProgress });

    expect(figures).toEqual({ entries: 10, anchored: 8, found: 134, unanchored: 4 });
  }, 60_000);

  it("is detected by the server and the SDK: changes at page and checkpoint boundaries in a chain of 1,010 entries", async () => {
    const places = [1, 404, 500, 501, 808, 999, 1_000, 1_001];
    const campaign = { database, entries: 1_010, kindsEach: 4, places, onProgress };

    const figures = await runTamperingCampaign(campaign);

    expect(figures.entries).toBe(1_010);
    expect(figures.found + figures.unanchored).toBe(4 * places.length);
    expect(figures.found).toBeGreaterThan(4 * places.length - 8);
  }, 60_000);
});
