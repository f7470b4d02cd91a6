import type { Purser } from "@purser/sdk";
import { CliError, EXIT_CODES } from "../cli-error.ts";
import type { Context } from "../context.ts";
import { camelCase, kebabCase } from "../name-case.ts";
import { askField, askId, canAskForValues, canBeTyped, optionMissing, PROMPTS } from "./ask-missing.ts";
import { factsOf } from "./command-facts.ts";
import { type BodyField, bodyFields, contentOf, jsonOf } from "./request-options.ts";
import type { Operation } from "./table.ts";

/** How many objects a person can choose from. */
const CHOICES_MAX = 100;

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
 * for what else is required if it can, the ids first.
 *
 * @throws CliError that names what is missing.
 */
export async function requestOf(
  operation: Operation,
  typed: Typed,
  typedContext: Context,
  prompts = PROMPTS,
): Promise<OperationRequest> {
  let context = typedContext;
  const body = bodyOf(operation, typed, context);
  const missing = missingFields(operation, body);
  const canAsk = canAskForValues(context);
  const names = [...missingIds(operation, typed), ...missing.map(({ name }) => `--${kebabCase(name)}`)];
  if (names.length > 0 && !(canAsk && missing.every(canBeTyped))) throw optionMissing(names.join(", "));
  const askForId: AskForId = (group, name, shown) => {
    if (!canAsk) throw optionMissing(shown);
    return askId(group, name, {
      prompts,
      status: usableStatusOf(operation, name),
      readList: (list) => readList(list, context),
    });
  };
  if (canAsk && needsProject(operation, typed, context)) {
    const projectId = await askForId(["projects"], "project_id", "--project");
    context = { ...context, projectId, requireProject: () => projectId };
  }
  const path = await typedPathOf(operation, typed, { context, askForId });
  for (const field of missing) {
    const isAgent = field.name === "agent_id";
    body[field.name] = isAgent ? await askForId(["agents"], "agent_id", "--agent-id") : await askField(field, prompts);
  }
  return {
    ...{ path, query: queryOf(operation, typed.values), body: operation.body && body },
    agentId: await agentOf(operation, body, { context, askForId }),
  };
}

/** Returns the status that an object must have to be chosen. Undefined: any. */
function usableStatusOf({ sdk }: Operation, name: string): string | undefined {
  if (name === "agent_id" && sdk[0] !== "agents") return "active";
  return name === "approval_id" && ["approve", "deny"].includes(sdk.at(-1) ?? "") ? "pending" : undefined;
}

interface Typed {
  readonly values: OptionValues;
  readonly args: readonly (string | undefined)[];
}

/** `shown` is how the user would have written the id. */
type AskForId = (group: readonly string[], name: string, shown: string) => Promise<string>;

interface Asking {
  readonly context: Context;
  readonly askForId: AskForId;
}

function queryOf({ query }: Operation, values: OptionValues): OperationRequest["query"] {
  const names = query.map(({ name }) => name);
  return pick(names, values) as OperationRequest["query"];
}

/**
 * Returns the fields of the body that were typed, and the folder's agent if the body must have one. The folder's project is
 * not sent: an agent that is not in it can pay too.
 */
function bodyOf(operation: Operation, { values, args }: Typed, { agentId }: Context): Record<string, unknown> {
  const fields = bodyFields(operation);
  if (operation.body === undefined || fields.length === 0) return {};
  const { positionals, positionalField: field } = positionalsOf(operation);
  const positional = args[positionals.length];
  const takesAgent = agentId !== undefined && fields.some(({ name, isRequired }) => name === "agent_id" && isRequired);
  const names = fields.map(({ name }) => name);
  return {
    ...(takesAgent && { agent_id: agentId }),
    ...(names.includes("project_id") && pick(["project_id"], { projectId: values["project"] })),
    ...wholeBody(values),
    ...(field !== undefined &&
      positional !== undefined && { [field]: field === "value" ? contentOf(positional) : positional }),
    ...pick(names, values),
  };
}

function missingIds(operation: Operation, { args }: Typed): string[] {
  const { positionals } = positionalsOf(operation);
  return positionals.flatMap(({ name, isRequired }, index) =>
    isRequired && args[index] === undefined ? [`<${name}>`] : [],
  );
}

function needsProject(operation: Operation, { args }: Typed, { projectId }: Context): boolean {
  const index = positionalsOf(operation).positionals.findIndex(({ name }) => name === "project_id");
  return projectId === undefined && args[index] === undefined && operation.path.includes("{project_id}");
}

/** What can be written without an option is missing if nothing was typed: `purser add`. */
function missingFields(operation: Operation, body: Readonly<Record<string, unknown>>): readonly BodyField[] {
  const { positional } = factsOf(operation);
  const isEmpty = Object.keys(body).length === 0;
  return bodyFields(operation).filter(
    ({ name, isRequired }) => (isRequired || (isEmpty && name === positional)) && body[name] === undefined,
  );
}

async function agentOf(
  operation: Operation,
  { agent_id: agentId }: Readonly<Record<string, unknown>>,
  { context, askForId }: Asking,
): Promise<string | undefined> {
  if (operation.requiresAgent && typeof agentId === "string") return agentId;
  const { needsAgent = false } = factsOf(operation);
  return context.agentId ?? (needsAgent ? await askForId(["agents"], "agent_id", "--agent") : undefined);
}

async function typedPathOf(operation: Operation, { args }: Typed, { context, askForId }: Asking): Promise<string> {
  const ids = new Map<string, string | undefined>();
  for (const [index, { name, isRequired }] of positionalsOf(operation).positionals.entries()) {
    const isMissing = isRequired && args[index] === undefined;
    ids.set(name, isMissing ? await askForId(operation.sdk.slice(0, -1), name, `<${name}>`) : args[index]);
  }
  return pathOf(operation, ids, context);
}

function pathOf({ path }: Operation, ids: ReadonlyMap<string, string | undefined>, context: Context): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => segment(ids.get(name) ?? context.requireProject()));
}

async function readList(list: Operation, context: Context) {
  const query = list.query.some(({ name }) => name === "limit") ? { limit: CHOICES_MAX } : {};
  const request = { path: pathOf(list, new Map(), context), query, body: undefined, agentId: context.agentId };
  const page = await send(await context.client(), list, request, { signal: context.signal });
  return (page as { readonly data: readonly Readonly<Record<string, unknown>>[] }).data;
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
