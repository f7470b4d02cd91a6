import type { Server } from "../../route.ts";

/** The OpenAPI document, generated from the schemas of the routes. */
export function openapiRoute(server: Server): void {
  let document: string | undefined;
  server.route({
    method: ["GET", "HEAD"],
    url: "/openapi.json",
    config: { auth: "public", page: true },
    schema: { hide: true },
    handler: async (_request, reply) => {
      // Serialized once, because it is half a megabyte and needs no credential.
      document ??= JSON.stringify(server.swagger());
      return reply.type("application/json; charset=utf-8").send(document);
    },
  });
}
