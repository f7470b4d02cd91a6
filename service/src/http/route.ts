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

/** The credential classes, each with the largest body that its routes take (contract, rulings 2 and 4). */
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
    /** Which credential the endpoint asks for (contract, ruling 2). Every route says it; a server with one that does not refuses to start. */
    auth: CredentialClass;
    /** The scope that the route needs (contract, section 11). Said by every `signed` and `tenant` route; null where none is needed. */
    scope?: Scope | null;
    /** Whether a key that is bound to agents may call it at all (contract, ruling 5). Not said: it may not. */
    agentBound?: "allowed";
    /** Said by a route that a key which is bound to projects may not call: it would make what the key does not reach. */
    projectBound?: "refused";
    /** Whether somebody whose address is not verified may call it. Not said: they may not (contract, ruling 10). */
    unverified?: "allowed";
    /** Which requests the replay guard holds to one use of their signature: `money` always, `sensitive_read` when strict. */
    replayGuard?: "money" | "sensitive_read";
    /** A page or a probe outside the API: it takes HEAD, and no credential. */
    page?: true;
    /** What its body is sent as. Not said: JSON. OAuth's own clients send forms where others send JSON. */
    body?: "form" | "form_or_json";
    /** The one class of route in which a query parameter that is not known is ignored (contract, ruling 4). */
    ignoresUnknownQuery?: true;
    /** Headers of its own answers, beside those that every route of its class sends. For the OpenAPI document. */
    responseHeaders?: readonly ResponseHeader[];
  }
  interface FastifyInstance {
    /** Counts a 401 that a page has told by itself, in words for people, against the network of this address. */
    countFailure(address: string): void;
    /** Answers that are made and not sent yet. */
    readonly unsentBytes: UnsentBytes;
  }
  interface FastifyRequest {
    /** Who calls a route behind a developer's credential. */
    principal: Principal | null;
    /** Who calls a route of the admins'. */
    admin: AdminPrincipal | null;
    /** The body as it came, which is what was signed. */
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

/** One endpoint: adds itself to the server. */
export type Route = (server: Server, app: App) => void;

/** The developer's principal of a request behind a credential of theirs. */
export function principalOf(request: FastifyRequest): Principal {
  invariant(request.principal !== null, "a handler that needs a principal stands behind auth");
  return request.principal;
}

/** The admin whose request it is. */
export function adminOf(request: FastifyRequest): AdminPrincipal {
  invariant(request.admin !== null, "a handler that needs an admin stands behind admin auth");
  return request.admin;
}
