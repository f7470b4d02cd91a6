import type { JsonRecord } from "./records.ts";

/**
 * Paths, or methods of paths, that an adapter calls but the vendor's OpenAPI description lacks, keyed by the
 * description's file.
 */
export const MISSING_PATHS: Readonly<Record<string, JsonRecord>> = {
  "pruned/neon.json": {
    // https://api-docs.neon.tech/reference/createprojectbranchrole
    "/projects/{project_id}/branches/{branch_id}/roles": {
      post: {
        operationId: "createProjectBranchRole",
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: {
                type: "object",
                required: ["role"],
                properties: {
                  role: {
                    type: "object",
                    required: ["name"],
                    properties: {
                      name: { type: "string", maxLength: 63 },
                      no_login: { type: "boolean" },
                    },
                  },
                },
              },
            },
          },
        },
        responses: {
          201: {
            description: "ok",
            content: {
              "application/json": { schema: { $ref: "#/components/schemas/RoleOperations" } },
            },
          },
        },
      },
    },
    // https://neon.com/docs/reference/api/consumption/get-consumption-history-per-project-v2
    "/consumption_history/v2/projects": {
      get: {
        operationId: "getConsumptionHistoryPerProjectV2",
        parameters: [
          requiredQueryParameter("from", { type: "string", format: "date-time" }),
          requiredQueryParameter("to", { type: "string", format: "date-time" }),
          requiredQueryParameter("granularity", { enum: ["hourly", "daily", "monthly"] }),
          requiredQueryParameter("org_id", { type: "string" }),
          requiredQueryParameter("metrics", { type: "string" }),
          queryParameter("project_ids", { type: "string" }),
          queryParameter("limit", { type: "integer", minimum: 1, maximum: 100 }),
          queryParameter("cursor", { type: "string" }),
        ],
        responses: {
          200: {
            description: "ok",
            content: {
              "application/json": {
                schema: {
                  type: "object",
                  required: ["projects"],
                  properties: { projects: { type: "array", items: { type: "object" } } },
                },
              },
            },
          },
        },
      },
    },
  },
  "handwritten/bridge.yaml": {
    // https://apidocs.bridge.xyz/api-reference/customers
    "/customers": {
      get: {
        operationId: "listCustomers",
        parameters: [
          queryParameter("limit", { type: "integer", minimum: 1, maximum: 100 }),
          queryParameter("starting_after", { type: "string" }),
          queryParameter("ending_before", { type: "string" }),
          queryParameter("email", { type: "string" }),
        ],
        responses: {
          200: {
            description: "ok",
            content: {
              "application/json": {
                schema: {
                  type: "object",
                  required: ["count", "data"],
                  properties: {
                    count: { type: "integer" },
                    data: { type: "array", items: { type: "object" } },
                  },
                },
              },
            },
          },
        },
      },
    },
  },
};

function queryParameter(name: string, schema: object): object {
  return { name, in: "query", required: false, schema };
}

function requiredQueryParameter(name: string, schema: object): object {
  return { name, in: "query", required: true, schema };
}
