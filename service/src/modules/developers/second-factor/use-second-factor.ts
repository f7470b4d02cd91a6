import { Secret } from "otpauth";
import type { App } from "../../../app.ts";
import { countCall } from "../../../call-limits/count-call.ts";
import { sha256Hex } from "../../../crypto/signing.ts";
import { matchTotp } from "../../../crypto/totp.ts";
import type { Tx } from "../../../db/database.ts";
import { withTransaction } from "../../../db/transaction.ts";
import type { TenantId } from "../../../foundation/ids.ts";
import { normalizeCode } from "../../../foundation/text.ts";
import type { TenantVault, VaultContext } from "../../../vault/vault.ts";
import { totpRows, useRecoveryCode, useTotpStep } from "./queries.ts";

export type SecondFactor = "totp" | "recovery_code";

/**
 * Limit on TOTP codes per account, across all callers and logins. Without a limit, an attacker could guess a code:
 * three of the million possible codes are valid at any time.
 *
 * Recovery codes cannot be guessed and are not counted. If an attacker who knows the password reaches the limit, the
 * owner can still log in with a recovery code.
 */
const TOTP_ATTEMPTS = { limit: 20, windowMs: 3_600_000 };

const TOTP_FORM = /^\d{6}$/;

export function totpSecretContext(tenantId: TenantId): VaultContext {
  return { kind: "developer_totp", subject: tenantId, field: "secret", version: 1 };
}

export async function hasSecondFactor({ db }: Pick<App, "db">, tenantId: TenantId): Promise<boolean> {
  const totp = await withTransaction(db, tenantId, (tx) => totpRows.find(tx, { tenantId }));
  return totp !== undefined && totp.confirmedAt !== null;
}

/**
 * Counts an attempt to enter a TOTP code. Called before the code is checked, so that concurrent attempts cannot exceed
 * the limit.
 */
export async function countSecondFactorAttempt(
  app: Pick<App, "fastState" | "clock" | "settings">,
  { tenantId, code }: { readonly tenantId: TenantId; readonly code: string },
): Promise<{ readonly allowed: boolean; readonly retryAfterMs: number }> {
  if (!TOTP_FORM.test(normalizeCode(code))) return { allowed: true, retryAfterMs: 0 };
  return countCall(app, `totp:${tenantId}`, TOTP_ATTEMPTS);
}

/** Uses a TOTP code or a recovery code and returns its kind. Returns undefined if the code is wrong or already used. */
export async function useSecondFactor(
  tx: Tx,
  vault: TenantVault,
  { tenantId, code: presented, at }: { readonly tenantId: TenantId; readonly code: string; readonly at: Date },
): Promise<SecondFactor | undefined> {
  const code = normalizeCode(presented);
  if (!TOTP_FORM.test(code)) {
    const isUsed = await useRecoveryCode(tx, { tenantId, codeHash: hashRecoveryCode(code), at });
    return isUsed ? "recovery_code" : undefined;
  }
  const totp = await totpRows.find(tx, { tenantId });
  if (totp === undefined) return undefined;
  const secret = vault.open(totpSecretContext(tenantId), totp.secretSealed).toString("utf8");
  const step = matchTotp(secret, code, at);
  const isUsed = step !== undefined && (await useTotpStep(tx, { tenantId, step }));
  return isUsed ? "totp" : undefined;
}

const CODE_COUNT = 10;
/** A code has 80 random bits and cannot be guessed, so an unsalted hash is safe. */
const CODE_BYTES = 10;

/**
 * Returns new recovery codes such as `ABCD-EFGH-IJKL-MNOP`. Base32 avoids the digits 0 and 1, which look like letters.
 */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: CODE_COUNT }, () => {
    const { base32 } = new Secret({ size: CODE_BYTES });
    return (base32.match(/.{4}/g) ?? []).join("-");
  });
}

/** Returns the hash under which a recovery code is stored. Ignores case, spaces and hyphens. */
export function hashRecoveryCode(code: string): string {
  return sha256Hex(normalizeCode(code).toUpperCase());
}
