import { startService } from "@purser/service/compose.ts";
import type { Config } from "@purser/service/config.ts";
import { serveParent } from "../server-process.ts";
import type { PurserReady } from "./purser.ts";
import { seedDeveloper } from "./seed-developer.ts";

/** A Purser process with jobs and workflows, like the one that `npm run serve` starts. */
serveParent(async (config: Config): Promise<PurserReady> => {
  const { app, url } = await startService(config);
  return { origin: url, ...(await seedDeveloper(app)) };
});
