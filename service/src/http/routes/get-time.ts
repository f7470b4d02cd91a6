import { presentServerTime, ServerTimeResource } from "../../modules/health/server-time-resource.ts";
import { endpoint } from "../route.ts";

export const getTimeRoute = endpoint("GET /api/v1/svc/time", {
  config: { auth: "public" },
  schema: {
    operationId: "getTime",
    summary: "Get the server's time",
    description:
      "Returns the server's time, which the timestamps of signed requests are compared with. Use it to correct an inaccurate client clock.",
    response: { 200: ServerTimeResource },
  },
  handler: async (app) => presentServerTime(app.clock.now()),
});
