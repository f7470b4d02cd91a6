import { startTelemetry } from "@purser/service/compose/telemetry.ts";
import { composeApp } from "@purser/service/compose.ts";
import type { Config } from "@purser/service/config.ts";
import type { Route } from "@purser/service/http/route.ts";
import { allRoutes } from "@purser/service/http/routes/manifest.ts";
import { buildServer } from "@purser/service/http/server.ts";
import { writeRequestLog } from "@purser/service/modules/developers/request-log/request-log.ts";
import { OPEN_PATH, SIGNED_PATH } from "../paths.ts";
import { serveParent } from "../server-process.ts";
import { type Developer, seedDeveloper } from "./seed-developer.ts";

export interface PurserReady extends Developer {
  readonly origin: string;
}

export interface PurserInput extends Config {
  /** Whether the request log is written each second, as a service does, or not kept. Default: it is only buffered. */
  readonly requestLog?: "written" | "off";
}

serveParent(async ({ requestLog, ...config }: PurserInput): Promise<PurserReady> => {
  const app = await composeApp(config);
  await startTelemetry(app, config);
  if (requestLog === "off") app.requestLog.note = () => {};
  if (requestLog === "written") setInterval(() => void writeRequestLog(app), 1_000);
  const server = await buildServer(app, { routes: [...allRoutes, openRoute, signedRoute] });
  const origin = await server.listen({ host: "127.0.0.1", port: 0 });
  return { origin, ...(await seedDeveloper(app)) };
});

/**
 * The route is served at two paths, of which one requires a signature. The difference in speed is the cost of verifying
 * the signature.
 */
const route = {
  method: "GET",
  schema: {
    response: { 200: { type: "object", properties: { answer: { type: "integer" } } } },
  },
  handler: async () => ({ answer: 42 }),
} as const;

const openRoute: Route = (server) => void server.route({ ...route, url: OPEN_PATH, config: { auth: "public" } });

const signedRoute: Route = (server) =>
  void server.route({ ...route, url: SIGNED_PATH, config: { auth: "tenant", scope: null } });
