import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { ApiResponse } from "../signed-client.ts";
import { document, documented, type Name, operationNames, successStatus } from "./api-document.ts";
import type { Call } from "./callers.ts";

/** The bodies of a request and of its successful response. `npm run generate` writes them into the OpenAPI document. */
export interface Example {
  readonly request?: unknown;
  readonly response?: unknown;
}

const EXAMPLES_FILE = join(import.meta.dirname, "../../../openapi/examples.json");

/** The number of objects that an example shows of a list. */
const ITEMS_MAX = 1;
/** Fields whose values are secrets. */
const SECRET = /(secret|token|password|api_key|_code|_codes|credentials|state|env)$/;

/** Shorter texts in such fields are no secrets, for example `usdc` in `token`. */
const SECRET_LENGTH_MIN = 12;
/** Matches each letter and digit of a secret, and the start that says what kind of secret it is. */
const SECRET_TEXT = /^(svc_s[ks]_[a-z]+_)|[A-Za-z0-9]/g;
const SECRET_PARAMETER = /([?&](?:key|state|token|code_challenge|secret)=)[\w-]+/g;

/** Returns the example of a correct call by the id of the operation. Nothing if the call failed. */
export function exampleOf(name: Name, { body }: Call, response: ApiResponse): Readonly<Record<string, Example>> {
  const { operationId } = documented(name);
  if (response.status >= 400) return {};
  return { [operationId]: redactAndShorten({ request: body, response: response.body }) as Example };
}

/** Replaces secrets, and shortens lists of objects. */
function redactAndShorten(value: unknown, isSecret = false): unknown {
  if (typeof value === "string") {
    return isSecret && value.length >= SECRET_LENGTH_MIN
      ? value.replace(SECRET_TEXT, (_, start: string | undefined) => start ?? "x")
      : value.replace(SECRET_PARAMETER, "$1xxxx");
  }
  if (Array.isArray(value)) {
    const items = typeof value[0] === "object" ? value.slice(0, ITEMS_MAX) : value;
    return items.map((item) => redactAndShorten(item, isSecret));
  }
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).map(([key, inner]) => [
    key,
    redactAndShorten(inner, isSecret || SECRET.test(key)),
  ]);
  return Object.fromEntries(fields);
}

export function readExamples(): Readonly<Record<string, Example>> {
  return JSON.parse(readFileSync(EXAMPLES_FILE, "utf8"));
}

/** Writes the examples of operations that have none, or one that no longer matches its schema. */
export function recordExamples(recorded: Readonly<Record<string, Example>>): void {
  const current = readExamples();
  const outdated = new Set(wrongExamples(current).map(([operationId]) => operationId));
  const ids = operationNames.map((name) => documented(name).operationId);
  const examples = ids.map((id) => [id, outdated.has(id) ? recorded[id] : current[id]]);
  writeFileSync(EXAMPLES_FILE, `${JSON.stringify(Object.fromEntries(examples), null, 2)}\n`);
}

type WrongExample = readonly [operationId: string, reason: string];

/** Returns what is wrong with the examples, with the id of each operation: a body is missing or does not match its schema. */
export function wrongExamples(examples: Readonly<Record<string, Example>>): WrongExample[] {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false, logger: false });
  ajv.addSchema(document, "api");
  return operationNames.flatMap((name) => {
    const { operationId, requestBody, responses } = documented(name);
    const parts = { request: requestBody?.content, response: responses[successStatus(name)]?.content };
    return (["request", "response"] as const).flatMap((part): WrongExample[] => {
      const schema = parts[part]?.["application/json"]?.schema;
      const example = examples[operationId]?.[part];
      if (schema === undefined) return [];
      if (example === undefined)
        return [[operationId, `has no example of a ${part}: run npm run conformance -- --record`]];
      // The references of the schema are to components of the document.
      const isValid = ajv.validate(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/')), example);
      return isValid ? [] : [[operationId, `${part}: ${ajv.errorsText()}`]];
    });
  });
}
