import { readFileSync } from "node:fs";
import { Purser } from "@purser/sdk";
import { describe, expect, it } from "vitest";
import { findOperation, type Schema } from "../operation/table.ts";
import { descriptionOf, inputSchemaOf } from "./input-schema.ts";
import { hintsOf, type Tool, type ToolSettings } from "./tool.ts";
import { TOOLS } from "./tools.ts";

const document = readJson<{
  readonly paths: Readonly<Record<string, Readonly<Record<string, { operationId: string; responses: object }>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}>("openapi.json");
const SETTINGS: ToolSettings = {
  purser: new Purser({ baseUrl: "http://localhost" }),
  mode: "test",
  folder: ".",
  writeEnvFile: async () => ({ path: "", names: [] }),
};
const tools = Object.entries<Tool>(TOOLS);
/** Fields that tools add to the response, or that only problems have. */
const OWN_FIELDS = /^(mode|agent_id|project_id|path|names|request_id|agents\..*)$/;
const FORBIDDEN = /unfreeze|key|approve|deny|update|rollback|kill|resume|revoke|provider_keys|variables/i;

function readJson<Value>(name: string): Value {
  return JSON.parse(readFileSync(new URL(`../../../openapi/${name}`, import.meta.url), "utf8"));
}

/** Returns all schemas that a response of an operation can have, with those to which they refer. */
function responsesOf(operationId: string): Schema[] {
  const own = Object.values(document.paths).flatMap(Object.values<{ operationId: string; responses: object }>);
  const responses = own.find((one) => one.operationId === operationId)?.responses ?? {};
  const successes = Object.entries(responses).filter(([status]) => status.startsWith("2"));
  return successes.flatMap(([, { content }]) => variants(content?.["application/json"]?.schema ?? {}));
}

function variants({ $ref, ...schema }: Schema): Schema[] {
  if ($ref !== undefined) return variants(document.components.schemas[$ref.split("/").at(-1) ?? ""] ?? {});
  const { items, anyOf, oneOf } = schema as { items?: Schema; anyOf?: Schema[]; oneOf?: Schema[] };
  if (items !== undefined) return variants(items);
  const choices = anyOf ?? oneOf;
  return choices === undefined ? [schema] : choices.flatMap(variants);
}

function hasPath(schemas: readonly Schema[], [first = "*", ...rest]: readonly string[]): boolean {
  if (first === "*") return true;
  const below = schemas.flatMap(({ properties }) => variants(properties?.[first] ?? { isMissing: true }));
  const found = below.filter((schema) => !("isMissing" in schema));
  return found.length > 0 && hasPath(found, rest);
}

describe("the tools of the MCP server", () => {
  it.each(tools)("%s shows only fields that its operation returns", (_, tool) => {
    const paths = tool.shows.split(" ").filter((path) => path !== "" && !OWN_FIELDS.test(path));
    expect(paths.filter((path) => !hasPath(responsesOf(tool.operation), path.split(".")))).toEqual([]);
  });

  it.each(tools)("%s has described arguments without references", (_, tool) => {
    const { properties } = inputSchemaOf(tool, SETTINGS);
    for (const schema of Object.values(properties)) {
      expect(Object.keys(schema).some((keyword) => keyword === "type" || keyword === "enum")).toBe(true);
    }
    expect(JSON.stringify(properties)).not.toContain("$ref");
    expect(JSON.stringify(properties).length).toBeLessThan(5_000);
  });

  it.each(tools)("%s says that it changes something if it does", (name, tool) => {
    const { method } = findOperation(tool.operation);
    const changes = (method !== "GET" && name !== "payment_simulate") || name === "env_write_file";
    expect(hintsOf(tool).readOnlyHint).toBe(!changes);
  });

  it("do nothing that only a person may do", () => {
    const changing = tools.filter(([, tool]) => !hintsOf(tool).readOnlyHint).map(([, tool]) => tool.operation);
    expect(changing.filter((operationId) => FORBIDDEN.test(operationId))).toEqual([]);
    const inputs = tools.flatMap(([, tool]) => Object.keys(inputSchemaOf(tool, SETTINGS).properties));
    expect(inputs.filter((name) => /cap|policy/.test(name))).toEqual([]);
  });

  it("are those of the table in docs/mcp.md", () => {
    const page = readFileSync(new URL("../../../docs/mcp.md", import.meta.url), "utf8");
    const rows = tools.map(([name, tool]) => {
      const [does = ""] = descriptionOf(tool).split(/\.(?: |$)/);
      return `| \`${name}\` | ${hintsOf(tool).readOnlyHint ? "" : "yes"} | ${does}. |`;
    });
    expect(page.match(/^\| `\w+` \|.*$/gm)).toEqual(rows);
  });

  it("act for the agent and the project of the settings", () => {
    const settings = { ...SETTINGS, agentId: "a", projectId: "p" };
    expect(inputSchemaOf(TOOLS.payment_send, settings).properties).not.toHaveProperty("agent_id");
    expect(inputSchemaOf(TOOLS.project_status, settings).required).toEqual([]);
    expect(inputSchemaOf(TOOLS.project_status, SETTINGS).required).toEqual(["project_id"]);
    expect(inputSchemaOf(TOOLS.payment_send, SETTINGS).required).toEqual(["to", "amount"]);
  });
});
