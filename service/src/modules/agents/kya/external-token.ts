import type { App } from "../../../app.ts";
import { sha256Hex } from "../../../crypto/signing.ts";
import type { Tx } from "../../../db/database.ts";
import { AppError, invalidField } from "../../../foundation/errors.ts";
import { requestSignatureRows } from "../../../idempotency/money/queries.ts";
import type { VerifiedToken } from "../../../ports/external-token-issuers.ts";
import { VendorError } from "../../../ports/vendor-error.ts";
import type { AgentKey } from "../queries.ts";
import { kyaSubject } from "./kya.ts";

const LIFETIME_MAX_MS = 366 * 24 * 3_600_000;

/**
 * Verifies a token that another issuer issued about the agent. Calls the issuer, so it must not run in a transaction.
 * Throws `validation_error` if the token is invalid, is about another agent, developer or mode, or expires in more than
 * a year, and `provider_unavailable` if the issuer's keys cannot be fetched.
 */
export async function verifyExternalToken(
  app: Pick<App, "clock" | "externalTokenIssuers"> & {
    readonly settings: Pick<App["settings"], "publicUrl">;
  },
  { token, key }: { readonly token: string; readonly key: AgentKey },
): Promise<VerifiedToken> {
  const now = app.clock.now();
  const verified = await app.externalTokenIssuers
    .verify({ token, audience: app.settings.publicUrl, now })
    .catch((thrown: unknown) => {
      throw asAppError(thrown);
    });
  if (!isAbout(verified, key)) {
    throw invalidToken("must be about this agent, of this developer and in this mode");
  }
  if (verified.expiresAt.getTime() - now.getTime() > LIFETIME_MAX_MS) {
    throw invalidToken("must expire within a year");
  }
  return verified;
}

/**
 * Records that the tenant has used the token. Throws `validation_error` if it was used before. A token names one developer,
 * so no other tenant can use it.
 */
export async function useExternalToken(
  tx: Tx,
  { tenantId }: AgentKey,
  { issuer, tokenId, expiresAt }: VerifiedToken,
): Promise<void> {
  const signatureHash = sha256Hex(JSON.stringify([issuer, tokenId]));
  const isNew = await requestSignatureRows.insertIfNew(tx, {
    tenantId,
    signatureHash,
    idempotencyKey: null,
    expiresAt,
  });
  if (!isNew) throw invalidToken("was used before: get a new token, with another `jti`");
}

/** Other developers can have agents with the same id, so the id alone is not enough. */
function isAbout({ subjects, owner, mode }: VerifiedToken, key: AgentKey): boolean {
  if (subjects.includes(kyaSubject(key))) return true;
  const isOwn = owner === key.tenantId && mode === key.mode;
  return isOwn && subjects.some((subject) => subject.toLowerCase() === key.agentId);
}

function asAppError(thrown: unknown): unknown {
  if (!(thrown instanceof VendorError)) return thrown;
  if (thrown.failure === "unauthorized") {
    return invalidToken("must be a valid token of a supported issuer, with this server as its audience");
  }
  return new AppError("provider_unavailable", { internal: thrown.message, cause: thrown });
}

function invalidToken(detail: string): AppError {
  return invalidField("/body/external_token", "token", detail);
}
