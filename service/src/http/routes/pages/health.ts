import { Type } from "typebox";
import type { App } from "../../../app.ts";
import { checkReadiness } from "../../../modules/health/index.ts";
import type { Server } from "../../route.ts";

const page = { config: { auth: "public", page: true }, method: ["GET", "HEAD"] } as const;

const ReadinessOut = Type.Object({
  ready: Type.Boolean(),
  checks: Type.Record(Type.String(), Type.String()),
});

/**
 * `/healthz` responds 200 while the process runs. `/readyz` responds 200 if the process can serve requests, otherwise
 * 503. Both responses of `/readyz` contain the result of each check.
 */
export function healthRoutes(server: Server, app: App): void {
  server.route({
    ...page,
    method: [...page.method],
    url: "/healthz",
    schema: { hide: true, response: { 200: Type.Object({ status: Type.Literal("ok") }) } },
    handler: async () => ({ status: "ok" as const }),
  });

  server.route({
    ...page,
    method: [...page.method],
    url: "/readyz",
    schema: { hide: true, response: { 200: ReadinessOut, 503: ReadinessOut } },
    handler: async (_request, reply) => {
      const { ready, checks } = await checkReadiness(app);
      if (!ready) reply.header("retry-after", "1");
      return reply.code(ready ? 200 : 503).send({ ready, checks: { ...checks } });
    },
  });
}
