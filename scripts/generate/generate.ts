import { execFileSync } from "node:child_process";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import { agentDocuments } from "./agent-documents.ts";
import { codeSamples } from "./code-samples.ts";
import { eventTypesPages } from "./event-types.ts";
import { dashboardIcons } from "./icons.ts";
import {
  type Document,
  type Operation,
  operationsOf,
  type RawContent,
  type RawOperation,
  type Schema,
} from "./operations.ts";
import { pythonFiles } from "./python.ts";
import { typescriptResources } from "./typescript.ts";

/**
 * `npm run generate`: writes what follows from the endpoints' declarations: the OpenAPI document, the SDKs, and what agents read. With `--check`,
 * reports the files that are out of date instead.
 */
const ROOT = path.join(import.meta.dirname, "../..");
const API_PREFIX = "/api/v1/svc";
const PROBLEM = { $ref: "#/components/schemas/Problem" };
const TYPES_HEADER = "// Generated from openapi/openapi.json by `npm run generate`. Do not edit.\n\n";

const TYPE_OPTIONS = {
  immutable: true,
  rootTypes: true,
  rootTypesNoSchemaPrefix: true,
  // A request field that has a default remains optional.
  defaultNonNullable: false,
} as const;

const document = JSON.parse(
  execFileSync(process.execPath, [path.join(ROOT, "service/api-document/print.ts")], {
    encoding: "utf8",
    maxBuffer: 2 ** 26,
  }),
) as Document;
const operations = operationsOf(document);
const examples: Readonly<Record<string, { readonly request?: unknown; readonly response?: unknown }>> = JSON.parse(
  await readFile(path.join(ROOT, "openapi/examples.json"), "utf8"),
);

const outdated: string[] = [];
for (const [file, text] of Object.entries(await generatedFiles())) {
  const isCurrent = (await readFile(path.join(ROOT, file), "utf8").catch(() => "")) === text;
  if (isCurrent) continue;
  outdated.push(file);
  if (process.argv.includes("--check")) continue;
  await mkdir(path.dirname(path.join(ROOT, file)), { recursive: true });
  await writeFile(path.join(ROOT, file), text);
}
if (outdated.length === 0) console.log("Every generated file is up to date.");
else if (!process.argv.includes("--check")) console.log(`Wrote ${outdated.join(", ")}.`);
else {
  console.error(`Out of date: ${outdated.join(", ")}. Run \`npm run generate\` and commit the files.`);
  process.exitCode = 1;
}

async function generatedFiles(): Promise<Record<string, string>> {
  return {
    "openapi/openapi.json": `${JSON.stringify(withExamples(document, operations), null, 2)}\n`,
    "openapi/operations.json": `${JSON.stringify(operationTable(), null, 2)}\n`,
    "sdk/typescript/src/api-types.ts": await sdkTypes(),
    "dashboard/src/api/api-types.ts": await dashboardTypes(),
    "dashboard/src/ui/icons/icons.ts": await dashboardIcons(ROOT),
    "sdk/typescript/src/api-resources.ts": typescriptResources(operations),
    ...pythonFiles(document, operations),
    ...agentDocuments(ROOT, operations),
    ...eventTypesPages(ROOT),
  };
}

/** Returns what the command line and the MCP server need to know: the operations, and the schemas that their bodies refer to. */
function operationTable(): object {
  const rows = operations.map(tableRow);
  const schemas: Record<string, Schema> = {};
  const pending: unknown[] = rows.map(({ body }) => body);
  for (const part of pending) {
    for (const [, name = ""] of (JSON.stringify(part) ?? "").matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (schemas[name] !== undefined) continue;
      schemas[name] = document.components.schemas[name] ?? {};
      pending.push(schemas[name]);
    }
  }
  return { operations: rows, schemas };
}

function tableRow({ example, response, item, bodyFields, isBodyRequired, ...row }: Operation) {
  return { ...row, isPaged: item !== undefined };
}

/** Adds code samples, and the bodies of requests and responses that `npm run conformance -- --record` recorded. */
function withExamples(raw: Document, all: readonly Operation[]): Document {
  const samples = new Map(all.map((operation) => [operation.operationId, codeSamples(operation)]));
  const complete = (operation: RawOperation) => {
    const { request, response } = examples[operation.operationId] ?? {};
    const own = samples.get(operation.operationId) ?? [];
    const [success] = Object.keys(operation.responses);
    return {
      ...operation,
      ...(operation.requestBody && { requestBody: withExample(operation.requestBody, request) }),
      responses: mapValues(operation.responses, (one, status) =>
        status === success ? withExample(one, response) : one,
      ),
      ...(own.length > 0 && { "x-codeSamples": own }),
    };
  };
  return { ...raw, paths: mapValues(raw.paths, (methods) => mapValues(methods, complete)) };
}

function withExample(body: RawContent, example: unknown): RawContent {
  const json = body.content?.["application/json"];
  if (json === undefined || example === undefined) return body;
  return { ...body, content: { ...body.content, "application/json": { ...json, example } } };
}

function mapValues<In, Out>(values: Readonly<Record<string, In>>, change: (value: In, key: string) => Out) {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, change(value, key)]));
}

/** Returns the types of the named schemas. Every request and response body is one of them. */
async function sdkTypes(): Promise<string> {
  const { openapi, info, components } = typedDocument();
  const types = await openapiTS(
    { openapi, info, paths: {}, components: { schemas: components?.schemas ?? {} } },
    TYPE_OPTIONS,
  );
  return (
    `${TYPES_HEADER}${astToString(types)}`
      // The SDK exports only the named schemas, so the other types are removed or not exported.
      .replace(/^export type (paths|webhooks|\$defs|operations) = .*\n/gm, "")
      .replace("export interface components", "interface components")
  );
}

/** Returns the types of the paths, without their common prefix, and of the named schemas, and the types of events as a list. Every error is a `Problem`. */
async function dashboardTypes(): Promise<string> {
  const { openapi, info, paths = {}, components } = typedDocument();
  const problem = { description: "", content: { "application/problem+json": { schema: PROBLEM } } };
  const short = JSON.parse(JSON.stringify(paths), (key, value: Record<string, { content?: unknown }>) => {
    if (key === "parameters") return Object.values(value).filter((one) => !isHeader(one));
    if (key !== "responses") return value;
    const successes = Object.entries(value).filter(([status]) => status.startsWith("2"));
    return Object.fromEntries([
      ...successes.map(([status, { content }]) => [status, { description: "", content }]),
      ["default", problem],
    ]);
  });
  const renamed = Object.fromEntries(Object.entries(short).map(([url, one]) => [url.replace(API_PREFIX, ""), one]));
  const types = await openapiTS(
    { openapi, info, paths: renamed as typeof paths, components: { schemas: components?.schemas ?? {} } },
    // The types of openapi-fetch do not recognize readonly arrays.
    { ...TYPE_OPTIONS, immutable: false },
  );
  const patterns = JSON.stringify(document.components.schemas["EventTypePattern"]?.enum);
  const list = `export const EVENT_TYPE_PATTERNS: readonly EventTypePattern[] = ${patterns};\n`;
  return `${TYPES_HEADER}${astToString(types)}${list}`.replace(/^ *\/\*\*[\s\S]*?\*\/\n/gm, "");
}

function isHeader(parameter: object): boolean {
  return "$ref" in parameter || ("in" in parameter && parameter.in === "header");
}

/** The routes declare enums without a type, which the generator of types would print as `@enum {unknown}`. */
function typedDocument(): OpenAPI3 {
  return JSON.parse(JSON.stringify(document), (_key, value: unknown) =>
    typeof value === "object" && value !== null && "enum" in value ? { type: "string", ...value } : value,
  );
}
