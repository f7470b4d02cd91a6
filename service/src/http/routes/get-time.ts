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
      summary: "Get the server time",
      description:
        "Returns the server's time. Clients compare it with their clock before they sign requests.",
      response: { 200: ServerTimeResource, ...publicErrors },
    },
    handler: async () => presentServerTime(app.clock.now()),
  });
}
