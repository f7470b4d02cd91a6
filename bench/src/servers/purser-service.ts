import { startService } from "@purser/service/compose.ts";
import type { Config } from "@purser/service/config.ts";
import { serveParent } from "../server-process.ts";
import type { PurserReady } from "./purser.ts";
import { seedDeveloper } from "./seed-developer.ts";

/** A whole process of the service, as `npm run serve` starts one: with its jobs, and with its workflows. */
serveParent(async (config: Config): Promise<PurserReady> => {
  const { app, url } = await startService(config);
  return { origin: url, ...(await seedDeveloper(app)) };
});
