/** A card, or another means to pay, as it may be shown. */
export interface PaymentMethod {
  readonly paymentMethodId: string;
  readonly type: string;
  /** Of a card; null of anything else. */
  readonly card: {
    readonly brand: string;
    readonly last4: string;
    readonly expiryMonth: number;
    readonly expiryYear: number;
  } | null;
}

/** Whether a payment method may be charged later, without its owner. */
export interface PaymentSetup {
  readonly setupIntentId: string;
  readonly status: "succeeded" | "requires_action" | "processing" | "requires_payment_method";
  /** For the owner's browser, where an action is wanted of them. A secret: never stored. */
  readonly clientSecret: string | null;
  /** Where the owner goes, where the action is a page. */
  readonly redirectUrl: string | null;
}

/**
 * The payment processor. Every effect carries an idempotency key made of an id of ours, so that a repetition has no effect
 * of its own. Throws `VendorError`, and nothing else.
 */
export interface BillingProcessor {
  createCustomer(customer: {
    readonly name: string;
    readonly metadata: Readonly<Record<string, string>>;
    readonly idempotencyKey: string;
  }): Promise<{ readonly customerId: string }>;
  /** One that is gone already is done. */
  deleteCustomer(customerId: string): Promise<void>;
  /** Attaches the payment method to the customer. Attached already to this very customer is done. */
  attachPaymentMethod(attachment: {
    readonly customerId: string;
    readonly paymentMethodId: string;
    readonly idempotencyKey: string;
  }): Promise<PaymentMethod>;
  /** Asks the processor to make the method good for charges without its owner, and to confirm at once. */
  setUpPaymentMethod(setup: {
    readonly customerId: string;
    readonly paymentMethodId: string;
    /** Where the owner comes back to after an action. Null: no redirects. */
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
