import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PREFIX } from "../signed-client.ts";

/** Credential class of a route (docs/rules/credentials.md). */
export type CredentialClass = "public" | "dashboard" | "admin" | "tenant" | "signed" | "vendor";

interface Parameter {
  readonly in?: string;
  readonly name?: string;
}

interface DocumentedResponse {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>;
  readonly headers?: Readonly<Record<string, object>>;
}

interface DocumentedOperation {
  readonly operationId: string;
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: object }>> };
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
  readonly "x-error-codes"?: readonly string[];
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly components: {
    readonly responses: Readonly<Record<string, DocumentedResponse>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly securitySchemes: Readonly<Record<string, Parameter>>;
  };
}

/** Method and path of an operation, for example `GET /projects/{project_id}`. */
export type Name = `${"GET" | "POST" | "PUT" | "PATCH" | "DELETE"} /${string}`;

/** The OpenAPI document that the server serves. */
export const document = JSON.parse(
  readFileSync(join(import.meta.dirname, "../../../openapi/openapi.json"), "utf8"),
) as Document;

const operations = new Map(
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [
      `${method.toUpperCase()} ${path.replace(PREFIX, "")}` as Name,
      operation,
    ]),
  ),
);

/** Without the stream of events, which does not end. */
export const operationNames: readonly Name[] = [...operations.keys()].filter((name) => name !== "GET /events/stream");

/** Returns the document's description of an operation. Throws if it has none. */
export function documented(name: Name): DocumentedOperation {
  const operation = operations.get(name);
  if (operation === undefined) throw new Error(`The OpenAPI document has no operation ${name}.`);
  return operation;
}

/** Returns the status of a correct call: the first that the document lists. */
export function successStatus(name: Name): number {
  return Math.min(...Object.keys(documented(name).responses).map(Number));
}

export function credentialOf(name: Name): CredentialClass {
  const [first, second] = documented(name).security.map((schemes) => Object.keys(schemes)[0] ?? "");
  if (first === undefined) return "public";
  if (first === "apiKey") return second === undefined ? "signed" : "tenant";
  if (first.startsWith("dashboard")) return "dashboard";
  return first.startsWith("admin") ? "admin" : "vendor";
}
