import { nameOf, type Operation, type Parameter, type Schema } from "./operations.ts";

const HEADER = "// Generated from openapi/openapi.json by `npm run generate`. Do not edit.\n";
const WIDTH = 120;

/** Groups whose classes are written by hand, by module. Their methods wait, or verify what they return. */
const HAND_WRITTEN: Readonly<Record<string, string>> = {
  "projects.env": "./resources/project-env.ts",
  "projects.operations": "./resources/operations.ts",
  operations: "./resources/operations.ts",
};
/** Methods that a subclass adds by hand. */
const HAND_WRITTEN_METHODS: ReadonlySet<string> = new Set(["audit.export", "events.stream"]);

/** Returns the text of the module with the SDK's resources: one class for each group of operations. */
export function typescriptResources(operations: readonly Operation[]): string {
  const groups = new Map<string, Operation[]>();
  for (const operation of operations) {
    const path = operation.sdk.slice(0, -1);
    path.forEach((_, depth) => {
      const group = path.slice(0, depth + 1).join(".");
      groups.set(group, groups.get(group) ?? []);
    });
    groups.get(path.join("."))?.push(operation);
  }
  const written = [...groups].filter(([group]) => !(group in HAND_WRITTEN)).sort(([a], [b]) => depthOf(b) - depthOf(a));
  const classes = written.map(([group, members]) => {
    const methods = members.filter(({ sdk }) => !HAND_WRITTEN_METHODS.has(sdk.join(".")));
    const queries = members.filter(({ query }) => query.length > 0).map(queryType);
    return [...queries, classOf(group, [...groups.keys()], methods)].join("\n");
  });
  const text = classes.join("\n");
  return `${HEADER}${importsOf(text, operations)}\n${text}`;
}

function depthOf(group: string): number {
  return group.split(".").length;
}

/** Returns the name of a group's class, for example `ProjectServices`, which is not the name of a schema. */
function classNameOf(group: string): string {
  const names = group.split(".");
  const name = names.map((one, at) => pascalCase(at < names.length - 1 ? one.replace(/s$/, "") : one)).join("");
  return name === "KillSwitch" ? "KillSwitches" : name;
}

function importsOf(text: string, operations: readonly Operation[]): string {
  const types = operations.flatMap(({ body, response, item, query }) =>
    [body, response, item, ...query.map(({ schema }) => schema)].map((schema) => schema?.$ref),
  );
  const names = [...new Set(types.filter((ref) => ref !== undefined).map(nameOf))].sort();
  const used = names.filter((name) => new RegExp(`\\b${name}\\b`).test(text));
  const modules = Object.entries(HAND_WRITTEN).filter(([group]) => text.includes(`new ${classNameOf(group)}(`));
  return [
    'import type { ApiPromise } from "./api-promise.ts";',
    `import type {\n${used.map((name) => `  ${name},\n`).join("")}} from "./api-types.ts";`,
    'import type { PagePromise } from "./paging.ts";',
    'import { path } from "./path.ts";',
    'import { Resource } from "./resource.ts";',
    ...modules.map(([group, module]) => `import { ${classNameOf(group)} } from "${module}";`),
    'import type { RequestOptions } from "./transport.ts";',
    "",
  ].join("\n");
}

function classOf(group: string, groups: readonly string[], methods: readonly Operation[]): string {
  const children = groups.filter((other) => other.startsWith(`${group}.`) && depthOf(other) === depthOf(group) + 1);
  const fields = children.map((child) => {
    const name = classNameOf(child);
    return `  readonly ${child.split(".").at(-1)}: ${name} = new ${name}(this.transport());\n`;
  });
  return `export class ${classNameOf(group)} extends Resource {\n${fields.join("")}${methods.map(methodOf).join("\n")}}\n`;
}

function methodOf(operation: Operation): string {
  const { method, access, query, item, requiresAgent } = operation;
  const parts = [
    `method: "${method}"`,
    `path: ${pathOf(operation)}`,
    `access: "${access}"`,
    ...(hasBody(operation) ? ["body"] : []),
    ...(query.length === 0 ? [] : ["query"]),
  ];
  const sendsAgent = requiresAgent && operation.bodyFields.includes("agent_id");
  const options = sendsAgent ? "{ agentId: body.agent_id, ...options }" : "options";
  const response = item === undefined ? `ApiPromise<${typeOf(operation.response)}>` : pageOf(operation);
  return [
    docOf(operation),
    `  ${operation.sdk.at(-1)}(${parametersOf(operation)}): ${response} {`,
    `    return this.${item === undefined ? "request" : "pages"}({ ${parts.join(", ")} }, ${options});`,
    "  }\n",
  ].join("\n");
}

/** Returns the parameters of a method: the ids of the path, then the body, the query and the options. */
function parametersOf(operation: Operation): string {
  const { operationId, pathParameters, body, isBodyRequired, query } = operation;
  const isQueryRequired = query.some(({ isRequired }) => isRequired);
  const queryType = `${pascalCase(operationId)}Query`;
  return [
    ...pathParameters.map(({ name }) => `${camelCase(name)}: string`),
    ...(hasBody(operation) ? [`body: ${typeOf(body)}${isBodyRequired ? "" : " = {}"}`] : []),
    ...(query.length === 0 ? [] : [`query: ${queryType}${isQueryRequired ? "" : " = {}"}`]),
    "options?: RequestOptions",
  ].join(", ");
}

function hasBody({ bodyFields }: Operation): boolean {
  return bodyFields.length > 0;
}

function pageOf({ item, response }: Operation): string {
  const body = typeOf(response);
  return `PagePromise<${item?.$ref === undefined ? `${body}["data"][number]` : typeOf(item)}, ${body}>`;
}

function pathOf({ path }: Operation): string {
  if (!path.includes("{")) return `"${path}"`;
  return `path\`${path.replace(/\{(\w+)\}/g, (_, name: string) => `\${${camelCase(name)}}`)}\``;
}

function docOf({ description }: Operation): string {
  return `  /**\n${wrap(description, WIDTH - 5)
    .map((line) => `   * ${line}\n`)
    .join("")}   */`;
}

function wrap(text: string, width: number): string[] {
  const lines = [""];
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1) ?? "";
    if (line === "") lines[lines.length - 1] = word;
    else if (line.length + word.length < width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function queryType({ operationId, query }: Operation): string {
  const fields = query.map(({ name, description, schema, isRequired }: Parameter) => {
    const doc = wrap(description, WIDTH - 5).map((line) => `   * ${line}\n`);
    return `  /**\n${doc.join("")}   */\n  readonly ${name}${isRequired ? "" : "?"}: ${typeOf(schema)};\n`;
  });
  return `export interface ${pascalCase(operationId)}Query {\n${fields.join("")}}\n`;
}

/** Returns the TypeScript type of a schema, which is a named one or that of a query parameter. */
function typeOf(schema: Schema | undefined): string {
  if (schema === undefined) return "void";
  if (schema.$ref !== undefined) return nameOf(schema.$ref);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  return { integer: "number", number: "number", boolean: "boolean" }[String(schema.type)] ?? "string";
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function pascalCase(name: string): string {
  return name.slice(0, 1).toUpperCase() + camelCase(name).slice(1);
}
