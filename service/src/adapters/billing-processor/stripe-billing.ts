import type Stripe from "stripe";
import { type Static, Type } from "typebox";
import { NO_RETRY, RETRY_WITHIN_REQUEST } from "../../foundation/retry.ts";
import { Nullable } from "../../foundation/wire/fields.ts";
import type { BillingProcessor, PaymentMethod, PaymentSetup } from "../../ports/billing-processor.ts";
import { isFailure, unlessMissing } from "../../ports/vendor-error.ts";
import { VendorId } from "../http-client/vendor-client.ts";
import { type CallStripe, createStripeCaller, type StripeOptions } from "./call-stripe.ts";
import { invoiceCalls, itemCalls } from "./stripe-invoices.ts";

const customerResponse = Type.Object({
  id: VendorId,
  object: Type.Literal("customer"),
  metadata: Type.Record(Type.String(), Type.String()),
  invoice_settings: Type.Object({ default_payment_method: Nullable(VendorId) }),
});

const deletedResponse = Type.Object({ id: VendorId, deleted: Type.Literal(true) });

const paymentMethodResponse = Type.Object({
  id: VendorId,
  object: Type.Literal("payment_method"),
  customer: Nullable(VendorId),
  type: Type.String({ minLength: 1, maxLength: 100 }),
  card: Type.Optional(
    Type.Object({
      brand: Type.String({ minLength: 1, maxLength: 100 }),
      last4: Type.String({ pattern: "^[0-9]{4}$" }),
      exp_month: Type.Integer({ minimum: 1, maximum: 12 }),
      exp_year: Type.Integer({ minimum: 2000, maximum: 9999 }),
    }),
  ),
});

/**
 * Maps the status of a Stripe setup intent to Purser's status. A canceled or unconfirmed setup has the same status as a
 * declined one, because each of them requires a new attempt.
 */
const SETUP_STATUS = {
  succeeded: "succeeded",
  processing: "processing",
  requires_action: "requires_action",
  requires_payment_method: "requires_payment_method",
  requires_confirmation: "requires_payment_method",
  canceled: "requires_payment_method",
} as const;

const setupResponse = Type.Object({
  id: VendorId,
  object: Type.Literal("setup_intent"),
  customer: Nullable(VendorId),
  payment_method: Nullable(VendorId),
  status: Type.Enum(Object.keys(SETUP_STATUS) as (keyof typeof SETUP_STATUS)[]),
  client_secret: Nullable(Type.String({ minLength: 1 })),
  next_action: Nullable(
    Type.Object({
      redirect_to_url: Type.Optional(Nullable(Type.Object({ url: Nullable(Type.String({ pattern: "^https?://" })) }))),
    }),
  ),
});

/**
 * The Stripe adapter, based on Stripe's SDK. The failure of a read is never `unknown`, because a read has no effect.
 */
export function createStripeBilling(options: StripeOptions): BillingProcessor {
  const callStripe = createStripeCaller(options);

  return {
    ...invoiceCalls(callStripe),
    ...itemCalls(callStripe),
    createCustomer: async ({ name, metadata, idempotencyKey }) => {
      const customer = await callStripe({
        operation: "PostCustomers",
        idempotencyKey,
        send: (stripe, options) => stripe.customers.create({ name, metadata: { ...metadata } }, options),
        schema: customerResponse,
        isRequestedObject: (response) =>
          Object.entries(metadata).every(([key, value]) => response.metadata[key] === value),
      });
      return { customerId: customer.id };
    },
    deleteCustomer: async (customerId) => {
      const removal = callStripe({
        operation: "DeleteCustomersCustomer",
        send: (stripe, options) => stripe.customers.del(customerId, {}, options),
        schema: deletedResponse,
        isRequestedObject: (response) => response.id === customerId,
      });
      await unlessMissing(removal);
    },
    attachPaymentMethod: (attachment) => attachPaymentMethod(callStripe, attachment),
    readPaymentMethodOwner: async (paymentMethodId) => (await readPaymentMethod(callStripe, paymentMethodId)).customer,
    setUpPaymentMethod: (setup) => setUpPaymentMethod(callStripe, setup),
    readSetup: async (setupIntentId) => {
      const intent = await callStripe({
        operation: "GetSetupIntentsIntent",
        reads: true,
        send: (stripe, options) => stripe.setupIntents.retrieve(setupIntentId, {}, options),
        schema: setupResponse,
        isRequestedObject: (response) => response.id === setupIntentId,
      });
      return paymentSetup(intent);
    },
    setDefaultPaymentMethod: async ({ customerId, paymentMethodId, idempotencyKey }) => {
      await callStripe({
        operation: "PostCustomersCustomer",
        retry: RETRY_WITHIN_REQUEST,
        idempotencyKey,
        send: (stripe, options) => {
          const change = { invoice_settings: { default_payment_method: paymentMethodId } };
          return stripe.customers.update(customerId, change, options);
        },
        schema: customerResponse,
        isRequestedObject: (response) =>
          response.id === customerId && isMethod(response.invoice_settings.default_payment_method, paymentMethodId),
      });
    },
  };
}

function readPaymentMethod(callStripe: CallStripe, paymentMethodId: string, retry = NO_RETRY) {
  return callStripe({
    operation: "GetPaymentMethodsPaymentMethod",
    reads: true,
    retry,
    send: (stripe, options) => stripe.paymentMethods.retrieve(paymentMethodId, {}, options),
    schema: paymentMethodResponse,
    isRequestedObject: (response) => isMethod(response.id, paymentMethodId),
  });
}

async function attachPaymentMethod(
  callStripe: CallStripe,
  { customerId, paymentMethodId, idempotencyKey }: Parameters<BillingProcessor["attachPaymentMethod"]>[0],
): Promise<PaymentMethod> {
  const isRequestedObject = (response: Static<typeof paymentMethodResponse>) =>
    isMethod(response.id, paymentMethodId) && response.customer === customerId;
  try {
    const method = await callStripe({
      operation: "PostPaymentMethodsPaymentMethodAttach",
      retry: RETRY_WITHIN_REQUEST,
      idempotencyKey,
      send: (stripe, options) => stripe.paymentMethods.attach(paymentMethodId, { customer: customerId }, options),
      schema: paymentMethodResponse,
      isRequestedObject,
    });
    return paymentMethod(method);
  } catch (error) {
    if (!isFailure(error, "refused")) throw error;
    // Stripe has no error code for a payment method that is already attached. The payment method is therefore read to
    // check whether it belongs to this customer.
    const method = await readPaymentMethod(callStripe, paymentMethodId, RETRY_WITHIN_REQUEST);
    if (!isRequestedObject(method)) throw error;
    return paymentMethod(method);
  }
}

async function setUpPaymentMethod(
  callStripe: CallStripe,
  { customerId, paymentMethodId, returnUrl, idempotencyKey }: Parameters<BillingProcessor["setUpPaymentMethod"]>[0],
): Promise<PaymentSetup> {
  const intent: Stripe.SetupIntentCreateParams = {
    customer: customerId,
    payment_method: paymentMethodId,
    usage: "off_session",
    confirm: true,
    automatic_payment_methods: { enabled: true, allow_redirects: returnUrl === null ? "never" : "always" },
    ...(returnUrl === null ? {} : { return_url: returnUrl }),
  };
  const made = await callStripe({
    operation: "PostSetupIntents",
    retry: RETRY_WITHIN_REQUEST,
    idempotencyKey,
    send: (stripe, options) => stripe.setupIntents.create(intent, options),
    schema: setupResponse,
    // After a decline, the setup intent no longer contains the payment method.
    isRequestedObject: (response) =>
      response.customer === customerId &&
      (isMethod(response.payment_method, paymentMethodId) ||
        (response.payment_method === null && response.status === "requires_payment_method")),
  });
  return paymentSetup(made);
}

/**
 * A test payment method such as `pm_card_visa` is an alias. Each use creates a payment method with a new id, so any id
 * matches the alias.
 */
function isMethod(received: string | null, requested: string): boolean {
  return received === requested || (received !== null && /^pm_[A-Za-z]+_/.test(requested));
}

function paymentMethod({ id, type, card }: Static<typeof paymentMethodResponse>): PaymentMethod {
  return {
    paymentMethodId: id,
    type,
    card: card
      ? { brand: card.brand, last4: card.last4, expiryMonth: card.exp_month, expiryYear: card.exp_year }
      : null,
  };
}

function paymentSetup(intent: Static<typeof setupResponse>): PaymentSetup {
  const needsAction = intent.status === "requires_action";
  return {
    setupIntentId: intent.id,
    status: SETUP_STATUS[intent.status],
    clientSecret: needsAction ? intent.client_secret : null,
    redirectUrl: needsAction ? (intent.next_action?.redirect_to_url?.url ?? null) : null,
  };
}
