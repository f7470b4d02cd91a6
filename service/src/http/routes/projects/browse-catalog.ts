import { Type } from "typebox";
import { NamedObject, Nullable, Text } from "../../../foundation/wire/fields.ts";
import { browseCatalog } from "../../../modules/catalog/browse-catalog.ts";
import { CatalogProvider } from "../../../modules/catalog/catalog.ts";
import { CursorQuery, decodeCursor, LIMIT_DEFAULT, presentPage } from "../../cursor.ts";
import { endpoint } from "../../route.ts";

const PROVIDER_FORM = /^[a-z][a-z0-9_-]{0,63}$/;

export const browseCatalogRoute = endpoint("GET /api/v1/svc/projects/catalog", {
  operationId: "browseCatalog",
  sdk: "projects.catalog",
  summary: "List catalog providers",
  description:
    "Returns the providers that can be linked, sorted by id, with their services, plans, prices and regions. If several filters are set, only providers that match all of them are returned.",
  auth: "tenant",
  scope: "projects:read",
  agentBound: "allowed",
  projectBound: "allowed",
  query: Type.Object(
    {
      q: Type.Optional(
        Text("Text to search for in names, categories, services and descriptions, ignoring case.", {
          minLength: 1,
          maxLength: 100,
        }),
      ),
      category: Type.Optional(Text("A category, for example `database`.", { minLength: 1, maxLength: 64 })),
      provider: Type.Optional(Text("Return only the provider with this id.", { minLength: 1, maxLength: 64 })),
      ...CursorQuery.properties,
    },
    { additionalProperties: false },
  ),
  answers: {
    200: NamedObject("Catalog", {
      object: Type.Literal("list"),
      catalog_version: Text("Catalog version, a `YYYY-MM-DD` date."),
      data: Type.Array(CatalogProvider),
      has_more: Type.Boolean(),
      next_cursor: Nullable(Type.String()),
    }),
  },
  run: async (app, request) => {
    const { cursor, limit = LIMIT_DEFAULT, ...filters } = request.query;
    const afterProvider = decodeCursor(cursor, PROVIDER_FORM);
    const { version, providers, hasMore } = browseCatalog(app, {
      ...filters,
      afterProvider,
      limit,
    });
    return {
      ...presentPage({ items: providers, hasMore }, (entry) => entry, "provider"),
      catalog_version: version,
    };
  },
});
