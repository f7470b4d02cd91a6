import { Type } from "typebox";
import type { App } from "../../app.ts";
import { Timestamp } from "../../foundation/wire/common.ts";
import { publicErrors } from "../../foundation/wire/problem.ts";
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
        "Returns the clock that timestamps of signed requests are compared with. Use it to correct a wrong client clock.",
      response: {
        200: Type.Object({
          unix: Type.Integer({ description: "Seconds since 1970 in UTC." }),
          iso: Timestamp,
        }),
        ...publicErrors,
      },
    },
    handler: async () => {
      const now = app.clock.now();
      return { unix: Math.floor(now.getTime() / 1000), iso: now.toISOString() };
    },
  });
}
