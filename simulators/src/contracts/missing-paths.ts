import type { JsonRecord } from "./records.ts";

/** Paths that an adapter calls but the vendor's OpenAPI description lacks, keyed by the description's file. */
export const MISSING_PATHS: Readonly<Record<string, JsonRecord>> = {
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
