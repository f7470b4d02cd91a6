import { type Answer, PREFIX } from "../signed-client.ts";

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

/** Those of the transport, and the one that the document declares as `content`. */
const NOT_DECLARED = new Set([
  "connection",
  "content-length",
  "content-type",
  "date",
  "keep-alive",
  "transfer-encoding",
]);

/** What any HTTP client sends by itself. Cookies are declared by their own names. */
const OF_HTTP = new Set([
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
]);

/** Which of the request headers that the service looks at are neither a parameter nor a security scheme. */
export function undeclaredRequestHeaders(
  { paths, components }: Document,
  read: ReadonlySet<string>,
): string[] {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods));
  const declared = [
    ...Object.values(components.parameters),
    ...Object.values(components.securitySchemes),
    ...operations.flatMap(({ parameters = [] }) => parameters),
  ]
    .filter((parameter) => parameter.in === "header")
    .map(({ name = "" }) => name.toLowerCase());
  return [...read].filter((name) => !OF_HTTP.has(name) && !declared.includes(name)).sort();
}

/** The document's operations as `GET /projects/{}`, whatever their parameters are called. */
export function operationNames({ paths }: Document): string[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) =>
      nameless(`${method.toUpperCase()} ${path.replace(PREFIX, "")}`),
    ),
  );
}

export function nameless(operation: string): string {
  return operation.replaceAll(/\{\w+\}/g, "{}");
}

/** What of an answer the document does not declare for the operation: its status, its media type, each of its headers. */
export function undeclaredIn(document: Document, operation: string, answer: Answer): string[] {
  const response = responsesOf(document, operation)?.[answer.status];
  if (response === undefined) return [`status ${answer.status}`];
  const { content = {}, headers = {} } =
    document.components.responses[response.$ref?.split("/").at(-1) ?? ""] ?? response;
  const declared = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const undeclared = [...answer.headers.keys()]
    .filter((name) => !NOT_DECLARED.has(name) && !declared.has(name))
    .map((name) => `header ${name}`);
  const [mediaType = ""] = (answer.headers.get("content-type") ?? "").split(";");
  const isDeclared = answer.text === "" || mediaType in content;
  return isDeclared ? undeclared : [`media type ${mediaType}`, ...undeclared];
}

function responsesOf({ paths }: Document, operation: string) {
  const [method = "", path] = nameless(operation).split(" ");
  const [, methods] =
    Object.entries(paths).find(([named]) => nameless(named.replace(PREFIX, "")) === path) ?? [];
  return methods?.[method.toLowerCase()]?.responses;
}
