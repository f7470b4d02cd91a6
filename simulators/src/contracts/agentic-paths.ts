import { DATE_TIME, form, json, list, object, requiredQuery, STRING, success } from "./describe-operation.ts";
import type { JsonRecord } from "./records.ts";

// The validator does not resolve references among the parameters of an operation that has a query.
const version = { name: "API-Version", in: "header", required: true, schema: { enum: ["0.1d"] } };
const resource = { $ref: "#/components/responses/Resource" };
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
      parameters: [version, { name: "cursor", in: "query", schema: STRING }],
      responses: success(object(["data"], { data: list(), next_cursor: { ...STRING, nullable: true } })),
    },
  },
  "/provisioning/resources": {
    post: {
      operationId: "createResource",
      parameters: [version],
      requestBody: {
        required: true,
        ...json(
          object(["service_id"], {
            service_id: STRING,
            project_id: STRING,
            configuration: { type: "object", additionalProperties: true },
            payment_credentials: {
              type: "object",
              properties: { type: { ...STRING, enum: ["stripe_payment_token"] }, stripe_payment_token: STRING },
            },
          }),
        ),
      },
      responses: { 200: resource, 400: error },
    },
    get: {
      operationId: "listResources",
      parameters: [version, requiredQuery("project_id")],
      responses: success(
        object(["data"], {
          data: list(
            object(["status", "id", "service_id", "project_id"], {
              ...{ status: STRING, id: STRING, service_id: STRING, project_id: STRING },
            }),
          ),
        }),
      ),
    },
  },
  "/provisioning/deep_links": {
    post: {
      operationId: "createDeepLink",
      parameters: [version],
      requestBody: { required: true, ...json(object(["purpose"], { purpose: STRING, path: STRING })) },
      responses: {
        ...success(object(["purpose", "url", "expires_at"], { purpose: STRING, url: STRING, expires_at: DATE_TIME })),
        403: error,
      },
    },
  },
  "/oauth/revoke": {
    post: {
      operationId: "revokeToken",
      requestBody: {
        required: true,
        ...form(
          object(["token", "client_id"], {
            token: STRING,
            token_type_hint: { enum: ["refresh_token", "access_token"] },
            client_id: STRING,
          }),
        ),
      },
      responses: { 200: { description: "ok" } },
    },
  },
};
