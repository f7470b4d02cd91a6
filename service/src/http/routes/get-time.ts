import type { App } from "../../app.ts";
import { publicErrors } from "../../foundation/wire/problem.ts";
import { presentServerTime, ServerTimeResource } from "../../modules/health/index.ts";
import type { Server } from "../route.ts";

export function getTimeRoute(server: Server, app: App): void {
  server.route({
    method: "GET",
    url: "/api/v1/svc/time",
    config: { auth: "public" },
    schema: {
      operationId: "getTime",
      tags: ["Limits"],
      summary: "Get the server's time",
      description:
        "Returns the server's time, which the timestamps of signed requests are compared with. Use it to correct an inaccurate client clock.",
      response: { 200: ServerTimeResource, ...publicErrors },
    },
    handler: async () => presentServerTime(app.clock.now()),
  });
}
