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
import { AppError, invalidField, problemBody } from "../foundation/errors.ts";
import { isUuid, type TenantId } from "../foundation/ids.ts";
import {
  claimKey,
  deleteStoredResponse,
  discardResponse,
  findStoredResponse,
  type IdempotentCall,
  isFinal,
  releaseKey,
  type SaveResponse,
  type StoredResponse,
  storeErrorResponse,
  storeResponse,
  storeSecretIssued,
} from "../idempotency/claim.ts";
import { adminOf, principalOf } from "./auth/principal.ts";
import { signatureReplayed } from "./auth/record-auth-failure.ts";
import { countHeader, singleHeader } from "./auth/request-headers.ts";

const KEYED_METHODS = new Set(["POST", "PATCH"]);

/** The reply type of a route with this schema. */
export type ReplyOf<Schema extends FastifySchema> = FastifyReply<
  RouteGenericInterface,
  RawServerDefault,
  RawRequestDefaultExpression,
  RawReplyDefaultExpression,
  FastifyContextConfig,
  Schema,
  TypeBoxTypeProvider
>;

/** The response body type that the schema declares for this status. */
export type BodyOf<Schema extends FastifySchema, Status extends number> = Schema extends {
  readonly response: { readonly [Key in Status]: infer Body extends TSchema };
}
  ? Static<Body>
  : never;

/** How `replyOnce` turns a command's result into a response. */
export interface OnceOptions<Result, Status, Body> {
  readonly status: Status;
  /** Returns the response body, or null for an empty one. */
  present(result: Result): Body;
  /**
   * Set if the response contains a secret. Such a response is not stored, and a repeated call throws
   * `secret_already_issued`.
   */
  readonly secret?: true;
  /** How many hours the response is stored. Default: 24. */
  readonly retentionHours?: number;
  /** On admin routes, the developer whose data the call changes. The idempotency record belongs to this developer. */
  readonly about?: TenantId;
}

/**
 * Returns the request's Idempotency-Key in lowercase, or undefined if there is none or the method ignores it. Throws
 * `validation_error` if the header is repeated or is not a UUID (docs/rules/idempotency.md).
 */
export function idempotencyKeyOf(request: FastifyRequest): string | undefined {
  if (!KEYED_METHODS.has(request.method)) return undefined;
  const count = countHeader(request, "idempotency-key");
  if (count === 0) return undefined;
  const key = singleHeader(request, "idempotency-key");
  if (count > 1 || !isUuid(key)) {
    throw invalidField("/headers/idempotency-key", "format", "must be a single UUID");
  }
  return key.toLowerCase();
}

/**
 * Runs a command once per Idempotency-Key and sends its result. The command calls `saveResponse` in its transaction, so
 * the response is stored if and only if the change commits. A repeated call gets the same bytes.
 */
export async function replyOnce<Result, const Schema extends FastifySchema, Status extends 200 | 201 | 202 | 204>(
  app: App,
  request: FastifyRequest,
  typedReply: ReplyOf<Schema>,
  { status, present, secret, retentionHours = 24, about }: OnceOptions<Result, Status, BodyOf<Schema, Status>>,
  execute: (saveResponse: SaveResponse<Result>) => Promise<Result>,
): Promise<FastifyReply> {
  const { reply, serialize, send } = textReplyOf(typedReply, present);
  const respond = (body: string) => send({ status, body });

  const call = callOf(app, request, { retentionHours, about });
  if (call === undefined) return respond(serialize(await execute(discardResponse), status));

  const stored = await (request.mayOnlyReplay ? replayOnly(app, request, call) : claimKey(app, call));
  if (stored !== undefined) return replay(reply, stored);
  try {
    let body: string | undefined;
    const result = await execute(async (tx, output) => {
      if (secret) return storeSecretIssued(tx, call);
      body = serialize(output, status);
      return storeResponse(tx, call, { status, body });
    });
    return respond(body ?? serialize(result, status));
  } catch (thrown) {
    await storeFailure(app, call, thrown, request.id);
    throw thrown;
  }
}

/**
 * Returns the reply for a body that is sent as JSON text, which Fastify's typed reply does not accept. The return type of
 * `present` is checked instead. `serialize` returns the text for a result.
 */
export function textReplyOf<Result, const Schema extends FastifySchema>(
  typedReply: ReplyOf<Schema>,
  present: (result: Result) => unknown,
) {
  const reply = typedReply as unknown as FastifyReply;
  return {
    reply,
    serialize: (result: Result, status: number): string => {
      const body = present(result);
      if (body === null) return "";
      return String(reply.serializeInput(body as Record<string, unknown>, String(status)));
    },
    send: ({ status, body }: StoredResponse): FastifyReply => {
      reply.code(status);
      if (body === "") return reply.send(null);
      return reply.header("content-type", "application/json; charset=utf-8").send(body);
    },
  };
}

/** The current outcome of an operation: the response body, or the error that it failed with. */
export type ReferenceOutcome<Body> =
  | { readonly kind: "response"; readonly body: Body }
  | { readonly kind: "error"; readonly error: AppError };

/**
 * Works like `replyOnce`, but stores a reference to the operation instead of the response. Each reply contains the
 * operation's current outcome, which `resolve` returns. Used for operations that continue after the call, and for
 * responses with a secret or URL, which must not be stored but can be returned again.
 *
 * If the operation failed with an error that is not final, such as a 5xx, the stored reference is deleted and a
 * repeated call starts a new operation.
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
    leaseMs,
    about,
  }: {
    readonly status: Status;
    /** Returns the operation's current outcome. */
    resolve(reference: Reference): Promise<ReferenceOutcome<BodyOf<Schema, Status>>>;
    readonly retentionHours?: number;
    /** How long a repeated call is rejected if the process crashes during the first one. See `claimKey`. */
    readonly leaseMs?: number;
    /** See `OnceOptions`. */
    readonly about?: TenantId;
  },
  execute: (saveResponse: SaveResponse<Reference>) => Promise<Reference>,
): Promise<FastifyReply> {
  const reply = typedReply as unknown as FastifyReply;
  const call = callOf(app, request, { retentionHours, about });
  const replyWithOutcome = async (reference: Reference) => {
    const outcome = await resolve(reference);
    if (outcome.kind === "response") {
      reply.code(status);
      return reply.send(outcome.body);
    }
    if (call !== undefined && !isFinal(outcome.error)) await deleteStoredResponse(app, call, JSON.stringify(reference));
    throw outcome.error;
  };
  if (call === undefined) return replyWithOutcome(await execute(discardResponse));

  const stored = await (request.mayOnlyReplay ? replayOnly(app, request, call) : claimKey(app, call, leaseMs));
  if (stored !== undefined) {
    reply.header("idempotent-replayed", "true");
    if (stored.status < 400) return replyWithOutcome(JSON.parse(stored.body) as Reference);
    return replay(reply, stored);
  }
  const reference = await execute((tx, output) =>
    storeResponse(tx, call, { status, body: JSON.stringify(output) }),
  ).catch(async (thrown: unknown) => {
    await storeFailure(app, call, thrown, request.id);
    throw thrown;
  });
  return replyWithOutcome(reference);
}

declare module "fastify" {
  interface FastifyRequest {
    /**
     * True if the replay guard has already seen this signature with the same Idempotency-Key. If true, only the stored
     * response can be returned.
     */
    mayOnlyReplay: boolean;
  }
}

/** Returns the call of a request with an Idempotency-Key, or undefined for a request without one. */
export function callOf(
  app: App,
  request: FastifyRequest,
  { retentionHours, about }: { readonly retentionHours: number; readonly about?: TenantId | undefined },
): IdempotentCall | undefined {
  const idempotencyKey = idempotencyKeyOf(request);
  if (idempotencyKey === undefined) {
    if (request.mayOnlyReplay)
      throw signatureReplayed(app, request, "replay guard: signature already used, and no Idempotency-Key");
    return undefined;
  }
  const caller = about === undefined ? developerCallerOf(request) : adminCallerOf(request, about);
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

/**
 * Returns the body without its password. The fingerprint contains a fast hash of the returned body. If that hash
 * covered the password, the password could be cracked offline.
 */
function bodyWithoutPassword({ body, rawBody }: FastifyRequest): string | Buffer {
  if (typeof body !== "object" || body === null || !("password" in body)) return rawBody;
  return JSON.stringify({ ...body, password: undefined });
}

interface Caller extends Pick<IdempotentCall, "tenantId" | "mode" | "agentIds"> {
  /**
   * What limits the caller's access, such as the projects of its API key. Included in the fingerprint, so that only a
   * caller with the same access gets the stored response.
   */
  readonly reach: readonly unknown[];
}

function developerCallerOf(request: FastifyRequest): Caller {
  const principal = principalOf(request);
  const bound = principal.kind === "api_key" ? principal : { agentIds: [], projectIds: [] };
  return {
    tenantId: principal.tenantId,
    mode: principal.mode ?? "live",
    agentIds: bound.agentIds,
    // A repeated call does not check again whether the API key can access the object, so the fingerprint includes the
    // projects that the API key can access.
    reach: bound.projectIds.length === 0 ? [] : [[...bound.projectIds].sort()],
  };
}

function adminCallerOf(request: FastifyRequest, tenantId: TenantId): Caller {
  return { tenantId, mode: "live", agentIds: [], reach: [adminOf(request).adminId] };
}

async function replayOnly(app: App, request: FastifyRequest, call: IdempotentCall): Promise<StoredResponse> {
  const stored = await findStoredResponse(app, call);
  if (stored === undefined)
    throw signatureReplayed(app, request, "replay guard: signature already used, and no stored response");
  return stored;
}

/** Sends the stored response of an earlier call. */
export function replay(reply: FastifyReply, { status, body }: StoredResponse): FastifyReply {
  reply.code(status).header("idempotent-replayed", "true");
  if (body === "") return reply.send(null);
  const type = status < 400 ? "application/json" : "application/problem+json";
  return reply.header("content-type", `${type}; charset=utf-8`).send(body);
}

/**
 * Stores a final error, such as a 409, as the response. Any other error releases the Idempotency-Key
 * (docs/rules/idempotency.md). Throws `idempotency_in_flight` if another call with the key has ended in the meantime:
 * the error can be due to what that call has changed, and only its outcome is final.
 */
async function storeFailure(app: App, call: IdempotentCall, thrown: unknown, requestId: string) {
  // `idempotency_in_flight` means that another call took over the Idempotency-Key, so this call must not release it.
  if (isInFlight(thrown)) return;
  const settled =
    thrown instanceof AppError && isFinal(thrown)
      ? storeErrorResponse(app, call, {
          status: thrown.status,
          body: JSON.stringify(problemBody(thrown, requestId)),
        })
      : releaseKey(app, call);
  await settled.catch((error: unknown) => {
    if (isInFlight(error)) throw error;
    // If the database does not respond, the Idempotency-Key remains reserved until its lease expires.
  });
}

function isInFlight(error: unknown): boolean {
  return error instanceof AppError && error.code === "idempotency_in_flight";
}
