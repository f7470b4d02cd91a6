import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type {
  ContextConfigDefault,
  FastifyBaseLogger,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  HTTPMethods,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
  RouteGenericInterface,
  RouteHandlerMethod,
} from "fastify";
import { type TObject, type TSchema, type TString, Type } from "typebox";
import type { App } from "../app.ts";
import { type ErrorCode, statusOf } from "../foundation/errors.ts";
import type { KybUse, Scope } from "../foundation/vocabulary.ts";
import { Problem } from "../foundation/wire/problem.ts";
import type { LoadedApiKey } from "../modules/developers/keys/load-api-key.ts";
import type { VendorEvent } from "../ports/vendor-webhooks.ts";
import type { AdminPrincipal, Principal } from "./auth/principal.ts";
import type { ResponseHeader } from "./documented-headers.ts";
import type { UnsentBytes } from "./unsent-bytes.ts";

/**
 * The maximum request body size of each credential class, in bytes (docs/rules/credentials.md and
 * docs/rules/requests.md).
 */
export const BODY_BYTES_MAX = {
  public: 16 * 1024,
  dashboard: 256 * 1024,
  admin: 256 * 1024,
  signed: 256 * 1024,
  tenant: 256 * 1024,
  vendor: 1024 * 1024,
} as const;

type CredentialClass = keyof typeof BODY_BYTES_MAX;

export function isCredentialClass(text: string | undefined): text is CredentialClass {
  return text !== undefined && Object.hasOwn(BODY_BYTES_MAX, text);
}

/** What the server, its hooks and the OpenAPI document need to know of an endpoint besides its schemas. */
interface RouteConfig {
  /** The route's credential class (docs/rules/credentials.md). The server does not start if a route has none. */
  readonly auth: CredentialClass;
  /**
   * The required scope, or null if none is required (docs/rules/scopes.md). Must be set on `signed` and `tenant`
   * routes.
   */
  readonly scope?: Scope | null;
  /** Whether API keys with `agent_ids` can call the route (docs/rules/scopes.md). Default: they cannot. */
  readonly agentBound?: "allowed";
  /** Set if the request must have `X-Agent-ID`, for the OpenAPI document. */
  readonly agentHeader?: "required";
  /** Set if the route is only for test mode. In live mode it responds `live_wallet` before it reads the request. */
  readonly testOnly?: true;
  /** Whether API keys with `project_ids` can call the route. Default: only if the path has the id of a project. */
  readonly projectBound?: "allowed";
  /**
   * Whether developers with an unverified email address can call the route (docs/rules/credentials.md). Default: they
   * cannot.
   */
  readonly unverified?: "allowed";
  /**
   * Set if a call can move money. The route must reply with `replyToMoneyRequest`, which accepts a signature only once.
   * The server does not start if a `signed` POST does not set this, unless its path ends with `/simulate`.
   */
  readonly movesMoney?: true;
  /**
   * When the route accepts a signature only once: `always`, or only with `REPLAY_GUARD=strict`. Use `always` if a
   * repeated call could let money or access flow again, or responds with a secret. The server does not start if a POST,
   * PUT, PATCH or DELETE that accepts signed requests sets neither this nor `movesMoney`. A GET without it accepts a
   * signature again.
   */
  readonly replayGuard?: "always" | "strict";
  /**
   * Set if production requires a verified business for it in live mode, unless `KYB_REQUIRED_FOR` lacks this value
   * (docs/rules/kyb.md).
   */
  readonly requiresKyb?: KybUse;
  /** The response is a stream of events, which stays open. */
  readonly isEventStream?: true;
  /** The route is a page or a health probe, not an API call. It accepts HEAD and needs no credential. */
  readonly page?: true;
  /**
   * The format of the request body. Default: JSON. `form_or_json` is for calls that OAuth clients or pages make too,
   * which send forms.
   */
  readonly bodyFormat?: "form" | "form_or_json";
  /** Ignores unknown query parameters instead of rejecting them (docs/rules/requests.md). */
  readonly ignoresUnknownQuery?: true;
  /** Response headers of this route in addition to those of its class, for the OpenAPI document. */
  readonly responseHeaders?: readonly ResponseHeader[];
  /**
   * The SDKs' method for the endpoint, for example `projects.services.add`. Required unless the credential class is `admin`
   * or `vendor`.
   */
  readonly sdk?: string;
  /** The codes of the errors that the endpoint throws in addition to those of its credential class. */
  readonly errors?: readonly ErrorCode[];
  /**
   * A request body for the API reference and the conformance check. A value such as `AGENT_ID` stands for an id of the
   * caller's.
   */
  readonly example?: object;
}

declare module "fastify" {
  interface FastifyContextConfig extends RouteConfig {}
  interface FastifyInstance {
    /**
     * Counts a failed authentication against the rate limit of the client's network. The error handler already counts
     * every 401 that a route throws. Call this only if a route does not throw a 401 for the failure.
     */
    countFailure(address: string): void;
    /** Counts the bytes of responses that clients have not received yet. */
    readonly unsentBytes: UnsentBytes;
  }
  interface FastifyRequest {
    /** The authenticated developer. Null on `public`, `admin` and `vendor` routes. */
    principal: Principal | null;
    /**
     * The key of a signed request, also if the request is then refused, and when its signature was checked. Null if the
     * signature was not accepted.
     */
    authenticated: {
      readonly key: Pick<LoadedApiKey, "tenantId" | "keyId" | "mode">;
      readonly startedAtMs: number;
    } | null;
    /** The authenticated admin. Null on all other routes. */
    admin: AdminPrincipal | null;
    /** The verified event on `vendor` routes. Null if it is about nothing that has an id, and on all other routes. */
    vendorEvent: VendorEvent | null;
    /** The body's bytes, which the signature covers. */
    rawBody: Buffer;
    /** The client's `Content-Type` header, which is replaced before Fastify parses the body. */
    sentContentType: string | undefined;
  }
}

export type Server = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyBaseLogger,
  TypeBoxTypeProvider
>;

/** Adds one or more endpoints to the server. `tag`: their group in the OpenAPI document. */
export type Route = (server: Server, app: App, tag?: string) => void;

/** Puts routes into a group of the OpenAPI document (`TAGS` in `service/api-document/introduction.ts`). */
export function withTag(tag: string, routes: readonly Route[]): readonly Route[] {
  return routes.map(
    (route): Route =>
      (server, app) =>
        route(server, app, tag),
  );
}

/** The names of the path's parameters. */
export type NamesIn<Url extends string> = Url extends `${string}/:${infer Name}/${infer Rest}`
  ? Name | NamesIn<`/${Rest}`>
  : Url extends `${string}/:${infer Name}`
    ? Name
    : never;

/** `GET /path`, or `GET|HEAD /path`. */
type Call = `${HTTPMethods}${"" | "|HEAD"} ${string}`;

type UrlOf<Called extends Call> = Called extends `${string} ${infer Url}` ? Url : never;

/** Parameters of the path, which are texts unless the endpoint describes them. */
type PathParameters<Called extends Call> = TObject<{ [Name in NamesIn<UrlOf<Called>>]: TString }>;

type Run<Schema extends FastifySchema> = RouteHandlerMethod<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  RouteGenericInterface,
  ContextConfigDefault,
  Schema,
  TypeBoxTypeProvider,
  FastifyBaseLogger
>;

interface Endpoint<Params, Query, Body, Answers> extends RouteConfig {
  /** The name in the OpenAPI document, in which an endpoint without one does not appear. */
  readonly operationId?: string;
  readonly summary?: string;
  readonly description?: string;
  readonly params?: Params;
  /** Default: no query parameters. */
  readonly query?: Query;
  readonly headers?: TObject;
  /** Default: no body. */
  readonly body?: Body;
  /** The schema of each successful response by its status, and of errors that are not only a `Problem`. */
  readonly answers?: Answers;
  /** Runs before the request is validated. */
  readonly onRequest?: (app: App, request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  /** Returns the body of the response, or sends it. */
  readonly run: (
    app: App,
    ...call: Parameters<
      Run<{ readonly params: Params; readonly querystring: Query; readonly body: Body; readonly response: Answers }>
    >
  ) => ReturnType<
    Run<{ readonly params: Params; readonly querystring: Query; readonly body: Body; readonly response: Answers }>
  >;
}

/** Declares one endpoint. `call` is its method and path, for example `GET /agents/:agent_id`. */
export function endpoint<
  const Called extends Call,
  const Query extends TSchema,
  const Body extends TSchema,
  const Answers extends Readonly<Record<number, unknown>>,
  const Params extends TSchema = PathParameters<Called>,
>(
  call: Called,
  {
    operationId,
    summary,
    description,
    params,
    query,
    headers,
    body,
    answers,
    onRequest,
    run,
    ...config
  }: Endpoint<Params, Query, Body, Answers>,
): Route {
  const [methods = "", url = ""] = call.split(" ");
  const names = [...url.matchAll(/:([a-z_]+)/g)].map(([, name = ""]) => [name, Type.String()]);
  const problems = (config.errors ?? []).map((code) => [statusOf(code), Problem]);
  const schema = {
    hide: operationId === undefined,
    operationId,
    summary,
    description,
    params: params ?? (names.length === 0 ? undefined : Type.Object(Object.fromEntries(names))),
    querystring: query,
    headers,
    body,
    consumes:
      config.bodyFormat === "form_or_json" ? ["application/json", "application/x-www-form-urlencoded"] : undefined,
    response: { ...Object.fromEntries(problems), ...answers },
  };
  const isInProject = url.includes("/:project_id");
  return (server, app, tag) => {
    server.route({
      method: (methods.includes("|") ? methods.split("|") : methods) as HTTPMethods | HTTPMethods[],
      url,
      config: { ...(isInProject && { projectBound: "allowed" }), ...config },
      schema: withoutUndefined({ ...schema, tags: tag === undefined ? undefined : [tag] }),
      ...(onRequest !== undefined && { onRequest: (request, reply) => onRequest(app, request, reply) }),
      // The schema's types are those of the request and of the reply, but Fastify cannot infer them from a parameter.
      handler: (request, reply) => run(app, request as never, reply as never),
    });
  };
}

function withoutUndefined(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
