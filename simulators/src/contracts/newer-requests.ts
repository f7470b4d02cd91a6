interface NewerRequests {
  readonly file: string;
  /** The definition that is the body of each operation. */
  readonly bodies: Readonly<Record<string, string>>;
  /** Definitions to take in place of the file's. */
  readonly replacements: Readonly<Record<string, object>>;
}

/**
 * Stripe's description is of 2023, and some of its requests have changed since: `payment_method_types` went from setup
 * intents, `customer_account` came. These operations are held against the types of Stripe's own current SDK.
 */
export const NEWER_REQUESTS: Readonly<Record<string, NewerRequests>> = {
  "pruned/stripe.json": {
    file: "stripe-params.from-sdk-23.1.0.schema.json",
    bodies: {
      PostCustomers: "CustomerCreateParams",
      PostSetupIntents: "SetupIntentCreateParams",
      PostPaymentIntents: "PaymentIntentCreateParams",
      PostPaymentMethodsPaymentMethodAttach: "PaymentMethodAttachParams",
      PostInvoiceitems: "InvoiceItemCreateParams",
      PostInvoices: "InvoiceCreateParams",
      PostInvoicesInvoicePay: "InvoicePayParams",
    },
    // The SDK lets every enumeration end in "or another text", for values that come after it.
    replacements: { OtherString: { not: {} } },
  },
};
