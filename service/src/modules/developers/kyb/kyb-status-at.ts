import type { Db } from "../../../db/database.ts";
import type { TenantId } from "../../../foundation/ids.ts";
import { developerRows } from "../queries.ts";
import type { KybColumns } from "./queries.ts";

/** A developer's KYB (know-your-business) status, in the API's format. */
export interface KybStatus {
  readonly status: KybColumns["kybStatus"];
  readonly verified_at: string | null;
  readonly expires_at: string | null;
  readonly reference: string | null;
}

/**
 * Returns the KYB status at `now`. A verification has the status `expired` from `kybExpiresAt` on, even if `expireKyb`
 * has not marked it yet.
 */
export function kybStatusAt(
  { kybStatus, kybVerifiedAt, kybExpiresAt, kybReference }: KybColumns,
  now: Date,
): KybStatus {
  const isExpired = kybStatus === "verified" && kybExpiresAt !== null && kybExpiresAt <= now;
  return {
    status: isExpired ? "expired" : kybStatus,
    verified_at: kybVerifiedAt?.toISOString() ?? null,
    expires_at: kybExpiresAt?.toISOString() ?? null,
    reference: kybReference,
  };
}

export async function isKybVerified(db: Db, tenantId: TenantId, now: Date): Promise<boolean> {
  return kybStatusAt(await developerRows.get(db, { tenantId }), now).status === "verified";
}
