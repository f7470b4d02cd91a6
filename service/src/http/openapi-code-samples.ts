import type { RouteOptions } from "fastify";

/** One entry of `x-codeSamples`, the OpenAPI extension from which the API reference shows code samples. */
interface CodeSample {
  readonly lang: "TypeScript" | "Shell";
  readonly label: string;
  readonly source: string;
}

/**
 * Example values of path parameters that are names. A path parameter that is an id becomes an environment variable,
 * such as `$PROJECT_ID`.
 */
const NAMES: Readonly<Record<string, string>> = { name: "GREETING", provider: "helius" };

/** Returns the code samples of a signed operation, generated from its route's `sample`. */
export function codeSamples({ config, method, url }: RouteOptions): CodeSample[] {
  if (config?.sample === undefined) return [];
  const { sdk, body, query, asAgent = false } = config.sample;
  const path = query === undefined ? url : `${url}?${query}`;
  return [
    { lang: "TypeScript", label: "TypeScript SDK", source: sdkSample(sdk, body) },
    {
      lang: "Shell",
      label: "Signed with curl",
      source: shellSample({ method: String(method), path, body, asAgent }),
    },
  ];
}

function sdkSample(call: string, body: object = {}): string {
  const [, each, expression = ""] = /^(each )?(.*)$/.exec(call) ?? [];
  const answer = `purser.${expression.replace("BODY", literal(body))}`;
  const ids = [...new Set(answer.match(/\b[A-Z_]+_(?:ID|TOKEN)\b/g))].map((name) => `${name} = ""`);
  return [
    'import { Purser } from "@purser/sdk";',
    "",
    "// Reads PURSER_BASE_URL, PURSER_API_KEY and PURSER_API_SECRET.",
    "const purser = new Purser();",
    ...(ids.length > 0 ? [`const { ${ids.join(", ")} } = process.env;`] : []),
    each === undefined ? `console.log(await ${answer});` : `for await (const item of ${answer}) console.log(item);`,
  ].join("\n");
}

/** Matches the value of a body that stands for an environment variable, such as `"AGENT_ID"`. */
const VARIABLE = /"([A-Z_]+_(?:ID|TOKEN))"/g;

/** Returns the request body as an object literal, such as `{ name: "My App" }`. */
function literal(body: object): string {
  return JSON.stringify(body, null, 1)
    .replace(/\n\s*/g, " ")
    .replace(/"(\w+)":/g, "$1:")
    .replace(VARIABLE, "$1");
}

interface ShellCall {
  readonly method: string;
  readonly path: string;
  readonly body: object | undefined;
  readonly asAgent: boolean;
}

function shellSample({ method, path: url, body, asAgent }: ShellCall): string {
  const path = url.replace(/:([a-z]\w*)/g, (_, name: string) => NAMES[name] ?? `$${name.toUpperCase()}`);
  return [
    `METHOD=${method} REQUEST_PATH="${path}"`,
    `BODY='${body === undefined ? "" : JSON.stringify(body).replace(VARIABLE, `"'$$$1'"`)}'`,
    "",
    "sha256() { openssl dgst -sha256 -r \"$@\" | cut -d' ' -f1; }",
    'KEY=$(printf %s "$PURSER_API_SECRET" | sha256) NOW=$(date +%s)',
    'SIGNATURE=$(printf %s "$NOW.$METHOD.$REQUEST_PATH.$(printf %s "$BODY" | sha256)" | sha256 -hmac "$KEY")',
    'curl -sS --fail-with-body -X "$METHOD" "$PURSER_BASE_URL$REQUEST_PATH" \\',
    '  -H "Authorization: $PURSER_API_KEY" -H "X-Timestamp: $NOW" -H "X-Nonce: $(openssl rand -hex 16)" \\',
    [
      '  -H "X-Request-Signature: $SIGNATURE"',
      ...(asAgent ? ['  -H "X-Agent-ID: $AGENT_ID"'] : []),
      ...(body === undefined ? [] : ["  -H 'Content-Type: application/json' --data-binary \"$BODY\""]),
    ].join(" \\\n"),
  ].join("\n");
}
