import swagger from "@fastify/swagger";
import type { FastifySchema, RouteOptions } from "fastify";
import { invariant } from "../foundation/invariant.ts";
import { SIGNING_SCHEMES } from "./openapi-headers.ts";
import { INTRODUCTION, TAGS } from "./openapi-introduction.ts";
import { completeOperation, type Operation, sharedComponents } from "./openapi-operation.ts";
import type { Server } from "./route.ts";

const SESSION_SCHEMES = {
  dashboardToken: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "The `access_token` of a developer login, for example from `POST /developers/login`.",
  },
  dashboardCookie: {
    type: "apiKey",
    in: "cookie",
    name: "__Host-svc_access",
    description: "The access token of a developer login, in the cookie that the login sets for browsers.",
  },
  adminToken: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "The `access_token` from `POST /admin/login/totp`.",
  },
  adminCookie: {
    type: "apiKey",
    in: "cookie",
    name: "__Host-svc_admin",
    description: "The access token of an admin login, in the cookie that `POST /admin/login/totp` sets for browsers.",
  },
} as const;

const VENDOR_SCHEMES = {
  stripeSignature: {
    type: "apiKey",
    in: "header",
    name: "Stripe-Signature",
    description: "Stripe's signature over the time and the bytes of the body: `t=…,v1=…`.",
  },
  bridgeSignature: {
    type: "apiKey",
    in: "header",
    name: "X-Webhook-Signature",
    description: "Bridge's signature over the time and the bytes of the body: `t=…,v0=…`.",
  },
  plaidSignature: {
    type: "apiKey",
    in: "header",
    name: "Plaid-Verification",
    description: "Plaid's signature: a JWT with the hash of the body.",
  },
} as const;

/** Generates the OpenAPI document from the route schemas. Must be called before any route is added. */
export async function describeApi(server: Server): Promise<void> {
  const routes = new Map<string, RouteOptions>();
  await server.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Purser",
        version: "1.0.0",
        description: INTRODUCTION,
        license: { name: "Apache-2.0", identifier: "Apache-2.0" },
      },
      servers: [{ url: "/" }],
      tags: TAGS,
      components: {
        securitySchemes: {
          ...SIGNING_SCHEMES,
          ...SESSION_SCHEMES,
          ...VENDOR_SCHEMES,
        },
      },
    },
    transform: ({ schema, url, route }) => {
      routes.set(route.schema?.operationId ?? "", route);
      return { schema: nameSchemas(schema), url };
    },
    transformObject: (document) =>
      "openapiObject" in document ? completeOperations(hoist(document.openapiObject), routes) : document.swaggerObject,
    // Names the component of a schema after its `$id` instead of "def-0".
    refResolver: {
      buildLocalReference: (json, _baseUri, _fragment, index) => String(json["$id"] ?? `def-${index}`),
    },
  });
}

/** Copies the `$id` of top-level schemas to `title`, because the generator drops `$id`. */
function nameSchemas(schema: FastifySchema | undefined): FastifySchema {
  if (schema?.hide === true) return { hide: true };
  const response = Object.entries(schema?.response ?? {}).map(([status, responseSchema]) => [
    status,
    named(responseSchema),
  ]);
  return { ...schema, body: named(schema?.body), response: Object.fromEntries(response) };
}

function named(schema: unknown): unknown {
  if (typeof schema !== "object" || schema === null) return schema;
  if ("content" in schema) {
    const media = Object.entries(schema.content as Record<string, { schema: unknown }>);
    const content = media.map(([type, body]) => [type, { ...body, schema: named(body.schema) }]);
    return { ...schema, content: Object.fromEntries(content) };
  }
  return "$id" in schema ? { ...schema, title: schema.$id } : schema;
}

type Document = { paths?: object; components?: { schemas?: Record<string, unknown> } };

/** Completes each operation from its route's configuration, and adds the shared components. */
function completeOperations<Doc extends Document>(document: Doc, routes: ReadonlyMap<string, RouteOptions>): Doc {
  const paths = Object.entries(document.paths ?? {}).map(([path, methods]) => [
    path,
    Object.fromEntries(
      Object.entries<Operation & { operationId: string }>(methods).map(([method, operation]) => {
        const route = routes.get(operation.operationId);
        invariant(route !== undefined, "every operation of the document has an operationId");
        return [method, completeOperation(operation, route)];
      }),
    ),
  ]);
  return {
    ...document,
    components: { ...document.components, ...sharedComponents },
    paths: Object.fromEntries(paths),
  };
}

/** Moves each named schema to the components, so that it appears once and SDK generators use its name. */
function hoist<Doc extends Document>(document: Doc): Doc {
  const schemas: Record<string, unknown> = {};
  const walk = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(walk);
    if (typeof node !== "object" || node === null) return node;
    const copy = Object.fromEntries(Object.entries(node).map(([key, inner]) => [key, walk(inner)]));
    const { title, type } = copy;
    if (typeof title !== "string" || !(type === "object" || "anyOf" in copy)) return copy;
    schemas[title] = copy;
    return { $ref: `#/components/schemas/${title}` };
  };
  const walked = walk(document) as Doc;
  const components = {
    ...walked.components,
    schemas: { ...walked.components?.schemas, ...schemas },
  };
  return { ...walked, components };
}
