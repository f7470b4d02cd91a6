import type { KybColumns } from "./queries.ts";

/** How a developer's business stands, in the words of the wire. */
export interface KybStatus {
  readonly status: KybColumns["kybStatus"];
  readonly verified_at: string | null;
  readonly expires_at: string | null;
  readonly reference: string | null;
}

/** The standing at `now`: a verification is over when it says so, whether or not anybody has marked it yet. */
export function kybStatusAt(
  { kybStatus, kybVerifiedAt, kybExpiresAt, kybReference }: KybColumns,
  now: Date,
): KybStatus {
  const isOver = kybStatus === "verified" && kybExpiresAt !== null && kybExpiresAt <= now;
  return {
    status: isOver ? "expired" : kybStatus,
    verified_at: kybVerifiedAt?.toISOString() ?? null,
    expires_at: kybExpiresAt?.toISOString() ?? null,
    reference: kybReference,
  };
}
