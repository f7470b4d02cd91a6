import type { KybColumns } from "./queries.ts";

/** A developer's KYB status in the form of the API. */
export interface KybStatus {
  readonly status: KybColumns["kybStatus"];
  readonly verified_at: string | null;
  readonly expires_at: string | null;
  readonly reference: string | null;
}

/**
 * Returns the KYB status at `now`. A verification counts as expired from its `kybExpiresAt`, even if `expireKyb` has
 * not marked it yet.
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
