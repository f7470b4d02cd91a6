import { expect, it } from "vitest";
import { openapiDocument as document } from "../../test/every-route.ts";

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly object[];
  readonly requestBody?: object;
  readonly "x-codeSamples"?: readonly object[];
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}
type Content = Readonly<Record<string, { readonly schema: { readonly $ref?: string } }>>;

const operations = Object.values<Record<string, Operation>>(document.paths).flatMap((methods) =>
  Object.values(methods),
);

/** Returns true if a schema in the value, or a component to which it refers, has a default. */
function hasDefault(node: unknown): boolean {
  if (typeof node !== "object" || node === null) return false;
  const { $ref, properties, ...rest } = node as Readonly<Record<string, unknown>>;
  const referred = typeof $ref === "string" && hasDefault(document.components.schemas[$ref.split("/").at(-1) ?? ""]);
  const inner = [...Object.values(properties ?? {}), ...Object.values(rest)];
  return referred || "default" in rest || inner.some(hasDefault);
}

// A dashboard session captures, voids and refunds without it.
it("requires X-Agent-ID exactly where the server does for every credential: to pay and simulate", () => {
  const requiring = operations.filter((one) =>
    one.parameters?.some(
      (parameter) => "$ref" in parameter && parameter.$ref === "#/components/parameters/RequiredAgentId",
    ),
  );

  expect(requiring.map((one) => one.operationId).sort()).toEqual(["sendPayment", "simulatePayment"]);
});

it("names the schema of every JSON response", () => {
  const unnamed = operations.flatMap(({ operationId, responses }) =>
    Object.entries(responses)
      .filter(([status, { content }]) => {
        const schema = content?.["application/json"]?.schema;
        return status.startsWith("2") && schema !== undefined && schema.$ref === undefined;
      })
      .map(([status]) => `${operationId} ${status}`),
  );

  expect(operations.length).toBeGreaterThan(70);
  expect(unnamed).toEqual([]);
});

it("has no two types whose generated names are equal, ignoring case", () => {
  const schemas = Object.entries<{ readonly properties?: Readonly<Record<string, object>> }>(
    document.components.schemas,
  );
  // Generators name the type of a property after its schema and the property.
  const ofProperties = schemas.flatMap(([name, { properties = {} }]) =>
    Object.entries(properties)
      .filter(([, property]) => "enum" in property || "properties" in property)
      .map(([property]) => `${name}${property.replaceAll("_", "")}`),
  );
  const names = [...schemas.map(([name]) => name), ...ofProperties].map((name) => name.toLowerCase());

  expect(ofProperties.length).toBeGreaterThan(100);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

it("has no default in a request, because generated types would then require the field", () => {
  const withDefault = operations.filter((one) => hasDefault([one.parameters, one.requestBody]));

  expect(withDefault.map((one) => one.operationId)).toEqual([]);
});

it("shows how to call every signed operation with the SDKs and with curl", () => {
  const signed = operations.filter(({ security }) => security.some((one) => "apiKey" in one));

  expect(signed.length).toBeGreaterThan(35);
  expect(signed.filter((one) => one["x-codeSamples"]?.length !== 3)).toEqual([]);
});

it("has summaries of at most six words, without a full stop", () => {
  const summaries = operations.map(({ summary }) => summary);

  expect(summaries.filter((summary) => !/^[A-Z]\S*( \S+){1,5}$/.test(summary))).toEqual([]);
  expect(summaries.filter((summary) => summary.endsWith("."))).toEqual([]);
});

it("gives every operation one tag, which the document describes", () => {
  const tags: readonly { name: string; description?: string }[] = document.tags;
  const described = tags.filter(({ description }) => description).map(({ name }) => name);

  expect(operations.filter((one) => one.tags.length !== 1)).toEqual([]);
  expect(described).toEqual(expect.arrayContaining(operations.flatMap((one) => one.tags)));
});
