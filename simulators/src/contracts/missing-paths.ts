import { AGENTIC_PATHS } from "./agentic-paths.ts";
import { PLAID_PATHS } from "./plaid-paths.ts";
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
  "pruned/stripe.json": {
    // https://docs.stripe.com/api/invoices/invoice_lines
    "/v1/invoices/{invoice}/lines": {
      get: {
        operationId: "GetInvoicesInvoiceLines",
        parameters: [
          { name: "invoice", in: "path", required: true, schema: { type: "string" } },
          queryParameter("limit", { type: "integer", minimum: 1, maximum: 100 }),
          queryParameter("starting_after", { type: "string" }),
        ],
        responses: {
          200: {
            description: "ok",
            content: {
              "application/json": {
                schema: {
                  type: "object",
                  required: ["data", "has_more", "object", "url"],
                  properties: {
                    data: { type: "array", items: { $ref: "#/components/schemas/line_item" } },
                    has_more: { type: "boolean" },
                  },
                },
              },
            },
          },
        },
      },
    },
    // https://docs.stripe.com/api/payment_methods/create
    "/v1/payment_methods": {
      post: {
        operationId: "PostPaymentMethods",
        requestBody: {
          content: {
            "application/x-www-form-urlencoded": {
              schema: {
                type: "object",
                required: ["type"],
                properties: {
                  type: { type: "string" },
                  card: { type: "object" },
                  billing_details: { type: "object" },
                },
              },
            },
          },
        },
        responses: {
          200: {
            description: "ok",
            content: {
              "application/json": { schema: { $ref: "#/components/schemas/payment_method" } },
            },
          },
        },
      },
    },
    // https://docs.stripe.com/api/refunds/create
    "/v1/refunds": {
      post: {
        operationId: "PostRefunds",
        requestBody: {
          content: {
            "application/x-www-form-urlencoded": {
              schema: {
                type: "object",
                required: ["charge"],
                properties: { charge: { type: "string" }, amount: { type: "integer" } },
              },
            },
          },
        },
        responses: {
          200: {
            description: "ok",
            content: {
              "application/json": { schema: { $ref: "#/components/schemas/refund" } },
            },
          },
        },
      },
    },
  },
  "pruned/plaid.json": PLAID_PATHS,
  "handwritten/agentic-provisioning-0.1d.yaml": AGENTIC_PATHS,
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
    // https://apidocs.bridge.xyz/api-reference/customers/get-all-transfers
    "/customers/{customerID}/transfers": {
      get: {
        operationId: "listCustomerTransfers",
        parameters: [
          { name: "customerID", in: "path", required: true, schema: { $ref: "#/components/schemas/Id" } },
          queryParameter("limit", { type: "integer", minimum: 1, maximum: 100 }),
          queryParameter("starting_after", { type: "string" }),
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
                    data: { type: "array", items: { $ref: "#/components/schemas/Transfer" } },
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
