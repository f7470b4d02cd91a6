import { STATUS_CODES } from "node:http";
import swagger from "@fastify/swagger";
import type { FastifySchema } from "fastify";
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
          adminToken: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
          adminCookie: { type: "apiKey", in: "cookie", name: "__Host-svc_admin" },
        },
      },
    },
    transform: ({ schema, url }) => ({ schema: nameSchemas(schema), url }),
    transformObject: (document) =>
      "openapiObject" in document ? hoist(document.openapiObject) : document.swaggerObject,
    // A schema with an $id is a component of that name, not "def-0".
    refResolver: {
      buildLocalReference: (json, _baseUri, _fragment, index) =>
        String(json["$id"] ?? `def-${index}`),
    },
  });
}

const SIGNED = { signedRequest: [] };
const DASHBOARD = [{ dashboardToken: [] }, { dashboardCookie: [] }];
const ADMIN = [{ adminToken: [] }, { adminCookie: [] }];

/** What the document says of a credential class. */
export function securityOf(auth: string | undefined): Record<string, string[]>[] {
  if (auth === "signed") return [SIGNED];
  if (auth === "tenant") return [SIGNED, ...DASHBOARD];
  if (auth === "admin") return ADMIN;
  return auth === "public" ? [] : DASHBOARD;
}

/** Marks a route's own schemas with their names, which the generator keeps only of the schemas inside them. */
function nameSchemas(schema: FastifySchema | undefined): FastifySchema {
  if (schema?.hide === true) return { hide: true };
  const response = Object.entries(schema?.response ?? {}).map(([status, one]) => [
    status,
    named(one),
  ]);
  return { ...schema, body: named(schema?.body), response: Object.fromEntries(response) };
}

function named(schema: unknown): unknown {
  if (typeof schema !== "object" || schema === null || !("$id" in schema)) return schema;
  return { ...schema, title: schema.$id };
}

type Document = { components?: { schemas?: Record<string, unknown> } };

/** Moves each named schema to the components, so that it stands in the document once, and generators see its name. */
function hoist<Doc extends Document>(document: Doc): Doc {
  const schemas: Record<string, unknown> = {};
  const walk = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(walk);
    if (typeof node !== "object" || node === null) return node;
    const copy = Object.fromEntries(Object.entries(node).map(([key, inner]) => [key, walk(inner)]));
    if (typeof copy["responses"] === "object")
      copy["responses"] = describeAnswers(copy["responses"]);
    const { title, type } = copy;
    if (typeof title !== "string" || type !== "object") return copy;
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

function describeAnswers(responses: object | null): object {
  return Object.fromEntries(
    Object.entries(responses ?? {}).map(([status, answer]) => [
      status,
      describeAnswer(status, answer),
    ]),
  );
}

/** Problems have a media type of their own, and an answer that nobody described is called by its status. */
function describeAnswer(status: string, answer: Record<string, unknown>): Record<string, unknown> {
  const { description, content } = answer;
  const isProblem = Number(status) >= 400 && typeof content === "object" && content !== null;
  const json = isProblem && "application/json" in content ? content["application/json"] : undefined;
  return {
    ...answer,
    description: description === "Default Response" ? STATUS_CODES[status] : description,
    ...(json === undefined ? {} : { content: { "application/problem+json": json } }),
  };
}
