import { type Static, Type } from "typebox";
import {
  BANK_VERIFICATION_METHODS,
  FIAT_ACCOUNT_STATUSES,
  KYC_STATUSES,
  type KycStatus,
} from "../../foundation/vocabulary.ts";
import { ListOf, NamedObject, Nullable, OneOf, Text, Timestamp } from "../../foundation/wire/fields.ts";
import { toWire } from "../../foundation/wire/to-wire.ts";
import type { FiatCustomer, HeldAccount } from "./queries.ts";

/** The rails of a verified account, by their names in the contract. Money is never pulled from an account. */
const CAPABILITIES = ["ach_push", "ach_credit", "wire"] as const;

export const FiatAccountResource = NamedObject("FiatAccount", {
  object: Type.Literal("fiat_account"),
  account_id: Type.String({ examples: ["ba_01k3z5qexrf1xv2hj4nb9c8w7d"] }),
  institution_name: Nullable(Type.String(), "The bank's name."),
  name: Text("The account's name at the bank."),
  mask: Nullable(Type.String(), "The last digits of the account number."),
  type: Type.String(),
  subtype: Type.Enum(["checking", "savings"]),
  currency: Type.Enum(["usd"]),
  country: Type.Enum(["US"]),
  status: OneOf(
    FIAT_ACCOUNT_STATUSES,
    "Whether the bank account can be used. `relink_required`: the bank asks for a new login; call link-account with this account.",
  ),
  verification: Type.Object({
    method: Type.Enum([...BANK_VERIFICATION_METHODS]),
    status: Type.Enum(["pending", "automatically_verified", "failed"]),
  }),
  capabilities: ListOf(
    Type.Enum([...CAPABILITIES]),
    "What the account can be used for. Empty unless `status` is `verified`.",
  ),
  kyc_status: OneOf(KYC_STATUSES, "How far the holder is identified. See verify-account."),
  provider: Type.Enum(["plaid"]),
  created_at: Timestamp,
  relink_required_at: Nullable(Timestamp),
});

export function presentFiatAccount({ account, customer }: HeldAccount): Static<typeof FiatAccountResource> {
  return toWire(FiatAccountResource, account, {
    verification: { method: account.verificationMethod, status: account.verificationStatus },
    capabilities: account.status === "verified" ? CAPABILITIES : [],
    kyc_status: kycStatusOf(customer),
    provider: "plaid",
  });
}

const Requirement = (what: string) =>
  Type.Optional(
    Type.Object({ status: Type.Enum(["due"]), url: Text("The page for the holder.") }, { description: what }),
  );

export const KycResource = Type.Object({
  status: OneOf(
    KYC_STATUSES,
    "`pending`: the holder has something to do, or the vendors are still checking. `review`: a person checks. Only `approved` can convert.",
  ),
  screening: Type.Object({
    sanctions: OneOf(["clear", "hit", "pending"], "The search in lists of sanctioned persons."),
  }),
  requirements: Type.Object(
    {
      identity_check: Requirement("The holder has to prove an identity."),
      terms: Requirement("The holder has to accept the terms of the payment provider."),
    },
    { description: "What the holder has to do." },
  ),
});

export function presentKyc(customer: FiatCustomer): Static<typeof KycResource> {
  const { sanctions, kycStatus, kycUrl, hasAcceptedTerms, termsUrl } = customer;
  const isIdentityDue = kycStatus === "not_started" || kycStatus === "incomplete";
  return {
    status: kycStatusOf(customer),
    screening: { sanctions },
    requirements: {
      ...(isIdentityDue && kycUrl !== null && { identity_check: { status: "due" as const, url: kycUrl } }),
      ...(!hasAcceptedTerms && termsUrl !== null && { terms: { status: "due" as const, url: termsUrl } }),
    },
  };
}

/** How far the holder is identified: sanctions come from the screening, the rest from the ramp vendor. */
export function kycStatusOf(customer: FiatCustomer): KycStatus {
  const { sanctions, screeningId, kycStatus, hasAcceptedTerms } = customer;
  if (sanctions === "hit" || kycStatus === "rejected") return "rejected";
  if ((sanctions === "pending" && screeningId !== null) || kycStatus === "under_review") return "review";
  return kycStatus === "approved" && hasAcceptedTerms && sanctions === "clear" ? "approved" : "pending";
}
