import type { FastifyRequest } from "fastify";
import type { App } from "../../app.ts";
import type { AuthFailureReason } from "../../foundation/vocabulary.ts";
import { networkOf } from "./client-network.ts";

/** Notes for its owner that a request under a key is refused, and why. Whoever sent it is told neither. */
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
 * Notes a 401 after the credential had been found good: only the replay guard refuses there, whoever it is that calls it.
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
