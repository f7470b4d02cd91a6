import Stripe from "stripe";
import { type Static, type TSchema, Type } from "typebox";
import { Check } from "typebox/value";
import { NO_RETRY, RETRY_WITHIN_REQUEST, type RetryPolicy, retry } from "../../foundation/retry.ts";
import type {
  BillingProcessor,
  PaymentMethod,
  PaymentSetup,
} from "../../ports/billing-processor.ts";
import { VendorError, type VendorFailure } from "../../ports/vendor-error.ts";
import { boundedFetch } from "../http-client/bounded-fetch.ts";
import { askedMs, USER_AGENT_PRODUCT } from "../http-client/vendor-client.ts";
import { safeVendorCode, safeVendorMessage } from "../http-client/vendor-error-text.ts";

/** What the SDK's types are written for; another version is another shape of the answers. */
const API_VERSION = "2026-10-28.endive";
const TIMEOUT_MS = 10_000;

const FAILURES: Readonly<Record<string, VendorFailure>> = {
  StripeCardError: "refused",
  StripeInvalidRequestError: "refused",
  StripeIdempotencyError: "refused",
  StripeAuthenticationError: "unauthorized",
  StripePermissionError: "unauthorized",
  StripeRateLimitError: "rate_limited",
};

const id = Type.String({ minLength: 1, maxLength: 255 });
const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

const customerAnswer = Type.Object({
  id,
  object: Type.Literal("customer"),
  metadata: Type.Record(Type.String(), Type.String()),
  invoice_settings: Type.Object({ default_payment_method: nullable(id) }),
});

const deletedAnswer = Type.Object({ id, deleted: Type.Literal(true) });

const paymentMethodAnswer = Type.Object({
  id,
  object: Type.Literal("payment_method"),
  customer: nullable(id),
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

/** Another try is needed of an intent that was canceled, or was never confirmed, as of one that was declined. */
const SETUP_STATUS = {
  succeeded: "succeeded",
  processing: "processing",
  requires_action: "requires_action",
  requires_payment_method: "requires_payment_method",
  requires_confirmation: "requires_payment_method",
  canceled: "requires_payment_method",
} as const;

const setupAnswer = Type.Object({
  id,
  object: Type.Literal("setup_intent"),
  customer: nullable(id),
  payment_method: nullable(id),
  status: Type.Enum(Object.keys(SETUP_STATUS) as (keyof typeof SETUP_STATUS)[]),
  client_secret: nullable(Type.String({ minLength: 1 })),
  next_action: nullable(
    Type.Object({
      redirect_to_url: Type.Optional(
        nullable(Type.Object({ url: nullable(Type.String({ pattern: "^https?://" })) })),
      ),
    }),
  ),
});

export interface StripeBillingOptions {
  /** Of one mode: live objects and test objects are apart. */
  readonly secretKey: string;
  /** Scheme, host and port. Null: `https://api.stripe.com`. */
  readonly apiUrl: string | null;
  /** Of one call, repeated attempts and the reading of the answer included. */
  readonly timeoutMs?: number;
}

/** Stripe, over its SDK. Of a read its failure is never `unknown`. */
export function createStripeBilling(options: StripeBillingOptions): BillingProcessor {
  const ask = openStripe(options);

  return {
    createCustomer: async ({ name, metadata, idempotencyKey }) => {
      const customer = await ask({
        operation: "PostCustomers",
        retry: NO_RETRY,
        send: (stripe, options) =>
          stripe.customers.create(
            { name, metadata: { ...metadata } },
            { ...options, idempotencyKey },
          ),
        schema: customerAnswer,
        isAbout: (answer) =>
          Object.entries(metadata).every(([key, value]) => answer.metadata[key] === value),
      });
      return { customerId: customer.id };
    },
    deleteCustomer: async (customerId) => {
      await ask({
        operation: "DeleteCustomersCustomer",
        retry: NO_RETRY,
        send: (stripe, options) => stripe.customers.del(customerId, {}, options),
        schema: deletedAnswer,
        isAbout: (answer) => answer.id === customerId,
      }).catch((error: unknown) => {
        if (!(error instanceof VendorError) || error.failure !== "not_found") throw error;
      });
    },
    attachPaymentMethod: (attachment) => attachPaymentMethod(ask, attachment),
    setUpPaymentMethod: (setup) => setUpPaymentMethod(ask, setup),
    readSetup: async (setupIntentId) => {
      const intent = await ask({
        operation: "GetSetupIntentsIntent",
        reads: true,
        retry: NO_RETRY,
        send: (stripe, options) => stripe.setupIntents.retrieve(setupIntentId, {}, options),
        schema: setupAnswer,
        isAbout: (answer) => answer.id === setupIntentId,
      });
      return paymentSetup(intent);
    },
    setDefaultPaymentMethod: async ({ customerId, paymentMethodId, idempotencyKey }) => {
      await ask({
        operation: "PostCustomersCustomer",
        retry: RETRY_WITHIN_REQUEST,
        send: (stripe, options) =>
          stripe.customers.update(
            customerId,
            { invoice_settings: { default_payment_method: paymentMethodId } },
            { ...options, idempotencyKey },
          ),
        schema: customerAnswer,
        isAbout: (answer) =>
          answer.id === customerId &&
          isMethod(answer.invoice_settings.default_payment_method, paymentMethodId),
      });
    },
  };
}

async function attachPaymentMethod(
  ask: Ask,
  {
    customerId,
    paymentMethodId,
    idempotencyKey,
  }: Parameters<BillingProcessor["attachPaymentMethod"]>[0],
): Promise<PaymentMethod> {
  const isAbout = (answer: Static<typeof paymentMethodAnswer>) =>
    isMethod(answer.id, paymentMethodId) && answer.customer === customerId;
  try {
    const method = await ask({
      operation: "PostPaymentMethodsPaymentMethodAttach",
      retry: RETRY_WITHIN_REQUEST,
      send: (stripe, options) =>
        stripe.paymentMethods.attach(
          paymentMethodId,
          { customer: customerId },
          { ...options, idempotencyKey },
        ),
      schema: paymentMethodAnswer,
      isAbout,
    });
    return paymentMethod(method);
  } catch (error) {
    if (!(error instanceof VendorError) || error.failure !== "refused") throw error;
    // One that is attached already is refused in a sentence for people. Whose it is decides what that means.
    const method = await ask({
      operation: "GetPaymentMethodsPaymentMethod",
      reads: true,
      retry: RETRY_WITHIN_REQUEST,
      send: (stripe, options) => stripe.paymentMethods.retrieve(paymentMethodId, {}, options),
      schema: paymentMethodAnswer,
      isAbout: (answer) => isMethod(answer.id, paymentMethodId),
    });
    if (!isAbout(method)) throw error;
    return paymentMethod(method);
  }
}

async function setUpPaymentMethod(
  ask: Ask,
  {
    customerId,
    paymentMethodId,
    returnUrl,
    idempotencyKey,
  }: Parameters<BillingProcessor["setUpPaymentMethod"]>[0],
): Promise<PaymentSetup> {
  const intent = await ask({
    operation: "PostSetupIntents",
    retry: RETRY_WITHIN_REQUEST,
    send: (stripe, options) =>
      stripe.setupIntents.create(
        {
          customer: customerId,
          payment_method: paymentMethodId,
          usage: "off_session",
          confirm: true,
          automatic_payment_methods: {
            enabled: true,
            allow_redirects: returnUrl === null ? "never" : "always",
          },
          ...(returnUrl === null ? {} : { return_url: returnUrl }),
        },
        { ...options, idempotencyKey },
      ),
    schema: setupAnswer,
    // Of a method that was declined the intent lets go.
    isAbout: (answer) =>
      answer.customer === customerId &&
      (isMethod(answer.payment_method, paymentMethodId) ||
        (answer.payment_method === null && answer.status === "requires_payment_method")),
  });
  return paymentSetup(intent);
}

/**
 * Whether this is the payment method that was asked for. Stripe's test methods (`pm_card_visa`) are names, each use of
 * which makes a payment method with an id of its own; no id has a second underscore.
 */
function isMethod(answered: string | null, asked: string): boolean {
  return answered === asked || (answered !== null && /^pm_[A-Za-z]+_/.test(asked));
}

function paymentMethod({ id, type, card }: Static<typeof paymentMethodAnswer>): PaymentMethod {
  return {
    paymentMethodId: id,
    type,
    card:
      card === undefined
        ? null
        : {
            brand: card.brand,
            last4: card.last4,
            expiryMonth: card.exp_month,
            expiryYear: card.exp_year,
          },
  };
}

function paymentSetup(intent: Static<typeof setupAnswer>): PaymentSetup {
  const needsAction = intent.status === "requires_action";
  return {
    setupIntentId: intent.id,
    status: SETUP_STATUS[intent.status],
    clientSecret: needsAction ? intent.client_secret : null,
    redirectUrl: needsAction ? (intent.next_action?.redirect_to_url?.url ?? null) : null,
  };
}

interface Question<Schema extends TSchema> {
  /** By its name in Stripe's description. */
  readonly operation: string;
  /** Nothing is changed by it. */
  readonly reads?: true;
  /** Repeating an effect is safe: each carries an idempotency key of ours. A saga repeats its calls by itself. */
  readonly retry: RetryPolicy;
  readonly send: (stripe: Stripe, options: Stripe.RequestOptions) => Promise<unknown>;
  /** What is read of the answer, and nothing more. */
  readonly schema: Schema;
  /** Whether the answer refers to what was asked. One that does not is not believed. */
  readonly isAbout: (answer: Static<Schema>) => boolean;
}

type Ask = <Schema extends TSchema>(question: Question<Schema>) => Promise<Static<Schema>>;

/** The SDK behind one door, out of which come checked answers and `VendorError`s only. */
function openStripe({ secretKey, apiUrl, timeoutMs = TIMEOUT_MS }: StripeBillingOptions): Ask {
  const stripe = new Stripe(secretKey, {
    apiVersion: API_VERSION,
    appInfo: { ...USER_AGENT_PRODUCT },
    telemetry: false,
    maxNetworkRetries: 0,
    // The SDK's other client begins the timeout anew with every piece of an answer, and reads whatever comes.
    httpClient: Stripe.createFetchHttpClient(boundedFetch),
    ...addressOf(apiUrl),
  });

  return ({ operation, reads = false, retry: policy, send, schema, isAbout }) => {
    const silence = reads ? "unavailable" : "unknown";
    const endsAtMs = performance.now() + timeoutMs;
    let mayPass = true;
    const attemptCall = async (attempt: number) => {
      const timeout = Math.max(1, Math.floor(endsAtMs - performance.now()));
      const answer = await send(stripe, { timeout }).catch((error: unknown) => {
        mayPass = isWorthRetrying(error, silence);
        const wasRepeated = !reads && attempt > 1;
        throw vendorError(error, { operation, secretKey, silence, wasRepeated });
      });
      if (Check(schema, answer) && isAbout(answer)) return answer;
      // To the SDK that is an answer, too, whatever its status: the page of a proxy, say.
      mayPass = true;
      throw new VendorError(silence, {
        vendor: "stripe",
        operation,
        vendorMessage: "an answer of another shape, or about something else, than asked for",
      });
    };
    const when = { isWorthRetrying: () => mayPass, askedMs, withinMs: timeoutMs };
    return retry(attemptCall, policy, when);
  };
}

/** Whether nothing was learnt from Stripe, unless it says by itself whether to try again. */
function isWorthRetrying(error: unknown, silence: VendorFailure): boolean {
  if (!(error instanceof Stripe.errors.StripeError)) return false;
  const advice = error.headers?.["stripe-should-retry"];
  if (advice !== undefined) return advice === "true";
  return failureOf(error, { silence, wasRepeated: false }) === silence;
}

function addressOf(apiUrl: string | null): Stripe.StripeConfig {
  if (apiUrl === null) return {};
  const { protocol, hostname, port } = new URL(apiUrl);
  return {
    protocol: protocol === "http:" ? "http" : "https",
    host: hostname,
    port: port === "" ? (protocol === "http:" ? 80 : 443) : port,
  };
}

/**
 * What the SDK threw, as a failure. The SDK's own error is not handed on: it holds the whole answer, in which an intent's
 * client secret may stand.
 */
function vendorError(
  error: unknown,
  asked: {
    readonly operation: string;
    readonly secretKey: string;
    readonly silence: VendorFailure;
    readonly wasRepeated: boolean;
  },
): VendorError {
  const context = { vendor: "stripe", operation: asked.operation };
  if (!(error instanceof Stripe.errors.StripeError)) {
    return new VendorError(asked.silence, { ...context, cause: error });
  }
  const code = safeVendorCode([error.code, error.rawType], [asked.secretKey]);
  const vendorMessage = presentable(error, asked.secretKey);
  const retryAfterSeconds = secondsOf(error.headers?.["retry-after"]);
  return new VendorError(failureOf(error, asked), {
    ...context,
    ...(vendorMessage === "" ? {} : { vendorMessage }),
    ...(code === undefined ? {} : { vendorCode: code }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...(error.detail instanceof Error ? { cause: error.detail } : {}),
  });
}

function failureOf(
  error: Stripe.errors.StripeError,
  { silence, wasRepeated }: { readonly silence: VendorFailure; readonly wasRepeated: boolean },
): VendorFailure {
  if (error.code === "resource_missing") return "not_found";
  // A call under the same idempotency key is still at work.
  if (error.statusCode === 409) return silence;
  const failure = FAILURES[error.type];
  if (failure === undefined) return silence;
  // The last attempt was turned away at the door. An earlier one got no answer, and may have come in.
  const saysNothing = failure === "rate_limited" || failure === "unauthorized";
  return saysNothing && wasRepeated ? silence : failure;
}

/** Stripe's sentence as it may be logged, with the id by which Stripe's support finds the request. */
function presentable(error: Stripe.errors.StripeError, secretKey: string): string {
  const { message, decline_code: declineCode, requestId } = error;
  // The SDK hands on what stood in the answer, of whatever type.
  const parts: readonly unknown[] = [message, declineCode, requestId];
  const told = parts.filter((part) => typeof part === "string" && part !== "").join(" · ");
  return safeVendorMessage(told, [secretKey]);
}

function secondsOf(retryAfter: string | undefined): number | undefined {
  return retryAfter !== undefined && /^\d{1,5}$/.test(retryAfter) ? Number(retryAfter) : undefined;
}
