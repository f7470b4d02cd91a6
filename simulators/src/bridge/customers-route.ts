import { Type } from "typebox";
import { isSandboxKey } from "../kit/sandbox-key.ts";
import type { VendorRoute } from "../kit/vendor-simulator.ts";

const Query = Type.Object(
  {
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    starting_after: Type.Optional(Type.String()),
    ending_before: Type.Optional(Type.String()),
    email: Type.Optional(Type.String()),
  },
  { additionalProperties: false },
);

/** Lists the account's customers. The list is always empty. */
export const customersRoute: VendorRoute = {
  operation: "listCustomers",
  method: "GET",
  url: "/v0/customers",
  query: Query,
  auth: async ({ headers }) => {
    const apiKey = headers["api-key"];
    return isSandboxKey(apiKey) ? apiKey : undefined;
  },
  handle: async () => ({ status: 200, body: { count: 0, data: [] } }),
};
