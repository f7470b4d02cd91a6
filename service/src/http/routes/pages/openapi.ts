import type { Server } from "../../route.ts";

/** The OpenAPI document, as the routes' own schemas make it. */
export function openapiRoute(server: Server): void {
  server.route({
    method: ["GET", "HEAD"],
    url: "/openapi.json",
    config: { auth: "public", page: true },
    schema: { hide: true },
    handler: async () => server.swagger(),
  });
}
