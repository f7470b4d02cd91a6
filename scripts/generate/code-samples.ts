import type { Operation } from "./operations.ts";

/** One entry of `x-codeSamples`, the OpenAPI extension from which the API reference shows code samples. */
interface CodeSample {
  readonly lang: "TypeScript" | "Python" | "Shell";
  readonly label: string;
  readonly source: string;
}

/** Example values of path parameters that are names. One that is an id becomes a variable, such as `PROJECT_ID`. */
const NAMES: Readonly<Record<string, string>> = { name: "GREETING", provider: "helius" };
/** Methods without pages that also return an iterator. */
const ITERATED: ReadonlySet<string> = new Set(["audit.export"]);
/** Matches a value of an example that stands for an environment variable. */
const VARIABLE = /"([A-Z_]+_(?:ID|TOKEN))"/g;

/** Returns how to call a signed operation with the SDKs and with curl. */
export function codeSamples(operation: Operation): CodeSample[] {
  if (operation.access !== "signed" && operation.access !== "tenant") return [];
  return [
    { lang: "TypeScript", label: "TypeScript SDK", source: typescriptSample(operation) },
    { lang: "Python", label: "Python SDK", source: pythonSample(operation) },
    { lang: "Shell", label: "Signed with curl", source: shellSample(operation) },
  ];
}

function isIterated({ item, sdk }: Operation): boolean {
  return item !== undefined || ITERATED.has(sdk.join("."));
}

function requiredQuery({ query }: Operation): Record<string, unknown> {
  const required = query.filter(({ isRequired }) => isRequired);
  return Object.fromEntries(required.map(({ name, schema }) => [name, schema.example]));
}

/** Returns the values of the path, as JSON texts. */
function idsOf({ pathParameters }: Operation): string[] {
  return pathParameters.map(({ name }) => JSON.stringify(NAMES[name] ?? name.toUpperCase()));
}

function needsAgent({ requiresAgent, bodyFields }: Operation): boolean {
  return requiresAgent && !bodyFields.includes("agent_id");
}

function typescriptSample(operation: Operation): string {
  const query = requiredQuery(operation);
  const values = [operation.example, ...(Object.keys(query).length > 0 ? [query] : [])].filter(
    (each) => each !== undefined,
  );
  const options = needsAgent(operation) ? ["{ agentId: AGENT_ID }"] : [];
  const call = [...idsOf(operation), ...values.map(literal), ...options].join(", ").replace(VARIABLE, "$1");
  const source = `purser.${operation.sdk.join(".")}(${call})`;
  const ids = [...new Set(source.match(/\b[A-Z_]+_(?:ID|TOKEN)\b/g))].map((name) => `${name} = ""`);
  return [
    'import { Purser } from "@purser/sdk";',
    "",
    "// Reads PURSER_BASE_URL, PURSER_API_KEY and PURSER_API_SECRET.",
    "const purser = new Purser();",
    ...(ids.length > 0 ? [`const { ${ids.join(", ")} } = process.env;`] : []),
    isIterated(operation) ? `for await (const item of ${source}) console.log(item);` : `console.log(await ${source});`,
  ].join("\n");
}

/** Returns a value as a literal of TypeScript, such as `{ name: "My App" }`. */
function literal(value: unknown): string {
  return JSON.stringify(value, null, 1)
    .replace(/\n\s*/g, " ")
    .replace(/"(\w+)":/g, "$1:");
}

function pythonSample(operation: Operation): string {
  const fields = { ...(operation.example as object), ...requiredQuery(operation) };
  const named = Object.entries(fields).map(([name, value]) => `${pythonName(name)}=${pythonLiteral(value)}`);
  const options = needsAgent(operation) ? ['agent_id="AGENT_ID"'] : [];
  const call = [...idsOf(operation), ...named, ...options].join(", ").replace(VARIABLE, 'os.environ["$1"]');
  const method = operation.sdk.map((part) => part.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)).join(".");
  const source = `purser.${method}(${call})`;
  return [
    ...(source.includes("os.environ") ? ["import os", ""] : []),
    "from purser_sdk import Purser",
    "",
    "# Reads PURSER_BASE_URL, PURSER_API_KEY and PURSER_API_SECRET.",
    "purser = Purser()",
    ...(isIterated(operation) ? [`for item in ${source}:`, "    print(item)"] : [`print(${source})`]),
  ].join("\n");
}

function pythonName(name: string): string {
  return name === "from" ? "from_" : name;
}

function pythonLiteral(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(pythonLiteral).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const fields = Object.entries(value).map(([name, inner]) => `${JSON.stringify(name)}: ${pythonLiteral(inner)}`);
    return `{${fields.join(", ")}}`;
  }
  return { true: "True", false: "False", null: "None" }[String(value)] ?? JSON.stringify(value);
}

function shellSample(operation: Operation): string {
  const { method, example, requiresAgent } = operation;
  const query = new URLSearchParams(requiredQuery(operation) as Record<string, string>).toString();
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => NAMES[name] ?? `$${name.toUpperCase()}`);
  const body = example === undefined ? "" : JSON.stringify(example).replace(VARIABLE, `"'$$$1'"`);
  return [
    `METHOD=${method} REQUEST_PATH="/api/v1/svc${path}${query && `?${query}`}"`,
    `BODY='${body}'`,
    "",
    "sha256() { openssl dgst -sha256 -r \"$@\" | cut -d' ' -f1; }",
    'KEY=$(printf %s "$PURSER_API_SECRET" | sha256) NOW=$(date +%s)',
    'SIGNATURE=$(printf %s "$NOW.$METHOD.$REQUEST_PATH.$(printf %s "$BODY" | sha256)" | sha256 -hmac "$KEY")',
    'curl -sS --fail-with-body -X "$METHOD" "$PURSER_BASE_URL$REQUEST_PATH" \\',
    '  -H "Authorization: $PURSER_API_KEY" -H "X-Timestamp: $NOW" -H "X-Nonce: $(openssl rand -hex 16)" \\',
    [
      '  -H "X-Request-Signature: $SIGNATURE"',
      ...(requiresAgent ? ['  -H "X-Agent-ID: $AGENT_ID"'] : []),
      ...(body === "" ? [] : ["  -H 'Content-Type: application/json' --data-binary \"$BODY\""]),
    ].join(" \\\n"),
  ].join("\n");
}
