import type { BlockchainNetwork } from "../foundation/blockchain-networks.ts";
import type { HolderType } from "../foundation/vocabulary.ts";
import type { PostalAddress } from "./bank-link.ts";

/** The currencies that have a rate against the US dollar. */
export const RATE_CURRENCIES = ["eur", "mxn", "brl", "gbp"] as const;
export type RateCurrency = (typeof RATE_CURRENCIES)[number];

/** What one US dollar is worth in another currency, as decimals. */
export interface DollarRate {
  readonly mid: string;
  /** The rate at which the vendor buys dollars. */
  readonly buy: string;
  /** The rate at which the vendor sells dollars. */
  readonly sell: string;
}

/** How far the vendor has identified a customer, and the pages on which the customer goes on. */
export interface KycLink {
  readonly kycLinkId: string;
  readonly kycUrl: string;
  readonly termsUrl: string;
  readonly kycStatus: "not_started" | "incomplete" | "under_review" | "approved" | "rejected";
  readonly hasAcceptedTerms: boolean;
  /** Null until the vendor has made the customer. */
  readonly customerId: string | null;
}

/** The vendor's words for the state of a transfer. A word that is not known is `unknown`. */
export const TRANSFER_STATES = [
  "awaiting_funds",
  "in_review",
  "funds_received",
  "payment_submitted",
  "payment_processed",
  "undeliverable",
  "returned",
  "missing_return_policy",
  "refund_in_flight",
  "refunded",
  "refund_failed",
  "canceled",
  "error",
  "pending",
] as const;
export type TransferState = (typeof TRANSFER_STATES)[number] | "unknown";

export type OnRampRail = "ach_push" | "wire";
export type OffRampRail = "ach" | "ach_same_day" | "wire";

/** One side of a transfer. What is not said is null. */
export interface TransferSide {
  /** For tokens, the name of their main network. */
  readonly paymentRail: string;
  readonly currency: string;
  readonly address: string | null;
  readonly externalAccountId: string | null;
}

export interface Transfer {
  readonly transferId: string;
  readonly state: TransferState;
  readonly customerId: string;
  /** Purser's own id, which was given when the transfer was created. */
  readonly reference: string | null;
  /** A decimal of the source currency. */
  readonly amount: string;
  readonly developerFee: string | null;
  readonly source: TransferSide;
  readonly destination: TransferSide;
  /** Where the source amount must be sent. Null if the vendor does not say. */
  readonly depositInstructions: {
    readonly bankName: string | null;
    readonly accountNumber: string | null;
    readonly routingNumber: string | null;
    /** The text by which the vendor recognizes the payment. */
    readonly depositMessage: string | null;
    /** The blockchain address, for a transfer of tokens. */
    readonly address: string | null;
  } | null;
  /** Decimals. Null while the vendor has no receipt. */
  readonly receipt: {
    readonly finalAmount: string | null;
    readonly destinationTxHash: string | null;
    /** What a refund returned to the source. Null if there was none. */
    readonly refundedAmount: string | null;
  } | null;
  readonly trace: { readonly achTraceNumber: string | null; readonly imad: string | null };
  readonly returnReason: string | null;
}

export type NewTransfer = {
  readonly customerId: string;
  /** Purser's own id, which `listTransfers` shows. */
  readonly reference: string;
  /** Decimals of the source currency. */
  readonly amount: string;
  readonly developerFee: string;
  readonly idempotencyKey: string;
} & (
  | {
      readonly direction: "on_ramp";
      readonly paymentRail: OnRampRail;
      readonly network: BlockchainNetwork;
      readonly toAddress: string;
    }
  | {
      readonly direction: "off_ramp";
      readonly paymentRail: OffRampRail;
      readonly network: BlockchainNetwork;
      readonly fromAddress: string;
      readonly externalAccountId: string;
      /** Shown on the recipient's statement. Only for ACH. */
      readonly statementDescriptor: string | null;
    }
);

/**
 * A vendor that changes US dollars in bank accounts into USDC and back (Bridge, https://apidocs.bridge.xyz). Throws only
 * `VendorError`. Each write takes a key made from Purser's own id, so repeating it has no further effect.
 */
export interface StablecoinRamp {
  readRate(currency: RateCurrency): Promise<DollarRate>;
  createKycLink(customer: {
    readonly type: HolderType;
    readonly fullName: string;
    readonly email: string;
    readonly idempotencyKey: string;
  }): Promise<KycLink>;
  readKycLink(kycLinkId: string): Promise<KycLink>;
  createExternalAccount(account: {
    readonly customerId: string;
    readonly ownerName: string;
    readonly bankName: string | null;
    readonly accountNumber: string;
    readonly routingNumber: string;
    readonly subtype: "checking" | "savings";
    readonly address: PostalAddress;
    readonly idempotencyKey: string;
  }): Promise<{ readonly externalAccountId: string }>;
  /** Succeeds if the account does not exist. */
  removeExternalAccount(account: { readonly customerId: string; readonly externalAccountId: string }): Promise<void>;
  createTransfer(transfer: NewTransfer): Promise<Transfer>;
  readTransfer(transferId: string): Promise<Transfer>;
  /** Returns the customer's transfers that were created since then, at most 1,000. */
  listTransfers(search: { readonly customerId: string; readonly since: Date }): Promise<readonly Transfer[]>;
  /** Throws `refused` if the transfer is no longer waiting for money. Succeeds if it does not exist. */
  deleteTransfer(transferId: string): Promise<void>;
}

/** Calls the vendor with one account's API key. */
export type OpenStablecoinRamp = (access: {
  readonly mode: "live" | "test";
  readonly apiKey: string;
}) => StablecoinRamp;
