/** A card or other payment method, without its confidential data. */
export interface PaymentMethod {
  readonly paymentMethodId: string;
  readonly type: string;
  /** Null if the payment method is not a card. */
  readonly card: {
    readonly brand: string;
    readonly last4: string;
    readonly expiryMonth: number;
    readonly expiryYear: number;
  } | null;
}

/** Permission to charge a payment method later, when its owner is not present (Stripe's SetupIntent). */
export interface PaymentSetup {
  readonly setupIntentId: string;
  readonly status: "succeeded" | "requires_action" | "processing" | "requires_payment_method";
  /** Used by the owner's browser if an action is required. Must not be stored. */
  readonly clientSecret: string | null;
  /** The page to send the owner to. Null if no redirect is required. */
  readonly redirectUrl: string | null;
}

/** An invoice at the payment processor. */
export interface ProcessorInvoice {
  readonly invoiceId: string;
  readonly customerId: string;
  /** `uncollectible` is still owed, but the processor no longer tries to charge it. */
  readonly status: "draft" | "open" | "paid" | "void" | "uncollectible";
  /** Whether a payment was tried. A tried invoice that is open was declined. */
  readonly attempted: boolean;
  readonly totalCents: bigint;
  /** Purser's own id, which was given when the invoice was created. Null if another system created it. */
  readonly reference: string | null;
}

/** A charge of a customer's payment method. */
export interface ProcessorCharge {
  readonly chargeId: string;
  readonly customerId: string | null;
  readonly refundedCents: bigint;
}

/**
 * The payment processor. Throws only `VendorError`. Idempotency keys are derived from Purser ids, so repeating a write
 * has no further effect.
 */
export interface BillingProcessor {
  createCustomer(customer: {
    readonly name: string;
    readonly metadata: Readonly<Record<string, string>>;
    readonly idempotencyKey: string;
  }): Promise<{ readonly customerId: string }>;
  /** Succeeds if the customer is already deleted. */
  deleteCustomer(customerId: string): Promise<void>;
  /** Attaches the payment method to the customer. Succeeds if it is already attached to this customer. */
  attachPaymentMethod(attachment: PaymentMethodCommand): Promise<PaymentMethod>;
  /** Creates and confirms a payment setup, so that the payment method can be charged when its owner is not present. */
  setUpPaymentMethod(
    setup: PaymentMethodCommand & {
      /** The page that the owner returns to after an action. If null, actions that need a redirect are not offered. */
      readonly returnUrl: string | null;
    },
  ): Promise<PaymentSetup>;
  readSetup(setupIntentId: string): Promise<PaymentSetup>;
  setDefaultPaymentMethod(choice: PaymentMethodCommand): Promise<void>;
  /** Creates an empty draft. It does not change by itself. */
  createInvoice(invoice: {
    readonly customerId: string;
    /** Purser's own id, by which `findInvoice` finds the invoice. */
    readonly reference: string;
    readonly description: string;
    readonly idempotencyKey: string;
  }): Promise<ProcessorInvoice>;
  /** Returns the customer's invoice with this reference, or undefined. Looks at the newest 100 invoices. */
  findInvoice(search: {
    readonly customerId: string;
    readonly reference: string;
  }): Promise<ProcessorInvoice | undefined>;
  readInvoice(invoiceId: string): Promise<ProcessorInvoice>;
  /** Adds an amount to a draft. */
  addInvoiceItem(item: {
    readonly customerId: string;
    readonly invoiceId: string;
    /** Purser's own id, which `listInvoiceReferences` returns. */
    readonly reference: string;
    readonly amountCents: bigint;
    readonly description: string;
    readonly idempotencyKey: string;
  }): Promise<void>;
  /** Returns the references of the invoice's items, at most 10,000. */
  listInvoiceReferences(invoiceId: string): Promise<ReadonlySet<string>>;
  /** Ends a draft. The processor then charges the customer. */
  finalizeInvoice(invoice: InvoiceCommand): Promise<ProcessorInvoice>;
  /** Charges the customer's default payment method. Throws `refused` if the payment is declined. */
  payInvoice(invoice: InvoiceCommand): Promise<ProcessorInvoice>;
  readCharge(chargeId: string): Promise<ProcessorCharge>;
  /** Returns the customer's newest 100 charges. */
  listCharges(customerId: string): Promise<readonly ProcessorCharge[]>;
  /** Returns the customer of a payment method, or null if it is detached. */
  readPaymentMethodOwner(paymentMethodId: string): Promise<string | null>;
}

interface PaymentMethodCommand {
  readonly customerId: string;
  readonly paymentMethodId: string;
  readonly idempotencyKey: string;
}

interface InvoiceCommand {
  readonly invoiceId: string;
  readonly idempotencyKey: string;
}
