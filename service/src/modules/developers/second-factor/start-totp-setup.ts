import { type Actor, appendAuditEntry } from "../../../audit/append.ts";
import { newTotpSecret, totpUrl } from "../../../crypto/totp.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { AppError } from "../../../foundation/errors.ts";
import type { SaveResponse } from "../../../idempotency/claim.ts";
import { openVault } from "../../../vault/open-vault.ts";
import { lockDeveloper } from "../queries.ts";
import { requireLiveSession } from "../sessions/require-live-session.ts";
import { type LoginProof, type RecentLoginAccess, requireRecentLogin } from "../sessions/require-recent-login.ts";
import { putUnconfirmedTotp } from "./queries.ts";
import { totpSecretContext } from "./use-second-factor.ts";

/** The secret for an authenticator app, in two formats. It is returned once and stored encrypted. */
export interface TotpSetup {
  /** Base32-encoded. */
  readonly secret: string;
  readonly otpauthUrl: string;
}

/**
 * Creates a TOTP secret, replacing any unconfirmed one. Logins need no code until the secret is confirmed. Throws
 * `already_exists` if the account already has a second factor, and the errors of `requireRecentLogin`.
 */
export async function startTotpSetup(
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
        detail: "This account already has a second factor. Disable it before you set up another device.",
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
