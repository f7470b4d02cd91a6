import { type Actor, appendAuditEntry } from "../../../audit/append.ts";
import { newTotpSecret, totpUrl } from "../../../crypto/totp.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { AppError } from "../../../foundation/errors.ts";
import type { SaveResponse } from "../../../idempotency/claim.ts";
import { openVault } from "../../../vault/open-vault.ts";
import { lockDeveloper } from "../queries.ts";
import { requireLiveSession } from "../sessions/require-live-session.ts";
import {
  type LoginProof,
  type RecentLoginAccess,
  requireRecentLogin,
} from "../sessions/require-recent-login.ts";
import { putUnconfirmedTotp } from "./queries.ts";
import { totpSecretContext } from "./use-second-factor.ts";

/** What an authenticator app is given. Both hold the secret, leave here once, and are kept sealed only. */
export interface TotpSetup {
  /** Base 32. */
  readonly secret: string;
  readonly otpauthUrl: string;
}

/**
 * Makes a secret for codes by time, which asks nobody for a code until it is confirmed; one that waited before is replaced.
 * Throws as `requireRecentLogin` does, and `already_exists` where the account has a second factor.
 */
export async function beginTotp(
  app: RecentLoginAccess,
  { actor, proof }: { readonly actor: Actor; readonly proof: LoginProof },
  saveResponse: SaveResponse<TotpSetup>,
): Promise<TotpSetup> {
  const { tenantId } = actor;
  const at = app.clock.now();
  await requireRecentLogin(app, actor, proof);
  const vault = await openVault(app, tenantId);
  const secret = newTotpSecret();
  const secretSealed = vault.seal(totpSecretContext(tenantId), secret);
  return withTransaction(app.db, tenantId, async (tx) => {
    const { email } = await lockDeveloper(tx, tenantId);
    await requireLiveSession(tx, actor, at);
    if (!(await putUnconfirmedTotp(tx, { tenantId, secretSealed, createdAt: at }))) {
      throw new AppError("already_exists", {
        detail: "This account has a second factor. Disable it first to set up another device.",
      });
    }
    await appendAuditEntry(tx, actor, {
      action: "developer.second_factor_begun",
      subject: { type: "developer", id: tenantId },
      facts: { factor: "totp" },
      occurredAt: at,
    });
    const setup = { secret, otpauthUrl: totpUrl({ secret, account: email, issuer: "Purser" }) };
    await saveResponse(tx, setup);
    return setup;
  });
}
