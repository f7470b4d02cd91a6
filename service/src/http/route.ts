import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type {
  ContextConfigDefault,
  FastifyBaseLogger,
  FastifyContextConfig,
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
import { invariant } from "../foundation/invariant.ts";
import type { KybUse, Scope } from "../foundation/vocabulary.ts";
import type { VendorEvent } from "../ports/vendor-webhooks.ts";
import type { AdminPrincipal, Principal } from "./auth/principal.ts";
import type { ResponseHeader } from "./openapi-headers.ts";
import type { UnsentBytes } from "./unsent-bytes.ts";

/** The maximum request body size of each credential class, in bytes (docs/api.md, sections 1 and 3). */
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

declare module "fastify" {
  interface FastifyContextConfig {
    /** The route's credential class (docs/api.md, section 1). The server does not start if a route has none. */
    auth: CredentialClass;
    /**
     * The required scope, or null if none is required (docs/api.md, section 9). Must be set on `signed` and `tenant`
     * routes.
     */
    scope?: Scope | null;
    /** Whether API keys with `agent_ids` can call the route (docs/api.md, section 10). Default: they cannot. */
    agentBound?: "allowed";
    /** Set if the request must have `X-Agent-ID`, for the OpenAPI document. */
    agentHeader?: "required";
    /** Set if the route is only for test mode. In live mode it responds `live_wallet` before it reads the request. */
    testOnly?: true;
    /** Whether API keys with `project_ids` can call the route. Default: only if the path has the id of a project. */
    projectBound?: "allowed";
    /**
     * Whether developers with an unverified email address can call the route (docs/api.md, section 1). Default: they
     * cannot.
     */
    unverified?: "allowed";
    /**
     * Set if a call can move money. The route must reply with `replyToMoneyRequest`, which accepts a signature only once.
     * The server does not start if a `signed` POST does not set this, unless its path ends with `/simulate`.
     */
    movesMoney?: true;
    /**
     * When the route accepts a signature only once: `always`, or only with `REPLAY_GUARD=strict`. Use `always` if a
     * repeated call could let money or access flow again, or responds with a secret. The server does not start if a POST,
     * PUT, PATCH or DELETE that accepts signed requests sets neither this nor `movesMoney`. A GET without it accepts a
     * signature again.
     */
    replayGuard?: "always" | "strict";
    /**
     * Set if production requires a verified business for it in live mode, unless `KYB_REQUIRED_FOR` lacks this value
     * (docs/api.md, section 16.4).
     */
    requiresKyb?: KybUse;
    /** The route is a page or a health probe, not an API call. It accepts HEAD and needs no credential. */
    page?: true;
    /**
     * The format of the request body. Default: JSON. `form_or_json` is for calls that OAuth clients or pages make too,
     * which send forms.
     */
    body?: "form" | "form_or_json";
    /** Ignores unknown query parameters instead of rejecting them (docs/api.md, section 3). */
    ignoresUnknownQuery?: true;
    /** Response headers of this route in addition to those of its class, for the OpenAPI document. */
    responseHeaders?: readonly ResponseHeader[];
    /**
     * A code sample for the API reference, required on every `signed` and `tenant` route. `sdk` is the SDK call, in
     * which the word BODY is replaced with the value of `body`. A value of the body such as `AGENT_ID` stands for the
     * environment variable with this name. If the call starts with `each`, the sample iterates over a list. `query` is
     * appended to the path of the shell sample, which sends `X-Agent-ID` with `asAgent`.
     */
    sample?: {
      readonly sdk: string;
      readonly body?: object;
      readonly query?: string;
      readonly asAgent?: true;
    };
  }
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

/** Puts routes into a group of the OpenAPI document (`TAGS` in `openapi-introduction.ts`). */
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

/** The schema with the path's parameters, which are texts unless the schema describes them. */
type WithPath<Url extends string, Schema extends FastifySchema> = Schema extends { readonly params: TSchema }
  ? Schema
  : Schema & { readonly params: TObject<{ [Name in NamesIn<Url>]: TString }> };

type Handler<Schema extends FastifySchema> = RouteHandlerMethod<
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  RouteGenericInterface,
  ContextConfigDefault,
  Schema,
  TypeBoxTypeProvider,
  FastifyBaseLogger
>;

/** `GET /path`, or `GET|HEAD /path`. */
type Call = `${HTTPMethods}${"" | "|HEAD"} ${string}`;

type UrlOf<Called extends Call> = Called extends `${string} ${infer Url}` ? Url : never;

interface Endpoint<Url extends string, Schema extends FastifySchema> {
  readonly config: FastifyContextConfig;
  /** `response` contains only what follows neither from the credential class nor from the path and the replay guard. */
  readonly schema: Schema;
  /** Runs before the request is validated. */
  readonly onRequest?: (app: App, request: FastifyRequest, reply: FastifyReply) => Promise<void>;
  readonly handler: (
    app: App,
    ...call: Parameters<Handler<WithPath<Url, Schema>>>
  ) => ReturnType<Handler<WithPath<Url, Schema>>>;
}

/** Returns the route of one endpoint. `call` is its method and path, for example `GET /agents/:agent_id`. */
export function endpoint<const Called extends Call, const Schema extends FastifySchema>(
  call: Called,
  { config, schema, onRequest, handler }: Endpoint<UrlOf<Called>, Schema>,
): Route {
  const [methods = "", url = ""] = call.split(" ");
  const isInProject = url.includes("/:project_id");
  const names = [...url.matchAll(/:([a-z_]+)/g)].map(([, name = ""]) => [name, Type.String()]);
  const params = names.length === 0 ? undefined : Type.Object(Object.fromEntries(names));
  return (server, app, tag) => {
    server.route({
      method: (methods.includes("|") ? methods.split("|") : methods) as HTTPMethods | HTTPMethods[],
      url,
      config: { ...(isInProject && { projectBound: "allowed" }), ...config },
      schema: { ...(params !== undefined && { params }), ...(tag !== undefined && { tags: [tag] }), ...schema },
      ...(onRequest !== undefined && { onRequest: (request, reply) => onRequest(app, request, reply) }),
      // The schema's types are those of the request and of the reply, but Fastify cannot infer them from a parameter.
      handler: (request, reply) => handler(app, request as never, reply as never),
    });
  };
}

/** Returns the authenticated developer. Call it only on routes that require a developer's credential. */
export function principalOf(request: FastifyRequest): Principal {
  invariant(request.principal !== null, "the route requires a developer's credential");
  return request.principal;
}

/** Returns the authenticated admin. Call it only on `admin` routes. */
export function adminOf(request: FastifyRequest): AdminPrincipal {
  invariant(request.admin !== null, "the route requires an admin's credential");
  return request.admin;
}
