import type { ColumnType } from "kysely";
import type { Json } from "../../foundation/canonical-json.ts";
import type { ApiKeyId, InvoiceId, LinkId, OperationId, ProjectId, ServiceId } from "../../foundation/ids.ts";
import type {
  Biller,
  CapBehavior,
  LinkError,
  LinkFlow,
  LinkStatus,
  RotationReason,
  ServiceStatus,
} from "../../foundation/vocabulary.ts";
import type {
  ChangingOfMode,
  ChangingOfTenant,
  CreatedOfTenant,
  JsonColumn,
  OfMode,
  OfTenant,
  Optional,
  Sealed,
  SealedUnder,
} from "./columns.ts";

/** The payment method fields that responses contain. */
export interface PaymentMethodSummary {
  readonly id: string;
  readonly type: string;
  readonly brand?: string;
  readonly last4?: string;
  readonly exp_month?: number;
  readonly exp_year?: number;
}

export interface ProjectTables {
  readonly projects: ChangingOfMode & {
    readonly projectId: ProjectId;
    readonly name: string;
    readonly nameKey: string;
    readonly slug: string;
    readonly description: string | null;
    readonly status: "active" | "suspended" | "deleting" | "deleted" | "delete_failed";
    readonly monthlyCapCents: ColumnType<bigint, bigint, bigint>;
    readonly currency: "usd";
    readonly capBehavior: CapBehavior;
    /** The monthly caps in cents as decimal text, by provider. */
    readonly providerCaps: JsonColumn<Readonly<Record<string, string>>>;
    readonly environments: readonly string[];
    readonly agentIds: readonly string[];
    readonly policyId: string | null;
    readonly metadata: JsonColumn<Readonly<Record<string, string>>>;
    readonly envVersion: Optional<number>;
    readonly deletedAt: Optional<Date | null>;
  };
  readonly projectVariables: OfTenant & {
    readonly projectId: ProjectId;
    readonly name: string;
    readonly environment: string;
    readonly valueSealed: Sealed;
    readonly valueSealedUnder: SealedUnder;
    readonly sensitive: boolean;
    readonly version: number;
    readonly updatedAt: Date;
  };
  readonly charges: OfMode & {
    readonly chargeId: string;
    readonly projectId: ProjectId;
    readonly serviceId: Optional<ServiceId | null>;
    /** Null if the charge is not for one provider. */
    readonly provider: string | null;
    readonly type: "subscription" | "usage" | "one_time" | "refund" | "adjustment";
    readonly description: string;
    readonly amountCents: bigint;
    readonly currency: "usd";
    readonly status: "reserved" | "pending" | "succeeded" | "failed" | "released" | "refunded" | "disputed";
    readonly agentId: Optional<string | null>;
    readonly paymentId: Optional<string | null>;
    readonly occurredAt: Date;
    readonly billedBy: Optional<Biller>;
    /** Whether the vendor did not report the amount. */
    readonly estimated: Optional<boolean>;
    readonly periodStart: Date;
    /** The end of the month, or the time at which the service was removed or its plan changed. */
    readonly periodEnd: Date;
    /** Null if the charge does not count against a cap. */
    readonly reservationId: Optional<string | null>;
    /** Null for a refund. */
    readonly plan: Optional<string | null>;
    /** Null until the charge is part of an invoice. Always null for a charge that the vendor bills. */
    readonly invoiceId: Optional<InvoiceId | null>;
  };
  readonly invoices: ChangingOfMode & {
    readonly invoiceId: InvoiceId;
    readonly projectId: ProjectId;
    readonly periodStart: Date;
    readonly amountCents: bigint;
    readonly customerId: string;
    /** Null while the status is `preparing`. */
    readonly processorInvoiceId: Optional<string | null>;
    /** `uncollectible` is still owed, but the processor no longer tries to charge it. */
    readonly status: "preparing" | "open" | "paid" | "void" | "uncollectible";
    /** Whether a payment was declined and the amount is still owed. */
    readonly pastDue: Optional<boolean>;
    /** `updatedAt` of the project's billing at the last attempt to pay. */
    readonly triedBillingAt: Optional<Date | null>;
  };
  readonly providerLinks: ChangingOfMode & {
    readonly linkId: LinkId;
    readonly projectId: ProjectId;
    readonly provider: string;
    readonly flow: LinkFlow;
    readonly status: LinkStatus;
    readonly error: Optional<LinkError | null>;
    readonly accountId: Optional<string | null>;
    readonly accountLabel: Optional<string | null>;
    readonly scopes: Optional<readonly string[]>;
    readonly acceptedTermsVersion: Optional<string | null>;
    readonly expiresAt: Date;
    readonly linkedAt: Optional<Date | null>;
    /** When the resources in the account were last compared with the services. */
    readonly inventoryCheckedAt: Optional<Date | null>;
  };
  readonly providerLinkSecrets: OfTenant & {
    readonly linkId: LinkId;
    readonly pendingSealed: Optional<Sealed | null>;
    readonly pendingSealedUnder: SealedUnder;
    readonly accessSealed: Optional<Sealed | null>;
    readonly accessSealedUnder: SealedUnder;
    readonly version: Optional<number>;
    readonly accessExpiresAt: Optional<Date | null>;
  };
  readonly tokenRevocations: CreatedOfTenant & {
    readonly linkId: LinkId;
    /** The version with which the tokens are encrypted. */
    readonly version: number;
    readonly accessSealed: Sealed;
    readonly accessSealedUnder: SealedUnder;
    readonly accountId: string | null;
    readonly accountLabel: string | null;
  };
  readonly linkStates: OfTenant & {
    readonly stateHash: string;
    readonly linkId: LinkId;
    readonly expiresAt: Date;
    readonly usedAt: Optional<Date | null>;
  };
  readonly projectBilling: ChangingOfTenant & {
    readonly projectId: ProjectId;
    readonly customerId: string;
    readonly status: "requires_payment_method" | "requires_action" | "ready" | "past_due";
    readonly paymentMethodId: Optional<string | null>;
    readonly paymentMethod: ColumnType<PaymentMethodSummary | null, string | null | undefined, string | null>;
    readonly setupIntentId: Optional<string | null>;
  };
  readonly services: ChangingOfMode & {
    readonly serviceId: ServiceId;
    readonly projectId: ProjectId;
    readonly linkId: LinkId;
    readonly provider: string;
    readonly service: string;
    readonly name: string;
    readonly plan: string;
    readonly region: string;
    readonly config: JsonColumn<Readonly<Record<string, Json>>>;
    readonly status: ServiceStatus;
    readonly environments: readonly string[];
    readonly envPrefix: string | null;
    /** Maps each variable's name at the provider to its name in the project. */
    readonly envNames: ColumnType<Readonly<Record<string, string>>, string | undefined, string>;
    readonly providerResourceId: Optional<string | null>;
    /** When the provider first answered that it does not have the resource. Null while the provider has it. */
    readonly resourceMissingSince: Optional<Date | null>;
    readonly adopted: Optional<boolean>;
    /** The price that was agreed when the service got its plan (see `priceOf`). */
    readonly priceCents: ColumnType<bigint, bigint, bigint>;
    /** The expected monthly cost of metered use. Zero unless it is higher than the price. */
    readonly preauthorizationCents: ColumnType<bigint, bigint | undefined, bigint>;
    readonly billedBy: Biller;
    readonly credentialVersion: Optional<number>;
    readonly credentialRotatedAt: Optional<Date | null>;
    /** When the former credential is retired. Null if it is not valid. */
    readonly credentialPreviousValidUntil: Optional<Date | null>;
    readonly agentId: string | null;
    readonly metadata: JsonColumn<Readonly<Record<string, string>>>;
    readonly removedAt: Optional<Date | null>;
    readonly pendingPlan: Optional<string | null>;
    readonly pendingPlanAt: Optional<Date | null>;
  };
  readonly servicePlanChanges: CreatedOfTenant & {
    readonly operationId: OperationId;
    readonly serviceId: ServiceId;
    readonly previousPlan: string;
    readonly plan: string;
    /** When the plan changes: now, at the next turn of the month, or at this turn. */
    readonly timing: "immediate" | "scheduled" | "turn";
    readonly agentId: string | null;
    /** The price of the new plan when the change was requested. */
    readonly priceCents: bigint;
    readonly preauthorizationCents: bigint;
    readonly billedBy: Biller;
    /** The charge for the rest of the month. Null if there is none. */
    readonly chargeId: Optional<string | null>;
  };
  readonly serviceSecrets: CreatedOfTenant & {
    readonly serviceId: ServiceId;
    readonly kind: "password" | "env";
    readonly version: number;
    readonly valueSealed: Sealed;
    readonly valueSealedUnder: SealedUnder;
  };
  readonly serviceRotations: OfTenant & {
    readonly operationId: OperationId;
    readonly serviceId: ServiceId;
    readonly reason: RotationReason;
    readonly gracePeriodSeconds: number;
    readonly confirmsDowntime: boolean;
    /** Null until the provider has issued the new credential. */
    readonly mode: Optional<"overlap" | "immediate" | null>;
    /** The version that was published. Null until then. */
    readonly credentialVersion: Optional<number | null>;
    /** False if the provider returned the credential that the service had already. Null until it has answered. */
    readonly changed: Optional<boolean | null>;
    /** Whether Purser has used the new credential once. Null until it was published. */
    readonly verified: Optional<boolean | null>;
    /** Until when an attempt to retire the former credential can take. Null while there is none. */
    readonly retiringUntil: Optional<Date | null>;
  };
  readonly credentialPulls: OfTenant & {
    readonly serviceId: ServiceId;
    readonly keyId: ApiKeyId;
    readonly version: number;
    readonly pulledAt: Date;
  };
  readonly providerCatalogs: {
    readonly provider: string;
    readonly entry: JsonColumn<unknown>;
    readonly readAt: Date;
  };
}
