import type { Purser } from "@purser/sdk";
import { CliError, EXIT_CODES } from "../cli-error.ts";
import type { Context } from "../context.ts";
import { camelCase, kebabCase } from "../name-case.ts";
import { askText } from "../prompts.ts";
import { factsOf } from "./command-facts.ts";
import { type BodyField, bodyFields, contentOf, jsonOf } from "./request-options.ts";
import type { Operation } from "./table.ts";

/** The values of a command's options, by the parser's names. */
export type OptionValues = Readonly<Record<string, unknown>>;

export interface OperationRequest {
  readonly path: string;
  readonly query: Readonly<Record<string, string | number | boolean>>;
  readonly body: Readonly<Record<string, unknown>> | undefined;
  readonly agentId: string | undefined;
}

/**
 * Builds a request from what was typed. Ids of the project and the agent come from the folder if they were not typed. Asks
 * for required fields if it can.
 *
 * @throws CliError that names what is missing.
 */
export async function requestOf(
  operation: Operation,
  { values, args }: { values: OptionValues; args: readonly (string | undefined)[] },
  context: Context,
): Promise<OperationRequest> {
  const { positionals, positionalField } = positionalsOf(operation);
  const typed = new Map(positionals.map(({ name }, index) => [name, args[index]]));
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    segment(typed.get(name) ?? context.requireProject()),
  );
  const query = pick(
    operation.query.map(({ name }) => name),
    values,
  ) as OperationRequest["query"];
  const fields = bodyFields(operation);
  if (operation.body === undefined || fields.length === 0) {
    return { path, query, body: operation.body && {}, agentId: context.agentId };
  }
  const positional = positionalField === undefined ? undefined : args[positionals.length];
  const body = {
    ...wholeBody(values),
    ...(positionalField !== undefined &&
      positional !== undefined && {
        [positionalField]: positionalField === "value" ? contentOf(positional) : positional,
      }),
    ...pick(
      fields.map(({ name }) => name),
      values,
    ),
  };
  const complete = await withRequiredFields(fields, body, context);
  const agentId =
    typeof complete["agent_id"] === "string" && operation.requiresAgent ? complete["agent_id"] : context.agentId;
  return { path, query, body: complete, agentId };
}

/** Returns what is written without options, in order: the ids of the path, then one field of the body. */
export function positionalsOf(operation: Operation): {
  readonly positionals: readonly { readonly name: string; readonly isRequired: boolean }[];
  readonly positionalField: string | undefined;
} {
  const isOfProjects = operation.sdk[0] === "projects" && operation.sdk.length === 2;
  const positionals = operation.pathParameters
    // A project is usually that of the folder, so it is an option: `purser services remove srv_…`.
    .filter(({ name }) => name !== "project_id" || isOfProjects)
    .map(({ name }) => ({ name, isRequired: name !== "project_id" }));
  return { positionals, positionalField: factsOf(operation).positional };
}

export async function send(
  client: Purser,
  operation: Operation,
  request: OperationRequest,
  options: { readonly idempotencyKey?: string | undefined; readonly signal: AbortSignal },
): Promise<unknown> {
  const { path, query, body, agentId } = request;
  const method = operation.method.toLowerCase() as "get" | "post" | "put" | "patch" | "delete";
  return client[method](path, { query, ...(body && { body }) }, { ...options, agentId });
}

function wholeBody({ data }: OptionValues): Readonly<Record<string, unknown>> {
  if (typeof data !== "string") return {};
  const body = jsonOf(contentOf(data));
  if (typeof body === "object" && body !== null && !Array.isArray(body)) return body as Record<string, unknown>;
  throw new CliError({ message: "--data must be a JSON object.", code: "invalid_data", exitCode: EXIT_CODES.usage });
}

async function withRequiredFields(
  fields: readonly BodyField[],
  body: Readonly<Record<string, unknown>>,
  { agentId, terminal }: Context,
): Promise<Readonly<Record<string, unknown>>> {
  const complete: Record<string, unknown> = { ...body };
  const missing = fields.filter(({ name, isRequired }) => isRequired && complete[name] === undefined);
  for (const { name, isSecret, schema } of missing) {
    if (name === "agent_id" && agentId !== undefined) complete[name] = agentId;
    else if (schema.type === "string" && terminal.canAsk)
      complete[name] = await askText(name.replaceAll("_", " "), { isSecret });
  }
  const left = missing.filter(({ name }) => complete[name] === undefined);
  if (left.length === 0) return complete;
  throw new CliError({
    message: `Missing: ${left.map(({ name }) => `--${kebabCase(name)}`).join(", ")}.`,
    code: "option_missing",
    exitCode: EXIT_CODES.usage,
    nextSteps: ["Add --help to the command for its options."],
  });
}

/** Returns the values that were typed, by the API's names. */
function pick(names: readonly string[], values: OptionValues): Record<string, unknown> {
  return Object.fromEntries(
    names.map((name) => [name, values[camelCase(name)]] as const).filter(([, value]) => value !== undefined),
  );
}

function segment(id: string): string {
  if (id !== "" && id !== "." && id !== "..") return encodeURIComponent(id);
  throw new CliError({ message: `"${id}" is no id.`, code: "invalid_id", exitCode: EXIT_CODES.usage });
}
