import { AGENTIC_PATHS } from "./agentic-paths.ts";
import {
  BOOLEAN,
  DATE_TIME,
  form,
  json,
  list,
  object,
  PAGE_LIMIT,
  pathParameter,
  query,
  requiredQuery,
  STRING,
  schemaRef,
  success,
} from "./describe-operation.ts";
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
          ...json(
            object(["role"], { role: object(["name"], { name: { ...STRING, maxLength: 63 }, no_login: BOOLEAN }) }),
          ),
        },
        responses: success(schemaRef("RoleOperations"), 201),
      },
    },
    // https://neon.com/docs/reference/api/consumption/get-consumption-history-per-project-v2
    "/consumption_history/v2/projects": {
      get: {
        operationId: "getConsumptionHistoryPerProjectV2",
        parameters: [
          requiredQuery("from", DATE_TIME),
          requiredQuery("to", DATE_TIME),
          requiredQuery("granularity", { enum: ["hourly", "daily", "monthly"] }),
          requiredQuery("org_id"),
          requiredQuery("metrics"),
          query("project_ids"),
          query("limit", PAGE_LIMIT),
          query("cursor"),
        ],
        responses: success(object(["projects"], { projects: list() })),
      },
    },
  },
  "pruned/stripe.json": {
    // https://docs.stripe.com/api/invoices/invoice_lines
    "/v1/invoices/{invoice}/lines": {
      get: {
        operationId: "GetInvoicesInvoiceLines",
        parameters: [pathParameter("invoice"), query("limit", PAGE_LIMIT), query("starting_after")],
        responses: success(
          object(["data", "has_more", "object", "url"], { data: list(schemaRef("line_item")), has_more: BOOLEAN }),
        ),
      },
    },
    // https://docs.stripe.com/api/payment_methods/create
    "/v1/payment_methods": {
      post: {
        operationId: "PostPaymentMethods",
        requestBody: form(
          object(["type"], { type: STRING, card: { type: "object" }, billing_details: { type: "object" } }),
        ),
        responses: success(schemaRef("payment_method")),
      },
    },
    // https://docs.stripe.com/api/refunds/create
    "/v1/refunds": {
      post: {
        operationId: "PostRefunds",
        requestBody: form(object(["charge"], { charge: STRING, amount: { type: "integer" } })),
        responses: success(schemaRef("refund")),
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
        parameters: [query("limit", PAGE_LIMIT), query("starting_after"), query("ending_before"), query("email")],
        responses: success(object(["count", "data"], { count: { type: "integer" }, data: list() })),
      },
    },
    // https://apidocs.bridge.xyz/api-reference/customers/get-all-transfers
    "/customers/{customerID}/transfers": {
      get: {
        operationId: "listCustomerTransfers",
        parameters: [pathParameter("customerID", schemaRef("Id")), query("limit", PAGE_LIMIT), query("starting_after")],
        responses: success(
          object(["count", "data"], { count: { type: "integer" }, data: list(schemaRef("Transfer")) }),
        ),
      },
    },
  },
};
