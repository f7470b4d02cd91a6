import type { Server } from "../../route.ts";

/** Serves the OpenAPI document, which is generated from the route schemas. */
export function openapiRoute(server: Server): void {
  let document: string | undefined;
  server.route({
    method: ["GET", "HEAD"],
    url: "/openapi.json",
    config: { auth: "public", page: true },
    schema: { hide: true },
    handler: async (_request, reply) => {
      // Serialized once, because the document is half a megabyte and can be requested without a credential.
      document ??= JSON.stringify(server.swagger());
      return reply.type("application/json; charset=utf-8").send(document);
    },
  });
}
