import { type Actor, appendAuditEntry } from "../../../audit/append.ts";
import { matchTotp } from "../../../crypto/totp.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { AppError, invalidField } from "../../../foundation/errors.ts";
import type { SaveResponse } from "../../../idempotency/claim.ts";
import { openVault } from "../../../vault/open-vault.ts";
import { mailNotice } from "../mail-notice.ts";
import { lockDeveloper } from "../queries.ts";
import { requireLiveSession } from "../sessions/require-live-session.ts";
import {
  type LoginProof,
  type RecentLoginAccess,
  requireRecentLogin,
} from "../sessions/require-recent-login.ts";
import { insertRecoveryCodes, lockTotp, markTotpConfirmed } from "./queries.ts";
import { hashRecoveryCode, newRecoveryCodes } from "./recovery-codes.ts";
import { totpSecretContext } from "./use-second-factor.ts";

export interface ConfirmTotp {
  readonly actor: Actor;
  /** What the device shows. */
  readonly code: string;
  readonly proof: LoginProof;
}

/**
 * Turns the second factor on, once a code has shown that its owner's device has the secret, and gives the recovery codes:
 * they leave here once. Sessions that are there already go on. Throws as `requireRecentLogin` does, and `conflict` where no
 * secret waits.
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
      throw new AppError("conflict", { detail: "No second factor waits to be confirmed." });
    }
    const secret = vault.open(totpSecretContext(tenantId), totp.secretSealed).toString("utf8");
    const step = matchTotp(secret, code, at);
    if (step === undefined) {
      throw invalidField("/body/code", "wrong_code", "is not what a device with this secret shows");
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
    await mailNotice(tx, { tenantId, template: "second_factor_enabled", to: email, at });
    await saveResponse(tx, recoveryCodes);
    return recoveryCodes;
  });
}
