import type { HolderType } from "../foundation/vocabulary.ts";

/**
 * The result of a search in lists of sanctioned persons: `cleared`, `pending_review` by a person of the operator, or
 * `rejected`.
 */
export type ScreeningStatus = "cleared" | "pending_review" | "rejected";

/** Searches lists of sanctioned persons and companies (Plaid Monitor, https://plaid.com/docs/monitor). Throws only `VendorError`. */
export interface IdentityScreening {
  /**
   * Starts a screening, which the vendor repeats by itself later. The vendor has no idempotency keys, so a repeated call
   * makes another screening.
   */
  screen(holder: {
    readonly type: HolderType;
    readonly legalName: string;
    /** ISO 3166-1 alpha-2. */
    readonly country: string;
    /** Purser's own id of the holder, which must not be personal data. */
    readonly clientUserId: string;
  }): Promise<{ readonly screeningId: string; readonly status: ScreeningStatus }>;
  readScreening(screening: { readonly type: HolderType; readonly screeningId: string }): Promise<ScreeningStatus>;
}
