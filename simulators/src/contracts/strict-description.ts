import { closedSchema } from "./closed-schema.ts";
import { isRecord, type JsonRecord, mapValues, memberOf } from "./records.ts";

/** Request types that are newer than the description. */
export interface NewerRequests {
  /** JSON schemas, which refer to one another as `#/definitions/NAME`. */
  readonly definitions: JsonRecord;
  /** Which of them is the body of which operation. */
  readonly bodies: Readonly<Record<string, string>>;
}

/**
 * The description as we hold requests against it: bodies refuse what they do not name, and are the newer ones where those
 * are given. What it says of answers stays as it is.
 */
export function strictDescription(description: JsonRecord, newer: NewerRequests): JsonRecord {
  const components = memberOf(description, "components");
  const schemas = memberOf(components, "schemas");
  const bodyOf = (operation: JsonRecord, schema: unknown) => {
    const definition = newer.bodies[String(operation["operationId"])];
    return definition === undefined
      ? closedSchema(schema, twinIn("closed"))
      : { $ref: placeOf("newer", definition) };
  };
  return {
    ...description,
    paths: mapValues(memberOf(description, "paths"), (path) =>
      isRecord(path) ? mapValues(path, (operation) => withBody(operation, bodyOf)) : path,
    ),
    components: {
      ...components,
      schemas: { ...schemas, ...twins("closed", schemas), ...twins("newer", newer.definitions) },
    },
  };
}

function withBody(
  operation: unknown,
  bodyOf: (operation: JsonRecord, schema: unknown) => unknown,
): unknown {
  // Beside the operations of a path stands the list of its parameters.
  if (!isRecord(operation) || !isRecord(operation["requestBody"])) return operation;
  const content = mapValues(memberOf(operation["requestBody"], "content"), (media) =>
    isRecord(media) ? { schema: bodyOf(operation, media["schema"]) } : media,
  );
  return { ...operation, requestBody: { ...operation["requestBody"], content } };
}

type Kind = "closed" | "newer";

function twins(kind: Kind, schemas: JsonRecord): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      twinName(kind, name),
      closedSchema(schema, twinIn(kind)),
    ]),
  );
}

function twinIn(kind: Kind): (reference: string) => string {
  return (reference) => placeOf(kind, decodeURIComponent(reference.split("/").at(-1) ?? ""));
}

function placeOf(kind: Kind, name: string): string {
  return `#/components/schemas/${twinName(kind, name)}`;
}

// Names such as `Emptyable<"manual">` would have to be escaped in references, which libraries do in different ways.
function twinName(kind: Kind, name: string): string {
  return `${kind}.${name.replace(/[^\w-]/g, (character) => `.${character.codePointAt(0)}.`)}`;
}
