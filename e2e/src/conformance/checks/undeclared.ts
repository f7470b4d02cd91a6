import { type ApiResponse, PREFIX } from "../../signed-client.ts";

interface Parameter {
  readonly in?: string;
  readonly name?: string;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly responses: Readonly<Record<string, Response>>;
}

interface Response {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, object>>;
  readonly headers?: Readonly<Record<string, object>>;
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly responses: Readonly<Record<string, Response>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly securitySchemes: Readonly<Record<string, Parameter>>;
  };
}

/**
 * Response headers that the OpenAPI document does not have to declare. The document declares the values of
 * `content-type` under `content`.
 */
const TRANSPORT_HEADERS = new Set([
  "connection",
  "content-length",
  "content-type",
  "date",
  "keep-alive",
  "transfer-encoding",
]);

/**
 * Request headers that the OpenAPI document does not have to declare, because any HTTP client or proxy can send them. The
 * document declares each cookie by its name instead of declaring the `cookie` header.
 */
const CLIENT_HEADERS = new Set([
  "accept",
  "connection",
  "content-encoding",
  "content-length",
  "content-type",
  "cookie",
  "expect",
  "host",
  "origin",
  "sec-fetch-site",
  "te",
  "transfer-encoding",
  "upgrade",
  "user-agent",
  "x-forwarded-for",
]);

/**
 * Returns the request headers that the server reads but that the document declares neither as parameters nor as
 * security schemes.
 */
export function undeclaredRequestHeaders({ paths, components }: Document, read: ReadonlySet<string>): string[] {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const declared = [
    ...Object.values(components.parameters),
    ...Object.values(components.securitySchemes),
    ...operations.flatMap(({ parameters = [] }) => parameters),
  ]
    .filter((parameter) => parameter.in === "header")
    .map(({ name = "" }) => name.toLowerCase());
  return [...read].filter((name) => !CLIENT_HEADERS.has(name) && !declared.includes(name)).sort();
}

/** Returns the document's operations without parameter names, for example `GET /projects/{}`. */
export function operationNames({ paths }: Document): string[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => withoutParameterNames(`${method.toUpperCase()} ${path.replace(PREFIX, "")}`)),
  );
}

export function withoutParameterNames(operation: string): string {
  return operation.replaceAll(/\{\w+\}/g, "{}");
}

/**
 * Returns the parts of a response (status, media type, headers) that the document does not declare for the operation.
 */
export function undeclaredIn(document: Document, operation: string, response: ApiResponse): string[] {
  const declaredResponse = responsesOf(document, operation)?.[response.status];
  if (declaredResponse === undefined) return [`status ${response.status}`];
  const { content = {}, headers = {} } =
    document.components.responses[declaredResponse.$ref?.split("/").at(-1) ?? ""] ?? declaredResponse;
  const declared = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const undeclared = [...response.headers.keys()]
    .filter((name) => !TRANSPORT_HEADERS.has(name) && !declared.has(name))
    .map((name) => `header ${name}`);
  const [mediaType = ""] = (response.headers.get("content-type") ?? "").split(";");
  const isDeclared = response.text === "" || mediaType in content;
  return isDeclared ? undeclared : [`media type ${mediaType}`, ...undeclared];
}

function responsesOf({ paths }: Document, operation: string) {
  const [method = "", path] = withoutParameterNames(operation).split(" ");
  const [, methods] =
    Object.entries(paths).find(([named]) => withoutParameterNames(named.replace(PREFIX, "")) === path) ?? [];
  return methods?.[method.toLowerCase()]?.responses;
}
