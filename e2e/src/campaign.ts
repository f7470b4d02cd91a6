import { parseArgs } from "node:util";
import { runAuditCampaign } from "./campaigns/audit.ts";
import { startOwnPostgres } from "./own-postgres.ts";

/** Long trials that are too long for CI: `npm run campaign -- audit`. CI runs the same code with smaller numbers. */
const campaigns: Readonly<Record<string, (each: number | undefined) => Promise<object>>> = {
  audit: async (each = 1_000) => {
    const postgres = await startOwnPostgres();
    try {
      return await runAuditCampaign({
        databaseUrl: postgres.serviceUrl,
        writers: 16,
        mutationsEach: each,
        onProgress: (message) => console.error(message),
      });
    } finally {
      await postgres.remove();
    }
  },
};

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { each: { type: "string" } },
});
const campaign = campaigns[positionals[0] ?? ""];
if (campaign === undefined) {
  console.error(`Name a campaign: ${Object.keys(campaigns).join(", ")}. Option: --each <count>.`);
  process.exitCode = 2;
} else {
  const figures = await campaign(values.each === undefined ? undefined : Number(values.each));
  console.log(JSON.stringify(figures, null, 2));
}
