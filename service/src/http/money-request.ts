import type { FastifyReply, FastifyRequest, FastifySchema } from "fastify";
import type { App } from "../app.ts";
import { sha256Hex } from "../crypto/signing.ts";
import { AppError, problemBody } from "../foundation/errors.ts";
import type { MoneyAnswer, MoneyClaim } from "../idempotency/money/run-money-request.ts";
import { principalOf } from "./auth/principal.ts";
import { signatureReplayed } from "./auth/record-auth-failure.ts";
import { type BodyOf, callOf, type OnceOptions, type ReplyOf, replay, textReplyOf } from "./idempotency.ts";

/**
 * How long an Idempotency-Key is stored: 30 days instead of 24 hours, because a repeated call could cost money
 * (docs/rules/idempotency.md).
 */
export const MONEY_RETENTION_HOURS = 30 * 24;

declare module "fastify" {
  interface FastifyRequest {
    /** True if `replyToMoneyRequest` made the response. The server sends no other response of a route that moves money. */
    isMoneyRequest: boolean;
  }
}

/**
 * Replies to a request that moves money. `execute` passes the claim to `runMoneyRequest`, which runs the request once per
 * Idempotency-Key and signature, with or without an Idempotency-Key. Every route with `movesMoney` uses this function.
 */
export async function replyToMoneyRequest<
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
  }: Pick<OnceOptions<Result, Status, BodyOf<Schema, Status>>, "present"> & {
    /** The status of the response, or how it follows from the result. */
    readonly status: Status | ((result: Result) => Status);
  },
  execute: (claim: MoneyClaim<Result>) => Promise<MoneyAnswer>,
): Promise<FastifyReply> {
  const { reply, serialize, send } = textReplyOf(typedReply, present);
  const statusOf = typeof status === "function" ? status : () => status;
  const claim = claimOf<Result>(app, request, (result) => {
    const code = statusOf(result);
    return { status: code, body: serialize(result, code) };
  });
  const { response, isReplayed } = await execute(claim);
  request.isMoneyRequest = true;
  return isReplayed ? replay(reply, response) : send(response);
}

/**
 * Works like `replyToMoneyRequest` with the status 200, but stores a reference instead of the response. Each call under the
 * Idempotency-Key gets what `resolve` returns for it then. Used for money that moves after the request.
 */
export async function replyToMoneyRequestByReference<Reference extends object, const Schema extends FastifySchema>(
  app: App,
  request: FastifyRequest,
  typedReply: ReplyOf<Schema>,
  resolve: (reference: Reference, isReplayed: boolean) => Promise<BodyOf<Schema, 200>>,
  execute: (claim: MoneyClaim<Reference>) => Promise<MoneyAnswer>,
): Promise<FastifyReply> {
  const reply = typedReply as unknown as FastifyReply;
  const claim = claimOf<Reference>(app, request, (reference) => ({ status: 200, body: JSON.stringify(reference) }));
  const { response, isReplayed } = await execute(claim);
  request.isMoneyRequest = true;
  if (response.status >= 400) return replay(reply, response);
  if (isReplayed) reply.header("idempotent-replayed", "true");
  return reply.send(await resolve(JSON.parse(response.body) as Reference, isReplayed));
}

function claimOf<Result>(
  app: App,
  request: FastifyRequest,
  responseOf: (result: Result) => { readonly status: number; readonly body: string },
): MoneyClaim<Result> {
  const principal = principalOf(request);
  return {
    tenantId: principal.tenantId,
    call: callOf(app, request, { retentionHours: MONEY_RETENTION_HOURS }),
    signature:
      principal.kind === "api_key"
        ? {
            hash: sha256Hex(principal.signature),
            expiresAt: new Date(principal.signatureExpiresAtMs),
          }
        : undefined,
    responseOf: (outcome) =>
      outcome instanceof AppError
        ? { status: outcome.status, body: JSON.stringify(problemBody(outcome, request.id)) }
        : responseOf(outcome),
    rejectReplay: () => signatureReplayed(app, request, "replay guard: signature of a money request already used"),
  };
}
