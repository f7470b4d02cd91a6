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
  attachPaymentMethod(attachment: {
    readonly customerId: string;
    readonly paymentMethodId: string;
    readonly idempotencyKey: string;
  }): Promise<PaymentMethod>;
  /** Creates and confirms a payment setup, so that the payment method can be charged when its owner is not present. */
  setUpPaymentMethod(setup: {
    readonly customerId: string;
    readonly paymentMethodId: string;
    /** The page that the owner returns to after an action. If null, actions that need a redirect are not offered. */
    readonly returnUrl: string | null;
    readonly idempotencyKey: string;
  }): Promise<PaymentSetup>;
  readSetup(setupIntentId: string): Promise<PaymentSetup>;
  setDefaultPaymentMethod(choice: {
    readonly customerId: string;
    readonly paymentMethodId: string;
    readonly idempotencyKey: string;
  }): Promise<void>;
}
