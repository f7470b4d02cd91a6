import { type Insertable, type Selectable, sql } from "kysely";
import type { Tx } from "../../../db/database.ts";
import type { Schema } from "../../../db/schema.ts";
import { tableOf } from "../../../db/table.ts";
import { deleteWhere, rowsWhere } from "../../../db/where.ts";
import type { TenantId } from "../../../foundation/ids.ts";

export const accountClaimRows = tableOf("accountClaims", ["tenantId", "claimNumber"]);

/** A signup for an address that is not verified yet. Each claim has its own password and profile. */
export type Claim = Selectable<Schema["accountClaims"]>;

/**
 * Stores a signup claim with the account's next claim number and returns that number. The caller must have locked the
 * account.
 */
export async function insertClaim(
  tx: Tx,
  claim: Omit<Insertable<Schema["accountClaims"]>, "claimNumber">,
): Promise<number> {
  const { claimNumber } = await tx
    .insertInto("accountClaims")
    .values({
      ...claim,
      claimNumber: sql`(select coalesce(max(claim_number), 0) + 1 from account_claims
        where tenant_id = ${claim.tenantId})`,
    })
    .returning("claimNumber")
    .executeTakeFirstOrThrow();
  return claimNumber;
}

export async function findNewestClaim(tx: Tx, tenantId: TenantId): Promise<Claim | undefined> {
  return rowsWhere(tx, "accountClaims", { tenantId }).orderBy("claimNumber", "desc").limit(1).executeTakeFirst();
}

/** Deletes the signup claims numbered up to and including `claimNumber`, with their email tokens. */
export async function deleteClaimsUpTo(
  tx: Tx,
  { tenantId, claimNumber }: Pick<Claim, "tenantId" | "claimNumber">,
): Promise<void> {
  for (const table of ["emailTokens", "accountClaims"] as const) {
    await tx.deleteFrom(table).where("tenantId", "=", tenantId).where("claimNumber", "<=", claimNumber).execute();
  }
}

/** Deletes all of the tenant's signup claims and their email tokens, except for the tokens of claim `keepTokensOf`. */
export async function deleteClaims(
  tx: Tx,
  { tenantId, keepTokensOf = 0 }: { readonly tenantId: TenantId; readonly keepTokensOf?: number },
): Promise<void> {
  await tx.deleteFrom("accountClaims").where("tenantId", "=", tenantId).execute();
  await deleteWhere(tx, "emailTokens", { tenantId }).where("claimNumber", "<>", keepTokensOf).execute();
}
