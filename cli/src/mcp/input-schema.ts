import { findOperation, resolveSchema, type Schema } from "../operation/table.ts";
import { hintsOf, type Tool, type ToolSettings } from "./tool.ts";

/** The keywords that help a model. The API checks the rest, such as patterns. */
const KEYWORDS = ["type", "enum", "description", "minimum", "maximum", "minItems", "maxItems", "required"];
const DESCRIPTION_CHARACTERS_MAX = 160;
const AGENT_ID = { type: "string", description: "The UUID of the agent that acts. Default: the key's only agent." };
const IDEMPOTENCY_KEY = {
  type: "string",
  description: "A UUID of your choice. A call that is repeated with the same idempotency_key never runs or pays twice.",
};

export interface InputSchema extends Schema {
  readonly type: "object";
  readonly properties: Readonly<Record<string, Schema>>;
  readonly required: readonly string[];
}

/**
 * Returns the arguments of a tool: the parts of the operation's path, query and body that the tool has, and its own.
 * A project and an agent that the settings contain need not be sent, and the agent cannot be another one.
 */
export function inputSchemaOf(tool: Tool, { agentId, projectId }: ToolSettings): InputSchema {
  const { method, pathParameters, query, body = {} } = findOperation(tool.operation);
  const { properties, required = [] } = resolveSchema(body);
  const parameters = [...pathParameters, ...query].map(({ name, schema, ...more }) => [name, { ...schema, ...more }]);
  const all = { ...properties, ...Object.fromEntries(parameters), ...tool.ownInputs, agent_id: AGENT_ID };
  const ids = pathParameters.map(({ name }) => name);
  const others = tool.inputs?.split(" ") ?? [];
  const names = [...ids, ...others, ...Object.keys(tool.ownInputs ?? {})].filter(
    (one) => !agentId || one !== "agent_id",
  );
  const isRequired = new Set([...ids, ...required, ...(tool.required ?? [])]);
  for (const name of ["agent_id", ...(projectId ? ["project_id"] : [])]) isRequired.delete(name);
  const hasKey = method === "POST" && !hintsOf(tool).readOnlyHint;
  return {
    type: "object",
    properties: {
      ...Object.fromEntries(names.map((name) => [name, shorten(all[name], tool.defaults?.[name])])),
      ...(hasKey && { idempotency_key: IDEMPOTENCY_KEY }),
    },
    required: names.filter((name) => isRequired.has(name)),
    additionalProperties: false,
  };
}

/** Returns what a model reads about a tool. A model does not choose the scopes of its key. */
export function descriptionOf(tool: Tool): string {
  return tool.does ?? firstSentences(findOperation(tool.operation).description.replace(/ Requires the scope `.*$/, ""));
}

/** Returns a schema without references, with few keywords and short descriptions. */
function shorten(referring: Schema, defaultValue?: unknown): Schema {
  const schema = resolveSchema(referring);
  const { properties = {}, items, additionalProperties, format } = schema;
  const { description: text = "" } = schema;
  const description = firstSentences(defaultValue === undefined ? text : text.replace(/ Default: .*/, ""));
  const inner = Object.entries(properties).map(([name, one]) => [name, shorten(one)] as const);
  return {
    ...Object.fromEntries(Object.entries(schema).filter(([keyword]) => KEYWORDS.includes(keyword))),
    // The API also accepts numbers. A model that writes strings loses no digits.
    ...(format === "decimal" && { type: "string" }),
    ...(description && { description }),
    ...(defaultValue !== undefined && { default: defaultValue }),
    ...(inner.length > 0 && { properties: Object.fromEntries(inner) }),
    ...(items && { items: shorten(items) }),
    ...(additionalProperties === false && { additionalProperties }),
  };
}

function firstSentences(text: string): string {
  const [first = "", ...others] = text.split(/(?<=\.) (?=[A-Z`])/);
  return others.reduce((short, next) => {
    const longer = `${short} ${next}`;
    return longer.length > DESCRIPTION_CHARACTERS_MAX ? short : longer;
  }, first);
}
