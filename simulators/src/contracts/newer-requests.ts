interface NewerRequests {
  readonly file: string;
  /** For each operation, the definition of its body. */
  readonly bodies: Readonly<Record<string, string>>;
  /** Definitions that replace those of the file. */
  readonly replacements: Readonly<Record<string, object>>;
}

/**
 * Stripe's description is of 2023. Some requests have changed since: setup intents no longer have
 * `payment_method_types`, `customer_account` is new. These operations are checked against the types of Stripe's current
 * SDK.
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
    // The SDK adds "or another string" to every enumeration, for future values. Here only the listed values are valid.
    replacements: { OtherString: { not: {} } },
  },
};
