import type { App } from "../../../app.ts";
import { type Actor, appendAuditEntry } from "../../../audit/append.ts";
import { enforceCallLimit } from "../../../call-limits/count-call.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { AppError, invalidField } from "../../../foundation/errors.ts";
import type { SaveResponse } from "../../../idempotency/claim.ts";
import { openVault } from "../../../vault/open-vault.ts";
import { enqueueNoticeEmail } from "../enqueue-notice-email.ts";
import { lockDeveloper } from "../queries.ts";
import { requireLiveSession } from "../sessions/require-live-session.ts";
import { deleteSecondFactor, endChallenges } from "./queries.ts";
import { countSecondFactorAttempt, hasSecondFactor, useSecondFactor } from "./use-second-factor.ts";

export interface DisableTotp {
  readonly actor: Actor;
  /** The code shown by the authenticator app, or a recovery code. */
  readonly code: string;
}

/**
 * Disables the second factor and deletes its secret and recovery codes. Logins that are waiting for a code must be
 * restarted. Throws `conflict` if the account has no second factor, `validation_error` if the code is wrong, and
 * `rate_limited` after too many TOTP codes for the account.
 */
export async function disableTotp(
  app: Pick<App, "db" | "clock" | "settings" | "fastState" | "keyEncryptionKey" | "vaults">,
  { actor, code }: DisableTotp,
  saveResponse: SaveResponse<null>,
): Promise<null> {
  const { tenantId } = actor;
  const at = app.clock.now();
  if (!(await hasSecondFactor(app, tenantId))) {
    throw new AppError("conflict", { detail: "This account has no second factor." });
  }
  enforceCallLimit(await countSecondFactorAttempt(app, { tenantId, code }));
  const vault = await openVault(app, tenantId);
  return withTransaction(app.db, tenantId, async (tx) => {
    const { email } = await lockDeveloper(tx, tenantId);
    await requireLiveSession(tx, actor, at);
    const factor = await useSecondFactor(tx, vault, { tenantId, code, at });
    if (factor === undefined) {
      throw invalidField("/body/code", "wrong_code", "is wrong or was already used");
    }
    await deleteSecondFactor(tx, tenantId);
    await endChallenges(tx, tenantId, at);
    await appendAuditEntry(tx, actor, {
      action: "developer.second_factor_disabled",
      subject: { type: "developer", id: tenantId },
      facts: { factor: "totp", proven_by: factor },
      occurredAt: at,
    });
    await enqueueNoticeEmail(tx, { tenantId, template: "second_factor_disabled", to: email, at });
    await saveResponse(tx, null);
    return null;
  });
}
