import { closedSchema } from "./closed-schema.ts";
import { isRecord, type JsonRecord, mapValues, memberOf } from "./records.ts";

/** Request types that are newer than the vendor's OpenAPI description. */
export interface NewerRequests {
  /** JSON schemas that refer to each other as `#/definitions/NAME`. */
  readonly definitions: JsonRecord;
  /** Maps an operation's ID to the name of the definition that describes its request body. */
  readonly bodies: Readonly<Record<string, string>>;
}

/**
 * Returns the description with stricter request bodies: they reject unknown fields, and the operations in
 * `newer.bodies` use the newer types. Response schemas are not changed.
 */
export function strictDescription(description: JsonRecord, newer: NewerRequests): JsonRecord {
  const components = memberOf(description, "components");
  const schemas = memberOf(components, "schemas");
  const bodyOf = (operation: JsonRecord, schema: unknown) => {
    const definition = newer.bodies[String(operation["operationId"])];
    return definition === undefined
      ? closedSchema(schema, referenceTo("closed"))
      : { $ref: pathOf("newer", definition) };
  };
  return {
    ...description,
    paths: mapValues(memberOf(description, "paths"), (path) =>
      isRecord(path) ? mapValues(path, (operation) => withStrictBody(operation, bodyOf)) : path,
    ),
    components: {
      ...components,
      schemas: { ...schemas, ...copies("closed", schemas), ...copies("newer", newer.definitions) },
    },
  };
}

function withStrictBody(operation: unknown, bodyOf: (operation: JsonRecord, schema: unknown) => unknown): unknown {
  // A path item also contains members that are not operations, for example its list of parameters.
  if (!isRecord(operation) || !isRecord(operation["requestBody"])) return operation;
  const content = mapValues(memberOf(operation["requestBody"], "content"), (media) =>
    isRecord(media) ? { schema: bodyOf(operation, media["schema"]) } : media,
  );
  return { ...operation, requestBody: { ...operation["requestBody"], content } };
}

type Kind = "closed" | "newer";

function copies(kind: Kind, schemas: JsonRecord): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [copyName(kind, name), closedSchema(schema, referenceTo(kind))]),
  );
}

function referenceTo(kind: Kind): (reference: string) => string {
  return (reference) => pathOf(kind, decodeURIComponent(reference.split("/").at(-1) ?? ""));
}

function pathOf(kind: Kind, name: string): string {
  return `#/components/schemas/${copyName(kind, name)}`;
}

// A reference to a name such as `Emptyable<"manual">` would need escaping, and libraries escape it differently. Special
// characters in names are therefore replaced.
function copyName(kind: Kind, name: string): string {
  return `${kind}.${name.replace(/[^\w-]/g, (character) => `.${character.codePointAt(0)}.`)}`;
}
