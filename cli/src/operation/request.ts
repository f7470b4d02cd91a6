import type { Purser } from "@purser/sdk";
import { CliError, EXIT_CODES } from "../cli-error.ts";
import type { Context } from "../context.ts";
import { camelCase, kebabCase } from "../name-case.ts";
import { cleanText } from "../output/human.ts";
import { askChoice, askText } from "../prompts.ts";
import { factsOf } from "./command-facts.ts";
import { type BodyField, bodyFields, contentOf, jsonOf, kindsOf } from "./request-options.ts";
import { type Operation, operations } from "./table.ts";

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
 * for what else is required if it can.
 *
 * @throws CliError that names what is missing.
 */
export async function requestOf(
  operation: Operation,
  { values, args }: { values: OptionValues; args: readonly (string | undefined)[] },
  context: Context,
): Promise<OperationRequest> {
  const { positionals, positionalField } = positionalsOf(operation);
  const path = await typedPathOf(operation, args, context);
  const query = pick(
    operation.query.map(({ name }) => name),
    values,
  ) as OperationRequest["query"];
  const fields = bodyFields(operation);
  if (operation.body === undefined || fields.length === 0) {
    return { path, query, body: operation.body && {}, agentId: await agentOf(operation, {}, context) };
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
  const complete = await withRequiredFields(operation, body, context);
  return { path, query, body: complete, agentId: await agentOf(operation, complete, context) };
}

async function agentOf(
  operation: Operation,
  { agent_id: agentId }: Readonly<Record<string, unknown>>,
  context: Context,
): Promise<string | undefined> {
  if (operation.requiresAgent && typeof agentId === "string") return agentId;
  const { needsAgent = false } = factsOf(operation);
  return context.agentId ?? (needsAgent ? await askId(["agents"], "agent", context) : undefined);
}

async function typedPathOf(
  operation: Operation,
  args: readonly (string | undefined)[],
  context: Context,
): Promise<string> {
  const typed = new Map<string, string | undefined>();
  for (const [index, { name, isRequired }] of positionalsOf(operation).positionals.entries()) {
    const asked = isRequired && args[index] === undefined;
    typed.set(name, asked ? await askId(operation.sdk, name, context) : args[index]);
  }
  return pathOf(operation, typed, context);
}

function pathOf({ path }: Operation, typed: ReadonlyMap<string, string | undefined>, context: Context): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => segment(typed.get(name) ?? context.requireProject()));
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
  operation: Operation,
  body: Readonly<Record<string, unknown>>,
  context: Context,
): Promise<Readonly<Record<string, unknown>>> {
  const { agentId, terminal } = context;
  const { positional } = factsOf(operation);
  const fields = bodyFields(operation);
  const takesAgent = agentId !== undefined && fields.some(({ name, isRequired }) => name === "agent_id" && isRequired);
  const complete: Record<string, unknown> = { ...(takesAgent && { agent_id: agentId }), ...body };
  const missing = fields.filter(
    ({ name, isRequired }) => (isRequired || name === positional) && complete[name] === undefined,
  );
  if (missing.length > 0 && !(terminal.canAsk && missing.every(canBeTyped))) {
    throw optionMissing(missing.map(({ name }) => `--${kebabCase(name)}`).join(", "));
  }
  for (const field of missing) {
    const isAgent = field.name === "agent_id";
    complete[field.name] = isAgent ? await askId(["agents"], "agent", context) : await askField(field);
  }
  return complete;
}

function canBeTyped({ schema }: BodyField): boolean {
  return schema.enum !== undefined || kindsOf(schema).has("string");
}

function askField({ name, isSecret, schema }: BodyField): Promise<string> {
  const question = name.replaceAll("_", " ");
  if (schema.enum === undefined) return askText(question, { isSecret });
  return askChoice(
    question,
    schema.enum.map((value) => ({ value: String(value), label: String(value) })),
  );
}

/** Lets the person choose among the objects that the group of an operation lists. The agent is an option, not an argument. */
async function askId(sdk: readonly string[], name: string, context: Context): Promise<string> {
  const isAgent = sdk.length === 1;
  if (!context.terminal.canAsk) throw optionMissing(isAgent ? "--agent" : `<${name}>`);
  const group = isAgent ? sdk : sdk.slice(0, -1);
  const list = operations().find((one) => one.sdk.join(".") === [...group, "list"].join("."));
  const id = isAgent ? "agent_id" : name;
  const rows = list === undefined ? [] : await listOf(list, context);
  const choices = rows.flatMap((row) =>
    typeof row[id] === "string" ? [{ value: row[id], label: labelOf(row, id) }] : [],
  );
  return choices.length > 0 ? askChoice(id.replaceAll("_", " "), choices) : askText(id.replaceAll("_", " "));
}

type Row = Readonly<Record<string, unknown>>;

async function listOf(list: Operation, context: Context): Promise<readonly Row[]> {
  const request = { path: pathOf(list, new Map(), context), query: {}, body: undefined, agentId: context.agentId };
  const page = await send(await context.client(), list, request, { signal: context.signal });
  return (page as { readonly data: readonly Row[] }).data;
}

function labelOf(row: Row, id: string): string {
  const { title } = Object(row["summary"]);
  const parts = [
    row["name"],
    row["service"],
    row["provider"],
    title,
    row["network"],
    row["amount"],
    row["status"],
    row[id],
  ];
  return cleanText(parts.filter((part) => typeof part === "string").join("  "));
}

function optionMissing(what: string): CliError {
  return new CliError({
    message: `Missing: ${what}.`,
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
