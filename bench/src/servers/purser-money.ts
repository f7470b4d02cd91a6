import { composeApp } from "@purser/service/compose.ts";
import type { Config } from "@purser/service/config.ts";
import { allRoutes } from "@purser/service/http/routes/manifest.ts";
import { buildServer } from "@purser/service/http/server.ts";
import { testSpendRoute } from "../../../service/test/test-spend.ts";
import { serveParent } from "../server-process.ts";
import type { PurserReady } from "./purser.ts";
import { seedDeveloper } from "./seed-developer.ts";

/** A Purser server that has the test route for money requests. */
serveParent(async (config: Config): Promise<PurserReady> => {
  const app = await composeApp(config);
  const server = await buildServer(app, { routes: [...allRoutes, testSpendRoute()] });
  const origin = await server.listen({ host: "127.0.0.1", port: 0 });
  return { origin, ...(await seedDeveloper(app)) };
});
