import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type {
  FastifyContextConfig,
  FastifyReply,
  FastifyRequest,
  FastifySchema,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
  RouteGenericInterface,
} from "fastify";
import type { Static, TSchema } from "typebox";
import type { App } from "../app.ts";
import { sha256Hex } from "../crypto/signing.ts";
import { AppError, authenticationFailed, invalidField, problemBody } from "../foundation/errors.ts";
import { isUuid, type TenantId } from "../foundation/ids.ts";
import {
  claimKey,
  deleteStoredResponse,
  discardResponse,
  findStoredResponse,
  type IdempotentCall,
  releaseKey,
  type SaveResponse,
  type StoredResponse,
  storeRefusal,
  storeResponse,
  storeSecretIssued,
} from "../idempotency/claim.ts";
import { countHeader, singleHeader } from "./auth/request-headers.ts";

import { adminOf, principalOf } from "./route.ts";

const KEYED_METHODS = new Set(["POST", "PATCH"]);

/** The reply of a route with this schema. */
type ReplyOf<Schema extends FastifySchema> = FastifyReply<
  RouteGenericInterface,
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyContextConfig,
  Schema,
  TypeBoxTypeProvider
>;

/** The body that the route's schema declares for this status. */
type BodyOf<Schema extends FastifySchema, Status extends number> = Schema extends {
  readonly response: { readonly [Key in Status]: infer Body extends TSchema };
}
  ? Static<Body>
  : never;

/** What a caller gets of an operation that they may repeat by a key. */
export interface OnceOptions<Result, Status, Body> {
  readonly status: Status;
  /** Null where the answer is empty. */
  present(result: Result): Body;
  /** The answer holds a secret: it is stored nowhere, and the same call again is `secret_already_issued`. */
  readonly secret?: true;
  /** 24 unless the operation costs money. */
  readonly retentionHours?: number;
  /** Of a call by an admin: whom it is about. Its record stands among theirs, with what the call does. */
  readonly about?: TenantId;
}

/** The request's Idempotency-Key. Undefined where it has none, or a method that ignores it. Anything but a UUID is refused. */
export function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  if (!KEYED_METHODS.has(request.method)) return undefined;
  const count = countHeader(request, "idempotency-key");
  if (count === 0) return undefined;
  const key = singleHeader(request, "idempotency-key");
  if (count > 1 || !isUuid(key)) {
    throw invalidField("/headers/idempotency-key", "format", "must be one UUID");
  }
  return key.toLowerCase();
}

/**
 * Performs an operation once for its Idempotency-Key, and answers with what it gave. The operation calls the receipt before
 * it commits, so that its answer is stored exactly when it has happened. The same call again gets the very same bytes.
 */
export async function replyOnce<
  Result,
  const Schema extends FastifySchema,
  Status extends 200 | 201 | 202 | 204,
>(
  app: App,
  request: FastifyRequest,
  typedReply: ReplyOf<Schema>,
  {
    status,
    present,
    secret,
    retentionHours = 24,
    about,
  }: OnceOptions<Result, Status, BodyOf<Schema, Status>>,
  perform: (saveResponse: SaveResponse<Result>) => Promise<Result>,
): Promise<FastifyReply> {
  // The body is sent as the text that is stored. Its type is checked by `present`.
  const reply = typedReply as unknown as FastifyReply;
  const send = (body: string) => {
    reply.code(status);
    if (body === "") return reply.send(null);
    return reply.header("content-type", "application/json; charset=utf-8").send(body);
  };
  const serialize = (result: Result) => {
    const shown: unknown = present(result);
    if (shown === null) return "";
    return String(reply.serializeInput(shown as Record<string, unknown>, String(status)));
  };

  const call = callOf(request, { retentionHours, about });
  if (call === undefined) return send(serialize(await perform(discardResponse)));

  const stored = await (request.mayOnlyReplay ? replayOnly(app, call) : claimKey(app, call));
  if (stored !== undefined) return replay(reply, stored);
  try {
    let body: string | undefined;
    const result = await perform(async (tx, made) => {
      if (secret) return storeSecretIssued(tx, call);
      body = serialize(made);
      return storeResponse(tx, call, { status, body });
    });
    return send(body ?? serialize(result));
  } catch (thrown) {
    await settleFailure(app, call, thrown, request.id);
    throw thrown;
  }
}

/** What a reference resolves to now: the body of the answer, or the error that the operation failed with. */
export type ReferenceOutcome<Body> =
  | { readonly kind: "answer"; readonly body: Body }
  | { readonly kind: "refusal"; readonly error: AppError };

/**
 * As `replyOnce`, for an operation that continues after its call, or whose answer holds a secret or an address that may be
 * returned again but must not be stored. A reference is stored in place of the answer, and resolved for each reply.
 *
 * An operation that failed with a 5xx is not an answer: the same call again starts a new one.
 */
export async function replyByReference<
  Reference extends object,
  const Schema extends FastifySchema,
  Status extends 200 | 202,
>(
  app: App,
  request: FastifyRequest,
  typedReply: ReplyOf<Schema>,
  {
    status,
    resolve,
    retentionHours = 24,
    about,
  }: {
    readonly status: Status;
    /** Reads the operation's current state. */
    resolve(reference: Reference): Promise<ReferenceOutcome<BodyOf<Schema, Status>>>;
    readonly retentionHours?: number;
    /** As in `OnceOptions`. */
    readonly about?: TenantId;
  },
  perform: (saveResponse: SaveResponse<Reference>) => Promise<Reference>,
): Promise<FastifyReply> {
  const reply = typedReply as unknown as FastifyReply;
  const call = callOf(request, { retentionHours, about });
  const answer = async (reference: Reference) => {
    const outcome = await resolve(reference);
    if (outcome.kind === "answer") {
      reply.code(status);
      return reply.send(outcome.body);
    }
    if (call !== undefined && !isFinal(outcome.error))
      await deleteStoredResponse(app, call, JSON.stringify(reference));
    throw outcome.error;
  };
  if (call === undefined) return answer(await perform(discardResponse));

  const stored = await (request.mayOnlyReplay ? replayOnly(app, call) : claimKey(app, call));
  if (stored !== undefined) {
    reply.header("idempotent-replayed", "true");
    if (stored.status < 400) return answer(JSON.parse(stored.body) as Reference);
    return replay(reply, stored);
  }
  const reference = await perform((tx, made) =>
    storeResponse(tx, call, { status, body: JSON.stringify(made) }),
  ).catch(async (thrown: unknown) => {
    await settleFailure(app, call, thrown, request.id);
    throw thrown;
  });
  return answer(reference);
}

declare module "fastify" {
  interface FastifyRequest {
    /** The replay guard has seen this signature with this very key: the request may be answered, and may do nothing. */
    mayOnlyReplay: boolean;
  }
}

function callOf(
  request: FastifyRequest,
  {
    retentionHours,
    about,
  }: { readonly retentionHours: number; readonly about?: TenantId | undefined },
): IdempotentCall | undefined {
  const idempotencyKey = idempotencyKeyOf(request);
  if (idempotencyKey === undefined) {
    if (request.mayOnlyReplay) throw authenticationFailed("replay guard: seen, and without a key");
    return undefined;
  }
  const caller = about === undefined ? developerOf(request) : adminAbout(request, about);
  const { reach, ...scope } = caller;
  const agentId = singleHeader(request, "x-agent-id");
  const parts = [request.url, agentId, sha256Hex(bodyWithoutPassword(request)), ...reach];
  return {
    ...scope,
    method: request.method,
    route: request.routeOptions.url ?? "",
    idempotencyKey,
    fingerprint: sha256Hex(JSON.stringify(parts)),
    retentionHours,
  };
}

/** A fingerprint is stored. The fast hash of a password could be guessed offline, so it is left out. */
function bodyWithoutPassword({ body, rawBody }: FastifyRequest): string | Buffer {
  if (typeof body !== "object" || body === null || !("password" in body)) return rawBody;
  return JSON.stringify({ ...body, password: undefined });
}

/** Whose records a call stands among, and what another caller must share with this one to be given its answer. */
interface Caller extends Pick<IdempotentCall, "tenantId" | "mode" | "agentIds"> {
  readonly reach: readonly unknown[];
}

function developerOf(request: FastifyRequest): Caller {
  const principal = principalOf(request);
  const bound = principal.kind === "api_key" ? principal : { agentIds: [], projectIds: [] };
  return {
    tenantId: principal.tenantId,
    mode: principal.mode ?? "live",
    agentIds: bound.agentIds,
    // A stored answer is for keys of the same reach only, since nobody asks again whether its object is within it.
    reach: bound.projectIds.length === 0 ? [] : [[...bound.projectIds].sort()],
  };
}

function adminAbout(request: FastifyRequest, tenantId: TenantId): Caller {
  return { tenantId, mode: "live", agentIds: [], reach: [adminOf(request).adminId] };
}

async function replayOnly(app: App, call: IdempotentCall): Promise<StoredResponse> {
  const stored = await findStoredResponse(app, call);
  if (stored === undefined)
    throw authenticationFailed("replay guard: seen, and no answer is stored");
  return stored;
}

function replay(reply: FastifyReply, { status, body }: StoredResponse): FastifyReply {
  reply.code(status).header("idempotent-replayed", "true");
  if (body === "") return reply.send(null);
  const type = status < 400 ? "application/json" : "application/problem+json";
  return reply.header("content-type", `${type}; charset=utf-8`).send(body);
}

/** A refusal by the object's state is an answer, and stays one. What was never looked at, or went wrong here, is not. */
async function settleFailure(app: App, call: IdempotentCall, thrown: unknown, requestId: string) {
  // The key is not this call's any more, and whoever has it now settles it.
  if (thrown instanceof AppError && thrown.code === "idempotency_in_flight") return;
  const settled =
    thrown instanceof AppError && isFinal(thrown)
      ? storeRefusal(app, call, {
          status: thrown.status,
          body: JSON.stringify(problemBody(thrown, requestId)),
        })
      : releaseKey(app, call);
  // A store that is out of reach now keeps the key in flight; its lease ends within the minute.
  await settled.catch(() => {});
}

const NOT_FINAL: ReadonlySet<string> = new Set(["validation_error", "reauthentication_required"]);

function isFinal({ status, code }: AppError): boolean {
  return status < 500 && status !== 429 && status !== 401 && !NOT_FINAL.has(code);
}
