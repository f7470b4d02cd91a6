import { STATUS_CODES } from "node:http";
import type { FastifyContextConfig, RouteOptions } from "fastify";
import {
  HEADER_PARAMETERS,
  RESPONSE_HEADERS,
  type ResponseHeader,
  SIGNING_SCHEMES,
} from "../src/http/documented-headers.ts";

/** The parts of an OpenAPI operation that this module fills in. */
export interface Operation {
  readonly description?: string;
  readonly parameters?: readonly object[];
  readonly requestBody?: Response;
  readonly responses: Readonly<Record<string, Response>>;
}

interface Response {
  readonly description?: string;
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>;
}

/** The error statuses that every route can return. */
const EVERY_ROUTE = [400, 405, 408, 413, 415, 422, 429, 431, 500, 503];
/** The error statuses that every route with a credential can return. */
const WITH_CREDENTIAL = [401, 403];
/** The statuses of errors that occur before the credential is verified. */
const WITHOUT_CREDENTIAL = [400, 401, 405, 408, 431];
/**
 * Statuses of errors that are stored and returned again for the same Idempotency-Key (see `isFinal` in idempotency.ts).
 */
const REPLAYED = [402, 403, 404, 409, 422];
/** Descriptions of error responses. For other statuses, the standard status text is the description. */
const ERROR_DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: "The request is not valid HTTP.",
  401: "The credential is missing or invalid. The response does not state why.",
  402: "The project needs a payment method that can be charged.",
  403: "The request is not permitted, for example because a scope is missing or a spending cap is reached.",
  404: "The object does not exist, or the caller cannot access it.",
  405: "The path does not support this method. The `Allow` header lists the supported methods.",
  408: "The client did not send the request in time.",
  409: "The request conflicts with the object's current state, for example because a name is already taken.",
  413: "The request body is too large.",
  415: "The `Content-Type` or `Content-Encoding` of the request is not supported.",
  422: "A value in the request is invalid. See `detail` and `errors`.",
  429: "Too many requests were sent. `Retry-After` states when to try again.",
  431: "The request headers are too large.",
  500: "An internal error occurred.",
  502: "The provider rejected the call or returned an unusable response.",
  503: "The server or a vendor is temporarily unavailable. `Retry-After` states when to try again.",
};
const PROBLEM = { $ref: "#/components/schemas/Problem" };

const ALWAYS: readonly ResponseHeader[] = [
  "X-Request-Id",
  "X-Content-Type-Options",
  "Cache-Control",
  "Strict-Transport-Security",
];
const OF_SIGNED_REQUESTS: readonly ResponseHeader[] = [
  "RateLimit-Limit",
  "RateLimit-Remaining",
  "RateLimit-Reset",
  "RateLimit-Policy",
  "X-Svc-Key-Expires",
];

/** The components that operations refer to. */
export const sharedComponents = {
  headers: RESPONSE_HEADERS,
  parameters: HEADER_PARAMETERS,
  responses: Object.fromEntries(
    [...EVERY_ROUTE, 401, 402, 403, 404, 409, 502].map((status) => [problemName(status), problemResponse(status)]),
  ),
};

type Requirement = Readonly<Record<string, string[]>>;

const SIGNED: Requirement = Object.fromEntries(Object.keys(SIGNING_SCHEMES).map((scheme) => [scheme, []]));
const DASHBOARD: readonly Requirement[] = [{ dashboardToken: [] }, { dashboardCookie: [] }];
const ADMIN: readonly Requirement[] = [{ adminToken: [] }, { adminCookie: [] }];

/** For each credential class, the credentials that its routes accept. Any one of them is sufficient. */
const SECURITY: Readonly<Record<FastifyContextConfig["auth"], readonly Requirement[]>> = {
  public: [],
  dashboard: DASHBOARD,
  admin: ADMIN,
  signed: [SIGNED],
  tenant: [SIGNED, ...DASHBOARD],
  vendor: [{ stripeSignature: [] }, { bridgeSignature: [] }, { plaidSignature: [] }],
};

/**
 * Adds the credentials, header parameters, common responses and response headers that follow from the route's
 * configuration.
 */
export function completeOperation(operation: Operation, route: RouteOptions): Operation {
  const { config, schema, url } = route;
  const auth = config?.auth ?? "public";
  const parameters = [...(operation.parameters ?? []), ...headerParameters(route, auth)];
  const common = Object.fromEntries(
    [
      ...EVERY_ROUTE,
      ...(auth === "public" ? [] : WITH_CREDENTIAL),
      ...(url.includes("/:") ? [404] : []),
      // The replay guard responds 409, and so does `X-Svc-Developer`.
      ...(auth === "dashboard" || auth === "tenant" || config?.movesMoney || config?.replayGuard !== undefined
        ? [409]
        : []),
    ].map((status) => [status, {}]),
  );
  return {
    ...operation,
    security: SECURITY[auth],
    ...reachOf(operation, route),
    ...(config?.sdk !== undefined && { "x-sdk-method": config.sdk }),
    ...(config?.errors !== undefined && { "x-error-codes": config.errors }),
    ...(parameters.length > 0 && { parameters }),
    ...(operation.requestBody !== undefined && {
      requestBody: {
        ...withExample(operation.requestBody, config?.example),
        required: hasRequiredFields(schema?.body),
      },
    }),
    responses: Object.fromEntries(
      Object.entries({ ...common, ...operation.responses }).map(([status, response]) => [
        status,
        completeResponse(Number(status), response, route),
      ]),
    ),
  } as Operation;
}

function withExample({ content, ...body }: Response, example: object | undefined): Response {
  const media = Object.entries(content ?? {}).map(([type, one]) => [type, { ...one, ...(example && { example }) }]);
  return { ...body, content: Object.fromEntries(media) };
}

/** Which API keys can call the endpoint: the scope that they need, and the bound keys that it accepts. */
function reachOf({ description }: Operation, { config }: RouteOptions): object {
  const bound = [config?.agentBound && "agents", config?.projectBound && "projects"].filter(Boolean);
  return {
    ...(config?.scope && {
      description: `${description} Requires the scope \`${config.scope}\`.`,
      "x-required-scope": config.scope,
    }),
    ...(bound.length > 0 && { "x-bound-keys": bound }),
  };
}

function isKeyed({ method }: RouteOptions): boolean {
  return method === "POST" || method === "PATCH";
}

function headerParameters(route: RouteOptions, auth: FastifyContextConfig["auth"]): object[] {
  const names: (keyof typeof HEADER_PARAMETERS)[] = [];
  if (auth === "dashboard" || auth === "tenant") names.push("SvcMode", "SvcDeveloper");
  if (route.config?.agentHeader === "required") names.push("RequiredAgentId");
  else if (auth === "signed" || auth === "tenant") names.push("AgentId");
  if (isKeyed(route) && auth !== "vendor") names.push("IdempotencyKey");
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

/** An empty body is parsed as `{}`, so a body is required only if one of its fields is required. */
function hasRequiredFields(body: unknown): boolean {
  const { required = [] } = body as { readonly required?: readonly string[] };
  return required.length > 0;
}

function completeResponse(status: number, response: Response, route: RouteOptions): object {
  const own = route.config?.responseHeaders ?? [];
  if (status >= 400) {
    const [first, ...others] = Object.values(response.content ?? {});
    const isShared = first === undefined || isProblem(first.schema);
    if (isShared && others.length === 0) {
      return { $ref: `#/components/responses/${problemName(status)}` };
    }
    return { ...problemResponse(status, own, response.content), ...ownDescription(response) };
  }
  return {
    ...response,
    description: STATUS_CODES[status],
    ...ownDescription(response),
    headers: refsTo([...headersOfSuccess(status, route), ...own]),
  };
}

/** Returns the description in the route's response schema. Fastify sets "Default Response" if the schema has none. */
function ownDescription({ description }: Response): { readonly description?: string } {
  return description === undefined || description === "Default Response" ? {} : { description };
}

function isProblem(schema: object = {}): boolean {
  return "$ref" in schema && schema.$ref === PROBLEM.$ref;
}

/** Returns the OpenAPI object of an error response. The content is an RFC 9457 problem. Pages can also return HTML. */
function problemResponse(
  status: number,
  own: readonly ResponseHeader[] = [],
  { "application/json": json, ...others }: Response["content"] = {},
): object {
  return {
    description: ERROR_DESCRIPTIONS[status] ?? STATUS_CODES[status],
    headers: refsTo([...headersOfProblem(status), ...own]),
    content: { "application/problem+json": json ?? { schema: PROBLEM }, ...others },
  };
}

function headersOfProblem(status: number): ResponseHeader[] {
  const hasCredential = !WITHOUT_CREDENTIAL.includes(status);
  return [
    ...ALWAYS,
    // Some routes set these headers before the request is checked, so error responses can have them too.
    "Referrer-Policy",
    "Set-Cookie",
    "Vary",
    ...(hasCredential ? (["X-Svc-Mode", ...OF_SIGNED_REQUESTS] as const) : []),
    ...(REPLAYED.includes(status) ? (["Idempotent-Replayed"] as const) : []),
    ...([409, 429, 503].includes(status) ? (["Retry-After"] as const) : []),
    ...(status === 405 ? (["Allow"] as const) : []),
  ];
}

function headersOfSuccess(status: number, route: RouteOptions): ResponseHeader[] {
  const auth = route.config?.auth;
  const isTenantRoute = auth === "signed" || auth === "tenant";
  return [
    ...ALWAYS,
    ...(isTenantRoute || auth === "dashboard" ? (["X-Svc-Mode"] as const) : []),
    ...(isTenantRoute ? OF_SIGNED_REQUESTS : []),
    ...(isKeyed(route) && auth !== "public" && auth !== "vendor" ? (["Idempotent-Replayed"] as const) : []),
    ...(status === 303 ? (["Location"] as const) : []),
  ];
}

function refsTo(names: readonly ResponseHeader[]): object {
  return Object.fromEntries([...new Set(names)].map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Returns the component name of a status, such as `TooManyRequests` for 429. */
function problemName(status: number): string {
  return (STATUS_CODES[status] ?? "").replaceAll(/[^A-Za-z]/g, "");
}
