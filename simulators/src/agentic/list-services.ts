import { type Static, Type } from "typebox";
import type { VendorRoute } from "../kit/vendor-simulator.ts";
import { agenticError } from "./agentic-errors.ts";
import { type AgenticProviderShape, termsOf } from "./agentic-options.ts";
import { versioned } from "./versioned.ts";

const Query = Type.Object({ cursor: Type.Optional(Type.String()) }, { additionalProperties: false });

/** Lists the services, in pages if the provider has them. A cursor is the id of the page's first service. */
export function listServicesRoute(shape: AgenticProviderShape): VendorRoute {
  const { services, servicesPerPage = services.length, listsTerms } = shape;
  return {
    ...{ operation: "listServices", method: "GET", url: "/provisioning/services" },
    query: Query,
    auth: async () => "anyone",
    handle: versioned(async ({ query }) => {
      const { cursor } = query as Static<typeof Query>;
      const start = cursor === undefined ? 0 : services.findIndex(({ id }) => id === cursor);
      if (start < 0) return agenticError(400, "invalid_request", "The cursor is invalid.");
      const end = start + servicesPerPage;
      const terms = listsTerms ? { terms: termsOf(shape) } : {};
      const data = services.slice(start, end);
      return { status: 200, body: { data, next_cursor: services[end]?.id ?? null, ...terms } };
    }),
  };
}
