import type { Db, Tx } from "../../../db/database.ts";
import { inTurns } from "../../../db/pages.ts";
import type { Row } from "../../../db/schema.ts";
import { tableOf } from "../../../db/table.ts";
import { rowsWhere, selectWhere, updateWhere } from "../../../db/where.ts";
import type { TenantId } from "../../../foundation/ids.ts";

/** The sealed details of KYB cases. Row-level security hides them outside the tenant's transactions. */
export const kybCaseRows = tableOf("kybCases", ["tenantId"]);

export const kybDecisionRows = tableOf("kybDecisions", ["tenantId", "decisionId"]);

export type KybDecisionRow = Row<"kybDecisions">;

/** The columns of a developer that store the KYB status. */
export type KybColumns = Pick<Row<"developers">, "kybStatus" | "kybVerifiedAt" | "kybExpiresAt" | "kybReference">;

export async function findPendingDecision(tx: Tx, tenantId: TenantId): Promise<KybDecisionRow | undefined> {
  return rowsWhere(tx, "kybDecisions", { tenantId })
    .where("appliedAt", "is", null)
    .where("supersededAt", "is", null)
    .executeTakeFirst();
}

export async function findAppliedDecision(tx: Tx, tenantId: TenantId): Promise<KybDecisionRow | undefined> {
  return rowsWhere(tx, "kybDecisions", { tenantId })
    .where("appliedAt", "is not", null)
    .orderBy("appliedAt", "desc")
    .orderBy("decisionId", "desc")
    .limit(1)
    .executeTakeFirst();
}

export async function supersedePending(tx: Tx, tenantId: TenantId, at: Date): Promise<void> {
  await updateWhere(tx, "kybDecisions", { tenantId })
    .set({ supersededAt: at })
    .where("appliedAt", "is", null)
    .where("supersededAt", "is", null)
    .execute();
}

/** Deletes what was sent and decided for another owner of the account. The caller clears the developer's columns. */
export async function resetKyb(tx: Tx, tenantId: TenantId, at: Date): Promise<void> {
  await supersedePending(tx, tenantId, at);
  await kybCaseRows.remove(tx, { tenantId });
}

export async function listDecisions(tx: Tx, tenantId: TenantId, limit: number): Promise<KybDecisionRow[]> {
  return rowsWhere(tx, "kybDecisions", { tenantId }).orderBy("decisionId", "desc").limit(limit).execute();
}

type ExpiredKyb = Pick<Row<"developers">, "tenantId" | "kybExpiresAt">;

export function expiredKyb(db: Db, at: Date): AsyncGenerator<ExpiredKyb> {
  return inTurns<ExpiredKyb>(db, ["kybExpiresAt", "tenantId"], () =>
    selectWhere(db, "developers", { kybStatus: "verified" })
      .select(["tenantId", "kybExpiresAt"])
      .where("kybExpiresAt", "<=", at),
  );
}

/** Returns undefined if the verification has changed since `expiredKyb` yielded the tenant. */
export async function markKybExpired(tx: Tx, tenantId: TenantId, at: Date): Promise<KybColumns | undefined> {
  return updateWhere(tx, "developers", { tenantId, kybStatus: "verified" })
    .set({ kybStatus: "expired", updatedAt: at })
    .where("kybExpiresAt", "<=", at)
    .returning(["kybStatus", "kybVerifiedAt", "kybExpiresAt", "kybReference"])
    .executeTakeFirst();
}
