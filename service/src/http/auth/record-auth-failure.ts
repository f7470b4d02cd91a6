import type { FastifyRequest } from "fastify";
import type { App } from "../../app.ts";
import type { AuthFailureReason } from "../../foundation/vocabulary.ts";
import { networkOf } from "./client-network.ts";

/**
 * Records why a request with an API key was rejected, so that the key's owner can list the reasons. The response does
 * not contain the reason.
 */
export function recordAuthFailure(
  app: Pick<App, "clock" | "authFailures">,
  request: FastifyRequest,
  failure: {
    readonly keyHash: string;
    readonly reason: AuthFailureReason;
    readonly skewSeconds: number | null;
  },
): void {
  const network = networkOf(request.ip);
  app.authFailures.note({ ...failure, network, requestId: request.id }, app.clock.now());
}

/**
 * Records that the signature was used before. Called for every 401 that is thrown. Does nothing unless the request was
 * authenticated with an API key. The replay guard then causes the 401, unless `changeKeys` finds that the key was
 * revoked or expired during the request.
 */
export function recordReplay(
  app: Pick<App, "clock" | "authFailures">,
  request: FastifyRequest,
): void {
  const { principal } = request;
  if (principal?.kind !== "api_key") return;
  const { keyHash } = principal;
  recordAuthFailure(app, request, { keyHash, reason: "signature_replayed", skewSeconds: null });
}
