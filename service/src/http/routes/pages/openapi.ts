import type { Route } from "../../route.ts";
import { asset } from "./page.ts";

/** Serves the OpenAPI document, which is generated from the route schemas. */
export const openapiRoute: Route = (server, app) => {
  let document: string | undefined;
  const add = asset("/openapi.json", ({ reply }) => {
    // Serialized once, because the document is half a megabyte and can be requested without a credential.
    document ??= JSON.stringify(server.swagger());
    return reply.type("application/json; charset=utf-8").send(document);
  });
  add(server, app);
};
