import swagger from "@fastify/swagger";
import type { Server } from "./route.ts";

/** Has the OpenAPI document written from the routes' own schemas. Called before any route is added. */
export async function describeApi(server: Server): Promise<void> {
  await server.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Purser",
        version: "1.0.0",
        description:
          "Keeps the money and the provisions of software agents. Every request is signed; the README shows how.",
        license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      },
      servers: [{ url: "/" }],
      components: {
        securitySchemes: {
          signedRequest: {
            type: "apiKey",
            in: "header",
            name: "Authorization",
            description:
              "The API key, with X-Request-Signature, X-Timestamp and X-Nonce over the request.",
          },
          dashboardToken: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
          dashboardCookie: { type: "apiKey", in: "cookie", name: "__Host-svc_access" },
        },
      },
    },
    // A schema with an $id is a component of that name, not "def-0".
    refResolver: {
      buildLocalReference: (json, _baseUri, _fragment, index) =>
        String(json["$id"] ?? `def-${index}`),
    },
  });
}

const SIGNED = { signedRequest: [] };
const DASHBOARD = [{ dashboardToken: [] }, { dashboardCookie: [] }];

/** What the document says of a credential class. */
export function securityOf(auth: string | undefined): Record<string, string[]>[] {
  if (auth === "signed") return [SIGNED];
  if (auth === "tenant") return [SIGNED, ...DASHBOARD];
  return auth === "public" ? [] : DASHBOARD;
}
