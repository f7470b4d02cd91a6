import { type Actor, appendAuditEntry } from "../../../audit/append.ts";
import { matchTotp } from "../../../crypto/totp.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { AppError, invalidField } from "../../../foundation/errors.ts";
import { normalizeCode } from "../../../foundation/text/pasted-text.ts";
import type { SaveResponse } from "../../../idempotency/claim.ts";
import { openVault } from "../../../vault/open-vault.ts";
import { enqueueNoticeEmail } from "../enqueue-notice-email.ts";
import { lockDeveloper } from "../queries.ts";
import { requireLiveSession } from "../sessions/require-live-session.ts";
import { type LoginProof, type RecentLoginAccess, requireRecentLogin } from "../sessions/require-recent-login.ts";
import { insertRecoveryCodes, lockTotp, markTotpConfirmed } from "./queries.ts";
import { hashRecoveryCode, newRecoveryCodes } from "./recovery-codes.ts";
import { totpSecretContext } from "./use-second-factor.ts";

export interface ConfirmTotp {
  readonly actor: Actor;
  /** The code shown by the authenticator app. */
  readonly code: string;
  readonly proof: LoginProof;
}

/**
 * Enables the second factor if the code is correct, and returns the recovery codes, which cannot be retrieved later.
 * Existing sessions stay valid. Throws `validation_error` if the code is wrong, `conflict` if there is no unconfirmed
 * secret, and the errors of `requireRecentLogin`.
 */
export async function confirmTotp(
  app: RecentLoginAccess,
  { actor, code, proof }: ConfirmTotp,
  saveResponse: SaveResponse<readonly string[]>,
): Promise<readonly string[]> {
  const { tenantId } = actor;
  await requireRecentLogin(app, actor, proof);
  const at = app.clock.now();
  const vault = await openVault(app, tenantId);
  const recoveryCodes = newRecoveryCodes();
  return withTransaction(app.db, tenantId, async (tx) => {
    const { email } = await lockDeveloper(tx, tenantId);
    await requireLiveSession(tx, actor, at);
    const totp = await lockTotp(tx, tenantId);
    if (totp === undefined || totp.confirmedAt !== null) {
      throw new AppError("conflict", {
        detail: "There is no second factor to confirm. Start the TOTP setup first.",
      });
    }
    const secret = vault.open(totpSecretContext(tenantId), totp.secretSealed).toString("utf8");
    const step = matchTotp(secret, normalizeCode(code), at);
    if (step === undefined) {
      throw invalidField(
        "/body/code",
        "wrong_code",
        "is not the authenticator app's current code. Check the device's clock.",
      );
    }
    await markTotpConfirmed(tx, { tenantId, step, at });
    await insertRecoveryCodes(
      tx,
      recoveryCodes.map((recovery) => ({
        tenantId,
        codeHash: hashRecoveryCode(recovery),
        createdAt: at,
      })),
    );
    await appendAuditEntry(tx, actor, {
      action: "developer.second_factor_enabled",
      subject: { type: "developer", id: tenantId },
      facts: { factor: "totp" },
      occurredAt: at,
    });
    await enqueueNoticeEmail(tx, { tenantId, template: "second_factor_enabled", to: email, at });
    await saveResponse(tx, recoveryCodes);
    return recoveryCodes;
  });
}
