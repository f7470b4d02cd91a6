import type { App } from "../../../app.ts";
import { AppError, invalidField } from "../../../foundation/errors.ts";
import type { VerifiedToken } from "../../../ports/external-token-issuers.ts";
import { VendorError } from "../../../ports/vendor-error.ts";

const LIFETIME_MAX_MS = 366 * 24 * 3_600_000;

/**
 * Verifies a token that another issuer issued about the agent. Calls the issuer, so it must not run in a transaction.
 * Throws `validation_error` if the token is invalid, is about another agent or expires in more than a year, and
 * `provider_unavailable` if the issuer's keys cannot be fetched.
 */
export async function verifyExternalToken(
  app: Pick<App, "clock" | "externalTokenIssuers"> & {
    readonly settings: Pick<App["settings"], "publicUrl">;
  },
  { token, agentId }: { readonly token: string; readonly agentId: string },
): Promise<VerifiedToken> {
  const now = app.clock.now();
  const verified = await app.externalTokenIssuers
    .verify({ token, audience: app.settings.publicUrl, now })
    .catch((thrown: unknown) => {
      throw asAppError(thrown);
    });
  if (!verified.subjects.some((subject) => subject.toLowerCase() === agentId)) {
    throw invalidToken("must be about this agent");
  }
  if (verified.expiresAt.getTime() - now.getTime() > LIFETIME_MAX_MS) {
    throw invalidToken("must expire within a year");
  }
  return verified;
}

function asAppError(thrown: unknown): unknown {
  if (!(thrown instanceof VendorError)) return thrown;
  if (thrown.failure === "unauthorized") {
    return invalidToken(
      "must be a valid token of a supported issuer, with this server as its audience",
    );
  }
  return new AppError("provider_unavailable", { internal: thrown.message, cause: thrown });
}

function invalidToken(detail: string): AppError {
  return invalidField("/body/external_token", "token", detail);
}
