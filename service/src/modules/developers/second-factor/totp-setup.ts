import { Type } from "typebox";
import type { App } from "../../../app.ts";
import type { Actor } from "../../../audit/append.ts";
import { enforceCallLimit } from "../../../call-limits/count-call.ts";
import { matchTotp, newTotpSecret, totpUrl } from "../../../crypto/totp.ts";
import { withTransaction } from "../../../db/transaction.ts";
import { AppError, invalidField } from "../../../foundation/errors.ts";
import { normalizeCode } from "../../../foundation/text.ts";
import { ListOf, NamedObject, Text } from "../../../foundation/wire/fields.ts";
import type { SaveResponse } from "../../../idempotency/claim.ts";
import { openVault } from "../../../vault/vault.ts";
import { recordAccountChange } from "../developers.ts";
import { enqueueNoticeEmail } from "../enqueue-emails.ts";
import { developerRows } from "../queries.ts";
import { requireLiveSession } from "../sessions/live-session.ts";
import { type LoginProof, type RecentLoginAccess, requireRecentLogin } from "../sessions/require-recent-login.ts";
import {
  deleteSecondFactor,
  developerRecoveryCodeRows,
  endChallenges,
  putUnconfirmedTotp,
  totpRows,
} from "./queries.ts";
import {
  countSecondFactorAttempt,
  hashRecoveryCode,
  hasSecondFactor,
  newRecoveryCodes,
  totpSecretContext,
  useSecondFactor,
} from "./use-second-factor.ts";

/** A secret for an authenticator app (docs/rules/logins.md). */
export const TotpEnrollmentResource = Type.Object(
  {
    secret: Text("The TOTP secret in Base32, for six-digit SHA-1 codes that change every 30 seconds. Shown only once."),
    otpauth_url: Text("The TOTP secret as an `otpauth` URL, for a QR code."),
  },
  { $id: "TotpEnrollment", description: "A secret for an authenticator app." },
);

/** The recovery codes for a second factor (docs/rules/logins.md). No other response contains them. */
export const RecoveryCodesResource = NamedObject("RecoveryCodes", {
  recovery_codes: ListOf(
    Type.String(),
    "Ten recovery codes, each valid once. They are returned only in this response: store them now.",
  ),
});

/** The secret for an authenticator app, in two formats. It is returned once and stored encrypted. */
export interface TotpSetup {
  /** Base32-encoded. */
  readonly secret: string;
  readonly otpauthUrl: string;
}

/** Creates a TOTP secret, replacing any unconfirmed one. Logins need no code until the secret is confirmed. */
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
    const { email } = await developerRows.lockAndGet(tx, { tenantId });
    await requireLiveSession(tx, actor, at);
    if (!(await putUnconfirmedTotp(tx, { tenantId, secretSealed, createdAt: at }))) {
      throw new AppError("already_exists", {
        detail: "This account already has a second factor. Disable it before you set up another device.",
      });
    }
    await recordAccountChange(tx, actor, { action: "developer.second_factor_begun", facts: { factor: "totp" }, at });
    const setup = { secret, otpauthUrl: totpUrl({ secret, account: email, issuer: "Purser" }) };
    await saveResponse(tx, setup);
    return setup;
  });
}

export interface ConfirmTotp {
  readonly actor: Actor;
  /** The code shown by the authenticator app. */
  readonly code: string;
  readonly proof: LoginProof;
}

/** Enables the second factor. The recovery codes cannot be retrieved later. Existing sessions stay valid. */
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
    const { email } = await developerRows.lockAndGet(tx, { tenantId });
    await requireLiveSession(tx, actor, at);
    const totp = await totpRows.lock(tx, { tenantId });
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
    await totpRows.update(tx, { tenantId }, { confirmedAt: at, lastStep: BigInt(step) });
    await developerRecoveryCodeRows.insert(
      tx,
      recoveryCodes.map((recovery) => ({
        tenantId,
        codeHash: hashRecoveryCode(recovery),
        createdAt: at,
      })),
    );
    await recordAccountChange(tx, actor, { action: "developer.second_factor_enabled", facts: { factor: "totp" }, at });
    await enqueueNoticeEmail(tx, { tenantId, template: "second_factor_enabled", to: email, at });
    await saveResponse(tx, recoveryCodes);
    return recoveryCodes;
  });
}

export interface DisableTotp {
  readonly actor: Actor;
  /** The code shown by the authenticator app, or a recovery code. */
  readonly code: string;
}

/** Deletes the secret and recovery codes. Logins that are waiting for a code must be restarted. */
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
    const { email } = await developerRows.lockAndGet(tx, { tenantId });
    await requireLiveSession(tx, actor, at);
    const factor = await useSecondFactor(tx, vault, { tenantId, code, at });
    if (factor === undefined) {
      throw invalidField("/body/code", "wrong_code", "is wrong or was already used");
    }
    await deleteSecondFactor(tx, tenantId);
    await endChallenges(tx, tenantId, at);
    await recordAccountChange(tx, actor, {
      action: "developer.second_factor_disabled",
      facts: { factor: "totp", proven_by: factor },
      at,
    });
    await enqueueNoticeEmail(tx, { tenantId, template: "second_factor_disabled", to: email, at });
    await saveResponse(tx, null);
    return null;
  });
}
