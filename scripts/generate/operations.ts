import type { Access, Operation as ListedOperation, Parameter, Schema } from "../../cli/src/operation/table.ts";

export type { Parameter, Schema };

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, RawOperation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, RawParameter>>;
  };
}

/** An operation that the SDKs have a method for. */
export interface Operation extends Omit<ListedOperation, "isPaged"> {
  readonly bodyFields: readonly string[];
  readonly isBodyRequired: boolean;
  /** The schema of the first successful response. Undefined if it is empty or no JSON. */
  readonly response: Schema | undefined;
  /** The schema of an item if the response is a list of several pages. */
  readonly item: Schema | undefined;
  /** A request body, in which a value such as `AGENT_ID` stands for an id. */
  readonly example: unknown;
}

interface RawParameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

export interface RawContent {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema; readonly example?: unknown }>>;
}

export interface RawOperation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly parameters?: readonly RawParameter[];
  readonly requestBody?: RawContent;
  readonly responses: Readonly<Record<string, RawContent>>;
  readonly "x-sdk-method"?: string;
}

const PREFIX = "/api/v1/svc";

/** Returns the document's operations that have a method in the SDKs, in the order of the document. */
export function operationsOf(document: Document): readonly Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, raw]) =>
      raw["x-sdk-method"] === undefined ? [] : [operationOf(document, { path, method, raw, sdk: raw["x-sdk-method"] })],
    ),
  );
}

/** Returns the schema that a reference names, or the schema itself. */
function resolve({ components }: Document, schema: Schema): Schema {
  return schema.$ref === undefined ? schema : (components.schemas[nameOf(schema.$ref)] ?? {});
}

/** Returns the name of the component that a reference points to. */
export function nameOf(ref: string): string {
  return ref.split("/").at(-1) ?? "";
}

function operationOf(
  document: Document,
  { path, method, raw, sdk }: { path: string; method: string; raw: RawOperation; sdk: string },
): Operation {
  const parameters = (raw.parameters ?? []).map((parameter) =>
    parameter.$ref === undefined ? parameter : (document.components.parameters[nameOf(parameter.$ref)] as RawParameter),
  );
  const within = (part: string) => parameters.filter((parameter) => parameter.in === part).map(parameterOf);
  const query = within("query");
  const [success = {}] = Object.entries(raw.responses).flatMap(([status, response]) =>
    status < "300" ? [response] : [],
  );
  const response = success.content?.["application/json"]?.schema;
  const body = raw.requestBody?.content?.["application/json"];
  const bodySchema = resolve(document, body?.schema ?? {});
  const { next_cursor: cursor, data } = resolve(document, response ?? {}).properties ?? {};
  const isPaged = cursor !== undefined && query.some(({ name }) => name === "cursor");
  return {
    operationId: raw.operationId,
    method: method.toUpperCase() as Operation["method"],
    path: path.replace(PREFIX, ""),
    sdk: sdk.split("."),
    access: accessOf(raw.security),
    summary: raw.summary,
    description: raw.description,
    pathParameters: within("path"),
    query,
    body: body?.schema,
    bodyFields: Object.keys(bodySchema.properties ?? {}),
    isBodyRequired: (bodySchema.required ?? []).length > 0,
    response,
    item: isPaged ? data?.items : undefined,
    requiresAgent: parameters.some(({ name, required }) => name === "X-Agent-ID" && required === true),
    example: body?.example,
  };
}

function parameterOf({ name, description = "", schema, required = false }: RawParameter): Parameter {
  return { name, description, schema, isRequired: required };
}

function accessOf(security: RawOperation["security"]): Access {
  const accepts = (scheme: string) => security.some((requirement) => scheme in requirement);
  if (security.length === 0) return "public";
  if (!accepts("dashboardToken")) return "signed";
  return accepts("apiKey") ? "tenant" : "dashboard";
}
