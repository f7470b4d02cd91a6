import { isDeepStrictEqual } from "node:util";
import swagger from "@fastify/swagger";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import fastify, { type RouteOptions } from "fastify";
import type { App } from "../src/app.ts";
import { invariant } from "../src/foundation/invariant.ts";
import { SIGNING_SCHEMES } from "../src/http/documented-headers.ts";
import type { Route, Server } from "../src/http/route.ts";
import { INTRODUCTION, TAGS } from "./introduction.ts";
import { completeOperation, type Operation, sharedComponents } from "./operation.ts";

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

/** Generates the OpenAPI document from the routes, on a server that never receives a request. */
export async function describeApi(app: App, endpoints: readonly Route[]): Promise<object> {
  const server: Server = fastify().withTypeProvider<TypeBoxTypeProvider>();
  server.setValidatorCompiler(() => () => true);
  server.setSerializerCompiler(() => JSON.stringify);
  const routes = new Map<string, RouteOptions>();
  const names = new Set<string>();
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
      // The generator drops `$id`, so a schema's name is its `title`.
      const text = JSON.stringify(schema ?? {});
      for (const [, name = ""] of text.matchAll(/"\$id":"(\w+)"/g)) names.add(name);
      return { schema: JSON.parse(text.replaceAll('"$id":', '"title":')), url };
    },
    transformObject: (document) =>
      "openapiObject" in document
        ? completeOperations(hoist(document.openapiObject, names), routes)
        : document.swaggerObject,
  });
  for (const route of endpoints) route(server, app);
  await server.ready();
  return server.swagger();
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

interface Annotated {
  description?: unknown;
  examples?: unknown;
}

/**
 * Moves each named schema to the components, so that it appears once and SDK generators use its name. Only
 * `description` and `examples` can differ between the uses of a component. Each use then has its own.
 */
function hoist<Doc extends Document>(document: Doc, names: ReadonlySet<string>): Doc {
  const schemas: Record<string, Annotated> = {};
  const uses: Record<string, Annotated[]> = {};
  const walk = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(walk);
    if (typeof node !== "object" || node === null) return node;
    const copy = Object.fromEntries(Object.entries(node).map(([key, inner]) => [key, walk(inner)]));
    const { title, description, examples, ...shape } = copy;
    if (typeof title !== "string" || !names.has(title)) return copy;
    schemas[title] ??= { ...shape };
    invariant(isDeepStrictEqual(schemas[title], shape), `all schemas named ${title} are the same`);
    const use = { $ref: `#/components/schemas/${title}`, description, examples };
    uses[title] = [...(uses[title] ?? []), use];
    return use;
  };
  const walked = walk(document) as Doc;
  for (const [title, ofTitle] of Object.entries(uses)) {
    for (const key of ["description", "examples"] as const) {
      const texts = new Set(ofTitle.map((use) => JSON.stringify(use[key])));
      if (texts.size > 1) continue;
      Object.assign(schemas[title] ?? {}, { [key]: ofTitle[0]?.[key] });
      for (const use of ofTitle) delete use[key];
    }
  }
  return { ...walked, components: { ...walked.components, schemas } };
}
