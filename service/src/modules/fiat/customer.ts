import type { App } from "../../app.ts";
import { systemActor } from "../../audit/actors.ts";
import { appendAuditEntry } from "../../audit/append.ts";
import { vendorIdempotencyKey } from "../../crypto/vendor-idempotency-key.ts";
import type { Tx } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import type { BankHolder } from "../../pii/bank-records.ts";
import type { ScreeningStatus } from "../../ports/identity-screening.ts";
import type { KycLink, StablecoinRamp } from "../../ports/stablecoin-ramp.ts";
import { kycStatusOf } from "./fiat-account-resource.ts";
import { type FiatCustomer, type FiatScope, fiatCustomerRows, hasAccountAtVendors } from "./queries.ts";
import { openRamp, requireScreening } from "./vendor-access.ts";

export type CustomerApp = Parameters<typeof openRamp>[0] & Pick<App, "identityScreening">;

const SANCTIONS: Readonly<Record<ScreeningStatus, FiatCustomer["sanctions"]>> = {
  cleared: "clear",
  pending_review: "pending",
  rejected: "hit",
};

/**
 * Takes the holder's identification as far as the vendors are: starts the screening and the ramp vendor's check, and reads
 * what has changed, also about a holder who was identified, because a vendor's report can be lost. Each result is stored at once, so the function can be repeated after a failure. Throws `VendorError`.
 */
export async function advanceCustomer(
  app: CustomerApp,
  before: FiatCustomer,
  holder: Pick<BankHolder, "type" | "legalName" | "email" | "address">,
): Promise<FiatCustomer> {
  const screened = await screen(app, before, holder);
  // The ramp vendor gets no data of a holder who is on a list of sanctioned persons.
  if (screened.sanctions === "hit") return screened;
  const ramp = await openRamp(app, screened, screened.rampOwner);
  return saveKycLink(app, screened, await createOrReadKycLink(ramp, screened, holder));
}

/** Returns true if nothing about the holder's identification is open. */
export function isIdentified({ sanctions, kycStatus, hasAcceptedTerms, rampCustomerId }: FiatCustomer): boolean {
  if (sanctions === "hit" || kycStatus === "rejected") return true;
  return sanctions === "clear" && kycStatus === "approved" && hasAcceptedTerms && rampCustomerId !== null;
}

async function screen(
  app: CustomerApp,
  customer: FiatCustomer,
  { type, legalName, address }: Pick<BankHolder, "type" | "legalName" | "address">,
): Promise<FiatCustomer> {
  const { screeningId, customerId } = customer;
  const screening = requireScreening(app, customer.mode);
  if (screeningId !== null) {
    const status = await screening.readScreening({ type, screeningId });
    return saveScreening(app, customer, { screeningId, status });
  }
  const { country } = address;
  return saveScreening(app, customer, await screening.screen({ type, legalName, country, clientUserId: customerId }));
}

export function saveScreening(
  app: Pick<App, "db" | "clock">,
  customer: FiatCustomer,
  { screeningId, status }: { readonly screeningId: string; readonly status: ScreeningStatus },
): Promise<FiatCustomer> {
  return save(app, customer, { screeningId, sanctions: SANCTIONS[status] });
}

function createOrReadKycLink(
  ramp: StablecoinRamp,
  { kycLinkId, customerId }: FiatCustomer,
  { type, legalName: fullName, email }: Pick<BankHolder, "type" | "legalName" | "email">,
): Promise<KycLink> {
  if (kycLinkId !== null) return ramp.readKycLink(kycLinkId);
  return ramp.createKycLink({ type, fullName, email, idempotencyKey: vendorIdempotencyKey(customerId, "kyc_link") });
}

export function saveKycLink(
  app: Pick<App, "db" | "clock">,
  customer: FiatCustomer,
  { kycLinkId, kycStatus, hasAcceptedTerms, kycUrl, termsUrl, customerId: rampCustomerId }: KycLink,
): Promise<FiatCustomer> {
  return save(app, customer, { kycLinkId, kycStatus, hasAcceptedTerms, kycUrl, termsUrl, rampCustomerId });
}

/**
 * Stores what has changed, with the audit entry that keeps the decision, its reference and its time. A holder that was released
 * while the vendor was asked is not stored, but returned as it is now: an account that is being linked stores it again.
 */
function save(
  { db, clock }: Pick<App, "db" | "clock">,
  customer: FiatCustomer,
  change: Partial<FiatCustomer>,
): Promise<FiatCustomer> {
  return withTransaction(db, customer.tenantId, async (tx) => {
    const stored = await fiatCustomerRows.lock(tx, customer);
    const isReleased = stored?.customerId !== customer.customerId;
    const at = clock.now();
    const before = isReleased ? customer : stored;
    const after = { ...before, ...change, updatedAt: at };
    await recordKycChange(tx, { before, after, at });
    return isReleased ? after : fiatCustomerRows.updateAndGet(tx, customer, { ...change, updatedAt: at });
  });
}

async function recordKycChange(
  tx: Tx,
  { before, after, at }: { readonly before: FiatCustomer; readonly after: FiatCustomer; readonly at: Date },
): Promise<void> {
  const fields = ["sanctions", "kycStatus", "hasAcceptedTerms"] as const;
  if (fields.every((field) => before[field] === after[field])) return;
  await appendAuditEntry(tx, systemActor(after), {
    action: "fiat_customer.kyc_changed",
    subject: { type: "fiat_customer", id: after.customerId },
    facts: {
      ...{ status: kycStatusOf(after), sanctions: after.sanctions, kyc_status: after.kycStatus },
      ...{ screening_id: after.screeningId, kyc_link_id: after.kycLinkId },
    },
    occurredAt: at,
  });
}

/**
 * Frees the holder if no account is left, here or at the ramp vendor, so that the next account can have another holder. The holder is locked first, as by a
 * new account, so that it does not lose its holder.
 */
export async function releaseHolder(tx: Tx, scope: FiatScope): Promise<void> {
  await fiatCustomerRows.lock(tx, scope);
  if (!(await hasAccountAtVendors(tx, scope))) await fiatCustomerRows.remove(tx, scope);
}
