import type { Query, RequestOptions } from "@purser/sdk";
import { findOperation, type Operation } from "../operation/table.ts";
import type { InputSchema } from "./input-schema.ts";
import { cleanText } from "./shown-fields.ts";
import type { RunContext, Tool, ToolInput, ToolSettings } from "./tool.ts";
import { invalidArguments } from "./tool-error.ts";

/** An id in a path or a header. Others, such as `..`, could address another resource. */
const ID = /^[\w-]{1,128}$/;

/**
 * Calls a tool. The API checks the values of the arguments, so that each is checked once, in the same words everywhere.
 *
 * @throws the errors of the SDK, and ToolError
 */
export async function runTool(
  tool: Tool,
  schema: InputSchema,
  settings: ToolSettings,
  given: ToolInput,
  options: RequestOptions,
): Promise<unknown> {
  checkNames(schema, given);
  if (!ID.test(options.idempotencyKey ?? "none")) {
    throw invalidArguments({ field: "idempotency_key", detail: "must be a UUID" });
  }
  const context = contextOf(settings, { ...tool.defaults, ...given }, options);
  if (tool.run !== undefined) return tool.run(context);
  return callOperation(tool, findOperation(tool.operation), context);
}

function checkNames({ properties, required }: InputSchema, given: ToolInput): void {
  const unknown = Object.keys(given).filter((name) => !Object.hasOwn(properties, name));
  const missing = required.filter((name) => given[name] === undefined);
  if (unknown.length + missing.length === 0) return;
  throw invalidArguments(
    ...unknown.map((name) => ({ field: cleanText(name), detail: "is not an argument of this tool" })),
    ...missing.map((field) => ({ field, detail: "is required" })),
  );
}

function contextOf(settings: ToolSettings, input: ToolInput, options: RequestOptions): RunContext {
  const { purser, agentId, projectId } = settings;
  const text = (field: string) => {
    const value = input[field] ?? (field === "project_id" ? projectId : undefined);
    if (typeof value === "string" && ID.test(value)) return value;
    throw invalidArguments({ field, detail: "must be an id: letters, digits, underscores and hyphens" });
  };
  const agent = async () => {
    if (agentId !== undefined) return agentId;
    if (input["agent_id"] !== undefined) return text("agent_id");
    const [only, ...others] = (await purser.agents.list({ limit: 2 }, options)).data;
    if (only !== undefined && others.length === 0) return only.agent_id;
    throw invalidArguments({
      field: "agent_id",
      detail: "is required, because the key is not that of one agent. whoami lists the agents",
    });
  };
  return { ...settings, input, options: { agentId, ...options }, text, agent };
}

async function callOperation(
  { inputs = "" }: Tool,
  { method, path, query, body }: Operation,
  { purser, input, options, text, agent }: RunContext,
): Promise<unknown> {
  const agentId = `${path} ${inputs}`.includes("agent_id") ? await agent() : undefined;
  const url = path.replace(
    /\{(\w+)\}/g,
    (_, name: string) => (name === "agent_id" ? agentId : undefined) ?? text(name),
  );
  const values = Object.entries({ ...input, ...(agentId && { agent_id: agentId }) });
  const sent = values.filter(([name]) => !path.includes(`{${name}}`));
  const isInQuery = ([name]: readonly [string, unknown]) => query.some((one) => one.name === name);
  const request = {
    query: Object.fromEntries(sent.filter(isInQuery)) as Query,
    ...(body && { body: Object.fromEntries(sent.filter((value) => !isInQuery(value))) }),
  };
  const send = method.toLowerCase() as Lowercase<Operation["method"]>;
  return purser[send](url, request, { ...options, agentId: agentId ?? options.agentId });
}
