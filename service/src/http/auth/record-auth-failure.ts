import type { FastifyRequest } from "fastify";
import type { App } from "../../app.ts";
import { AppError } from "../../foundation/errors.ts";
import type { TenantId } from "../../foundation/ids.ts";
import type { AuthFailureReason } from "../../foundation/vocabulary.ts";
import { clientNetworkOf } from "./client-network.ts";

/**
 * Records why a request with an API key or a valid dashboard token was rejected, so that its owner can list the reasons. The
 * response does not contain the reason.
 */
export function recordAuthFailure(
  app: Pick<App, "clock" | "authFailures">,
  request: FastifyRequest,
  failure: {
    readonly keyHash: string | null;
    readonly tenantId?: TenantId;
    readonly reason: AuthFailureReason;
    readonly skewSeconds: number | null;
  },
): void {
  const network = clientNetworkOf(request.ip);
  app.authFailures.note({ ...failure, network, requestId: request.id }, app.clock.now());
}

/** Records that the request's signature was used before. Returns the 409. */
export function signatureReplayed(
  app: Pick<App, "clock" | "authFailures">,
  request: FastifyRequest,
  internal: string,
): AppError {
  const { principal } = request;
  if (principal?.kind === "api_key") {
    const { keyHash } = principal;
    recordAuthFailure(app, request, { keyHash, reason: "signature_replayed", skewSeconds: null });
  }
  return new AppError("signature_replayed", { internal });
}
