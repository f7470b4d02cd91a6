import { randomUUID } from "node:crypto";
import { Type } from "typebox";
import type { VendorErrors, VendorRequest, VendorRoute, VendorSimulator } from "../src/kit/vendor-simulator.ts";

/** A fictitious vendor for testing the code that all simulators share. Its API key is `teapot-key`. */
export function exampleVendor(changes: Partial<VendorSimulator> = {}): VendorSimulator {
  return {
    vendor: "teapot",
    displayName: "Teapot",
    contractFile: "teapot.json",
    contractPrefix: "/v1",
    bodies: "json",
    magicValues: [{ value: "name <earl-grey>", effect: "is rejected" }],
    errors,
    routes: [createPot, getPot, listPots, fillPot, breakPot, loosePot],
    ...changes,
  };
}

const errorOf = (status: number, code: string, more: object = {}) => ({
  status,
  body: { code, ...more },
});

const errors: VendorErrors = {
  unauthorized: () => errorOf(401, "unauthorized"),
  invalid: (problems) => errorOf(400, "invalid", { problems }),
  notFound: () => errorOf(404, "not_found"),
  refused: () => errorOf(422, "refused"),
  duplicate: (applied) => ({
    ...errorOf(409, "exists"),
    headers: { "x-was": `${applied.status}` },
  }),
  rateLimited: () => errorOf(429, "slow_down"),
  serverError: () => errorOf(500, "broken"),
};

const PotBody = Type.Object(
  {
    name: Type.String({ minLength: 1 }),
    liters: Type.Optional(Type.Integer()),
    kind: Type.Optional(Type.Enum(["clay", "iron"])),
  },
  { additionalProperties: false },
);
const FillBody = Type.Object(
  {
    liters: Type.Integer(),
    boiling: Type.Optional(Type.Boolean()),
    leaves: Type.Optional(Type.Object({ kinds: Type.Array(Type.String()) }, { additionalProperties: false })),
  },
  { additionalProperties: false },
);

const auth = async ({ headers }: VendorRequest) =>
  headers.authorization === "Bearer teapot-key" ? { account: "tea" } : undefined;

const createPot: VendorRoute = {
  operation: "createPot",
  method: "POST",
  url: "/v1/pots",
  body: PotBody,
  auth,
  handle: async ({ body, caller }, { objects }) => {
    const id = randomUUID();
    const data = { asked: body, caller, secret: { lid: "shut-it" } };
    await objects.insert({ type: "pot", id, state: "empty", data });
    return { status: 201, body: { id }, headers: { "x-pot": "new" } };
  },
};

const getPot: VendorRoute = {
  operation: "getPot",
  method: "GET",
  url: "/v1/pots/:pot_id",
  auth,
  handle: async ({ params }, { objects }) => {
    const pot = await objects.find("pot", params["pot_id"] ?? "");
    return pot ? { status: 200, body: { id: pot.id, ...pot.data } } : errors.notFound();
  },
};

const listPots: VendorRoute = {
  operation: "listPots",
  method: "GET",
  url: "/v1/pots",
  query: Type.Object({ limit: Type.Optional(Type.Integer()) }, { additionalProperties: false }),
  auth,
  handle: async ({ query }) => ({ status: 200, body: { query } }),
};

const fillPot: VendorRoute = {
  operation: "fillPot",
  method: "POST",
  url: "/v1/pots/:pot_id/fill",
  bodies: "form",
  body: FillBody,
  auth,
  handle: async ({ body }) => ({ status: 200, body: { filled: body } }),
};

const breakPot: VendorRoute = {
  operation: "breakPot",
  method: "DELETE",
  url: "/v1/pots/:pot_id",
  auth,
  handle: async () => {
    throw new Error("broken");
  },
};

/**
 * Accepts any body and returns it. Tests use this route to violate the OpenAPI description in a request or a response.
 */
const loosePot: VendorRoute = {
  operation: "loosePot",
  method: "POST",
  url: "/v1/loose",
  auth,
  handle: async ({ body }) => ({ status: 200, body }),
};

const closedPot = { type: "object", required: ["name"], properties: { name: { type: "string" } } };

/** The example vendor's OpenAPI description, which lacks `fillPot`. */
export const EXAMPLE_DESCRIPTION = {
  openapi: "3.0.3",
  info: { title: "Teapot", version: "1" },
  paths: {
    "/pots": {
      post: {
        operationId: "createPot",
        requestBody: {
          required: true,
          content: { "application/json": { schema: { $ref: "#/components/schemas/NewPot" } } },
        },
        responses: { 201: { description: "Created" } },
      },
      get: { operationId: "listPots", responses: { 200: { description: "All" } } },
    },
    "/pots/{pot_id}": {
      parameters: [{ name: "pot_id", in: "path", required: true, schema: { type: "string" } }],
      get: { operationId: "getPot", responses: { 200: { description: "One" } } },
      delete: { operationId: "breakPot", responses: { 200: { description: "Deleted" } } },
    },
    "/loose": {
      post: {
        operationId: "loosePot",
        requestBody: {
          content: { "application/json": { schema: { $ref: "#/components/schemas/Loose" } } },
        },
        responses: {
          200: {
            description: "OK",
            content: { "application/json": { schema: { $ref: "#/components/schemas/Pot" } } },
          },
          default: {
            description: "Error",
            content: {
              "application/json": { schema: { type: "object", required: ["code"] } },
            },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      NewPot: {
        ...closedPot,
        properties: {
          name: { type: "string" },
          liters: { type: "integer" },
          kind: { type: "string", enum: ["clay", "iron"] },
          lid: { $ref: "#/components/schemas/Lid" },
        },
      },
      Lid: { type: "object", properties: { color: { type: "string" } } },
      Pot: closedPot,
      Loose: {
        type: "object",
        properties: {
          name: {},
          count: { type: "integer" },
          lid: { $ref: "#/components/schemas/Lid" },
          made_at: { type: "string", format: "date-time" },
          properties: { type: "string" },
          enum: { type: "object", properties: { one: { type: "string" } } },
          extra: { type: "object", additionalProperties: { type: "string" } },
        },
      },
    },
  },
};
