import { expect, it } from "vitest";
import { findOldCommit } from "../src/campaigns/side-by-side/old-version.ts";
import { runSideBySideCampaign } from "../src/campaigns/side-by-side/run.ts";

it.skipIf((await findOldCommit()) === undefined)(
  "the version before the newest migration and this one serve one database: no 5xx, and no lost work",
  async () => {
    const figures = await runSideBySideCampaign({ clients: 2, secondsEach: 2, onProgress: () => {} });

    expect(figures.migrated.length).toBeGreaterThan(0);
    expect(figures.services).toBeGreaterThan(3);
    console.info(JSON.stringify(figures));
  },
  120_000,
);
