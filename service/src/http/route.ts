import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type {
  FastifyBaseLogger,
  FastifyInstance,
  FastifyRequest,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from "fastify";
import type { App } from "../app.ts";
import { invariant } from "../foundation/invariant.ts";
import type { Scope } from "../foundation/vocabulary.ts";
import type { AdminPrincipal, Principal } from "./auth/principal.ts";
import type { ResponseHeader } from "./openapi-headers.ts";
import type { UnsentBytes } from "./unsent-bytes.ts";

/** The credential classes and the maximum body size of their routes (docs/api.md, sections 1 and 3). */
export const BODY_BYTES_MAX = {
  public: 16 * 1024,
  dashboard: 256 * 1024,
  admin: 256 * 1024,
  signed: 256 * 1024,
  tenant: 256 * 1024,
} as const;

type CredentialClass = keyof typeof BODY_BYTES_MAX;

export function isCredentialClass(text: string | undefined): text is CredentialClass {
  return text !== undefined && Object.hasOwn(BODY_BYTES_MAX, text);
}

declare module "fastify" {
  interface FastifyContextConfig {
    /** The route's credential class (docs/api.md, section 1). The server does not start with a route that lacks it. */
    auth: CredentialClass;
    /** The required scope, or null for none (docs/api.md, section 9). Required for `signed` and `tenant` routes. */
    scope?: Scope | null;
    /** Whether keys with `agent_ids` can call the route (docs/api.md, section 10). Default: they cannot. */
    agentBound?: "allowed";
    /** Set if keys with `project_ids` cannot call the route, because it acts outside these projects. */
    projectBound?: "refused";
    /** Whether developers with an unverified address can call the route (docs/api.md, section 1). Default: they cannot. */
    unverified?: "allowed";
    /** When the replay guard applies: `money` always, `sensitive_read` with `REPLAY_GUARD=strict`. */
    replayGuard?: "money" | "sensitive_read";
    /** A page or a probe outside the API. It accepts HEAD and needs no credential. */
    page?: true;
    /** The format of the request body. Default: JSON. `form_or_json` is for OAuth clients, which send forms. */
    body?: "form" | "form_or_json";
    /** Ignores unknown query parameters instead of rejecting them (docs/api.md, section 3). */
    ignoresUnknownQuery?: true;
    /** Response headers in addition to those of the route's class. For the OpenAPI document. */
    responseHeaders?: readonly ResponseHeader[];
    /**
     * For the API reference, on every `signed` and `tenant` route: the SDK's call, with BODY for the body and `each` before
     * a list, and a body that works.
     */
    sample?: { readonly sdk: string; readonly body?: object };
  }
  interface FastifyInstance {
    /** Counts a failed login on a page, which sends no problem, against the rate limit of the client's network. */
    countFailure(address: string): void;
    /** The size of responses that are not sent yet. */
    readonly unsentBytes: UnsentBytes;
  }
  interface FastifyRequest {
    /** The authenticated developer. Null on `public` and `admin` routes. */
    principal: Principal | null;
    /** The authenticated admin. Null on all other routes. */
    admin: AdminPrincipal | null;
    /** The bytes of the body, which the signature covers. */
    rawBody: Buffer;
    /** The content type that the caller sent. */
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

/** Adds one or more endpoints to the server. */
export type Route = (server: Server, app: App) => void;

/** Returns the authenticated developer. Only for routes that require a developer's credential. */
export function principalOf(request: FastifyRequest): Principal {
  invariant(request.principal !== null, "the route requires a developer's credential");
  return request.principal;
}

/** Returns the authenticated admin. Only for `admin` routes. */
export function adminOf(request: FastifyRequest): AdminPrincipal {
  invariant(request.admin !== null, "the route requires an admin's credential");
  return request.admin;
}
