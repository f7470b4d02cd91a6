import { checkReadiness } from "../../../modules/health/health.ts";
import type { Route } from "../../route.ts";
import { asset } from "./page.ts";

/**
 * `/healthz` responds 200 while the process runs. `/readyz` responds 200 if the process can serve requests, otherwise
 * 503. Both responses of `/readyz` contain the result of each check.
 */
export const healthRoutes: readonly Route[] = [
  asset("/healthz", ({ reply }) => reply.send({ status: "ok" })),
  asset("/readyz", async ({ app, reply }) => {
    const { ready, checks } = await checkReadiness(app);
    if (!ready) reply.header("retry-after", "1");
    return reply.code(ready ? 200 : 503).send({ ready, checks });
  }),
];
