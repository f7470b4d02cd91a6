interface NewerRequests {
  readonly file: string;
  /** Maps an operation's ID to the name of the definition that describes its request body. */
  readonly bodies: Readonly<Record<string, string>>;
  /** Definitions that replace those with the same names in `file`. */
  readonly replacements: Readonly<Record<string, object>>;
}

/**
 * Stripe's OpenAPI description dates from 2023, and some requests have changed since. For example, setup intents no
 * longer have `payment_method_types`. The operations listed here are checked against the types of Stripe's current SDK
 * instead.
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
    // The SDK's types also allow any other string in each enumeration, for future values. Here only the listed values
    // are valid.
    replacements: { OtherString: { not: {} } },
  },
};
