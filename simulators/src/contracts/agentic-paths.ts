import type { JsonRecord } from "./records.ts";

// The validator does not resolve references among the parameters of an operation that has a query.
const version = { name: "API-Version", in: "header", required: true, schema: { enum: ["0.1d"] } };
const resource = { $ref: "#/components/responses/Resource" };
const listed = {
  type: "object",
  required: ["status", "id", "service_id", "project_id"],
  properties: {
    status: { type: "string" },
    id: { type: "string" },
    service_id: { type: "string" },
    project_id: { type: "string" },
  },
};
const error = { $ref: "#/components/responses/Err" };

/**
 * What the description of the agentic provisioning protocol lacks: the pages of the list of services, the member
 * `project_id` of a resource and of a request to create one, the list of a project's resources, deep links, and the
 * revocation of tokens (RFC 7009).
 */
export const AGENTIC_PATHS: JsonRecord = {
  "/provisioning/services": {
    get: {
      operationId: "listServices",
      parameters: [version, { name: "cursor", in: "query", schema: { type: "string" } }],
      responses: {
        200: {
          description: "ok",
          content: jsonContent({
            required: ["data"],
            properties: {
              data: { type: "array", items: { type: "object" } },
              next_cursor: { type: "string", nullable: true },
            },
          }),
        },
      },
    },
  },
  "/provisioning/resources": {
    post: {
      operationId: "createResource",
      parameters: [version],
      requestBody: {
        required: true,
        content: jsonContent({
          required: ["service_id"],
          properties: {
            service_id: { type: "string" },
            project_id: { type: "string" },
            configuration: { type: "object", additionalProperties: true },
            payment_credentials: {
              type: "object",
              properties: {
                type: { type: "string", enum: ["stripe_payment_token"] },
                stripe_payment_token: { type: "string" },
              },
            },
          },
        }),
      },
      responses: { 200: resource, 400: error },
    },
    get: {
      operationId: "listResources",
      parameters: [version, { name: "project_id", in: "query", required: true, schema: { type: "string" } }],
      responses: {
        200: {
          description: "ok",
          content: jsonContent({
            required: ["data"],
            properties: { data: { type: "array", items: listed } },
          }),
        },
      },
    },
  },
  "/provisioning/deep_links": {
    post: {
      operationId: "createDeepLink",
      parameters: [version],
      requestBody: {
        required: true,
        content: jsonContent({
          required: ["purpose"],
          properties: { purpose: { type: "string" }, path: { type: "string" } },
        }),
      },
      responses: {
        200: {
          description: "ok",
          content: jsonContent({
            required: ["purpose", "url", "expires_at"],
            properties: {
              purpose: { type: "string" },
              url: { type: "string" },
              expires_at: { type: "string", format: "date-time" },
            },
          }),
        },
        403: error,
      },
    },
  },
  "/oauth/revoke": {
    post: {
      operationId: "revokeToken",
      requestBody: {
        required: true,
        content: {
          "application/x-www-form-urlencoded": {
            schema: {
              type: "object",
              required: ["token", "client_id"],
              properties: {
                token: { type: "string" },
                token_type_hint: { enum: ["refresh_token", "access_token"] },
                client_id: { type: "string" },
              },
            },
          },
        },
      },
      responses: { 200: { description: "ok" } },
    },
  },
};

function jsonContent(schema: object): object {
  return { "application/json": { schema: { type: "object", ...schema } } };
}
