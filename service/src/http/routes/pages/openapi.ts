import type { Server } from "../../route.ts";

/** The OpenAPI document, as the routes' own schemas make it. */
export function openapiRoute(server: Server): void {
  let document: string | undefined;
  server.route({
    method: ["GET", "HEAD"],
    url: "/openapi.json",
    config: { auth: "public", page: true },
    schema: { hide: true },
    handler: async (_request, reply) => {
      // Written once: it is half a megabyte, and anybody may ask for it.
      document ??= JSON.stringify(server.swagger());
      return reply.type("application/json; charset=utf-8").send(document);
    },
  });
}
