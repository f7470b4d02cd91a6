import type { Selectable } from "kysely";
import type { Tx } from "../../../db/database.ts";
import type { Schema } from "../../../db/schema.ts";
import { tableOf } from "../../../db/table.ts";
import { updateWhere } from "../../../db/where.ts";
import type { TenantId } from "../../../foundation/ids.ts";

export const developerRecoveryCodeRows = tableOf("developerRecoveryCodes", ["tenantId", "codeHash"]);

/** The TOTP secrets, whether or not they are confirmed. Row-level security hides them outside the tenant's transactions. */
export const totpRows = tableOf("developerTotp", ["tenantId"]);

export const mfaChallengeRows = tableOf("mfaChallenges", ["tenantId", "tokenHash"]);
/** The challenges, even if they are no longer valid. */
export const mfaChallengeRowsByToken = tableOf("mfaChallenges", ["tokenHash"]);

type Challenge = Schema["mfaChallenges"];

/** Replaces any unconfirmed secret. Returns false if the account already has a confirmed one. */
export async function putUnconfirmedTotp(
  tx: Tx,
  totp: { readonly tenantId: TenantId; readonly secretSealed: Buffer; readonly createdAt: Date },
): Promise<boolean> {
  const { secretSealed, createdAt } = totp;
  const stored = await tx
    .insertInto("developerTotp")
    .values(totp)
    .onConflict((conflict) =>
      conflict
        .column("tenantId")
        .doUpdateSet({ secretSealed, createdAt })
        .where("developerTotp.confirmedAt", "is", null),
    )
    .returning("tenantId")
    .executeTakeFirst();
  return stored !== undefined;
}

interface TotpStep {
  readonly tenantId: TenantId;
  readonly step: number;
}

/**
 * Marks a time step and all earlier ones as used. Returns false if it is already used. Only one of several concurrent
 * calls succeeds.
 */
export async function useTotpStep(tx: Tx, { tenantId, step }: TotpStep): Promise<boolean> {
  const used = await updateWhere(tx, "developerTotp", { tenantId })
    .set({ lastStep: BigInt(step) })
    .where("confirmedAt", "is not", null)
    .where("lastStep", "<", BigInt(step))
    .returning("tenantId")
    .executeTakeFirst();
  return used !== undefined;
}

export async function deleteSecondFactor(tx: Tx, tenantId: TenantId): Promise<void> {
  await tx.deleteFrom("developerTotp").where("tenantId", "=", tenantId).execute();
  await tx.deleteFrom("developerRecoveryCodes").where("tenantId", "=", tenantId).execute();
}

/**
 * Marks a recovery code as used. Returns false if it is unknown or already used. Only one of several concurrent calls
 * succeeds.
 */
export async function useRecoveryCode(
  tx: Tx,
  { tenantId, codeHash, at }: { readonly tenantId: TenantId; readonly codeHash: string; readonly at: Date },
): Promise<boolean> {
  const used = await updateWhere(tx, "developerRecoveryCodes", { tenantId, codeHash })
    .set({ usedAt: at })
    .where("usedAt", "is", null)
    .returning("codeHash")
    .executeTakeFirst();
  return used !== undefined;
}

interface ChallengeKey {
  readonly tokenHash: string;
  readonly tenantId: TenantId;
  readonly at: Date;
}

export async function countAttempt(
  tx: Tx,
  { tokenHash, tenantId, at, attemptsMax }: ChallengeKey & { readonly attemptsMax: number },
): Promise<boolean> {
  const counted = await updateWhere(tx, "mfaChallenges", { tokenHash, tenantId })
    .set(({ eb, ref }) => ({ attempts: eb(ref("attempts"), "+", 1) }))
    .where("usedAt", "is", null)
    .where("expiresAt", ">", at)
    .where("attempts", "<", attemptsMax)
    .returning("attempts")
    .executeTakeFirst();
  return counted !== undefined;
}

/** Marks a challenge as used. Returns undefined if it is already used. */
export async function useChallenge(
  tx: Tx,
  { tokenHash, tenantId, at }: ChallengeKey,
): Promise<Pick<Selectable<Challenge>, "method" | "newSubject"> | undefined> {
  return updateWhere(tx, "mfaChallenges", { tokenHash, tenantId })
    .set({ usedAt: at })
    .where("usedAt", "is", null)
    .returning(["method", "newSubject"])
    .executeTakeFirst();
}

export async function endChallenges(tx: Tx, tenantId: TenantId, at: Date): Promise<void> {
  await updateWhere(tx, "mfaChallenges", { tenantId }).set({ usedAt: at }).where("usedAt", "is", null).execute();
}
