import type { ApiResponse } from "../../signed-client.ts";
import { document, documented, type Name } from "../api-document.ts";

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

/** Codes of errors that follow from the credential class and the schemas of an operation. */
const CODES_OF_ALL = new Set(["authentication_failed", "insufficient_scope", "validation_error"]);

/**
 * Returns the request headers that the server reads but that the document declares neither as parameters nor as
 * security schemes.
 */
export function undeclaredRequestHeaders(read: ReadonlySet<string>): string[] {
  const { paths, components } = document;
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

/**
 * Returns the parts of a response (status, media type, headers, error code) that the document does not declare for the operation.
 */
export function undeclaredIn(name: Name, response: ApiResponse): string[] {
  const declaredResponse = documented(name).responses[response.status];
  if (declaredResponse === undefined) return [`status ${response.status}`];
  const { content = {}, headers = {} } =
    document.components.responses[declaredResponse.$ref?.split("/").at(-1) ?? ""] ?? declaredResponse;
  const declared = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const undeclared = [...response.headers.keys()]
    .filter((name) => !TRANSPORT_HEADERS.has(name) && !declared.has(name))
    .map((name) => `header ${name}`);
  const [mediaType = ""] = (response.headers.get("content-type") ?? "").split(";");
  const isDeclared = response.text === "" || mediaType in content;
  return [...(isDeclared ? [] : [`media type ${mediaType}`]), ...undeclared, ...undeclaredCode(name, response)];
}

function undeclaredCode(name: Name, { status, body }: ApiResponse): string[] {
  if (status < 400) return [];
  const { code } = body as { readonly code: string };
  const isOfUnknownId = code.endsWith("not_found") && name.includes("{");
  const isDeclared = documented(name)["x-error-codes"]?.includes(code) || isOfUnknownId || CODES_OF_ALL.has(code);
  return isDeclared ? [] : [`code ${code}`];
}
