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
import { retryAfterMs, USER_AGENT_PRODUCT } from "../http-client/vendor-client.ts";
import { safeVendorCode, safeVendorMessage } from "../http-client/vendor-error-text.ts";

/** The API version that the SDK's types describe. Response shapes differ between versions. */
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

const customerResponse = Type.Object({
  id,
  object: Type.Literal("customer"),
  metadata: Type.Record(Type.String(), Type.String()),
  invoice_settings: Type.Object({ default_payment_method: nullable(id) }),
});

const deletedResponse = Type.Object({ id, deleted: Type.Literal(true) });

const paymentMethodResponse = Type.Object({
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
  /** Stripe's secret key for one mode, live or test. */
  readonly secretKey: string;
  /** Scheme, host and port. Null for `https://api.stripe.com`. */
  readonly apiUrl: string | null;
  /** Timeout for one call in milliseconds, including retries and reading the response. */
  readonly timeoutMs?: number;
}

/**
 * The Stripe adapter, based on Stripe's SDK. The failure of a read is never `unknown`, because a read has no effect.
 */
export function createStripeBilling(options: StripeBillingOptions): BillingProcessor {
  const callStripe = openStripe(options);

  return {
    createCustomer: async ({ name, metadata, idempotencyKey }) => {
      const customer = await callStripe({
        operation: "PostCustomers",
        retry: NO_RETRY,
        send: (stripe, options) =>
          stripe.customers.create(
            { name, metadata: { ...metadata } },
            { ...options, idempotencyKey },
          ),
        schema: customerResponse,
        isRequestedObject: (response) =>
          Object.entries(metadata).every(([key, value]) => response.metadata[key] === value),
      });
      return { customerId: customer.id };
    },
    deleteCustomer: async (customerId) => {
      await callStripe({
        operation: "DeleteCustomersCustomer",
        retry: NO_RETRY,
        send: (stripe, options) => stripe.customers.del(customerId, {}, options),
        schema: deletedResponse,
        isRequestedObject: (response) => response.id === customerId,
      }).catch((error: unknown) => {
        if (!(error instanceof VendorError) || error.failure !== "not_found") throw error;
      });
    },
    attachPaymentMethod: (attachment) => attachPaymentMethod(callStripe, attachment),
    setUpPaymentMethod: (setup) => setUpPaymentMethod(callStripe, setup),
    readSetup: async (setupIntentId) => {
      const intent = await callStripe({
        operation: "GetSetupIntentsIntent",
        reads: true,
        retry: NO_RETRY,
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
        send: (stripe, options) =>
          stripe.customers.update(
            customerId,
            { invoice_settings: { default_payment_method: paymentMethodId } },
            { ...options, idempotencyKey },
          ),
        schema: customerResponse,
        isRequestedObject: (response) =>
          response.id === customerId &&
          isMethod(response.invoice_settings.default_payment_method, paymentMethodId),
      });
    },
  };
}

async function attachPaymentMethod(
  callStripe: CallStripe,
  {
    customerId,
    paymentMethodId,
    idempotencyKey,
  }: Parameters<BillingProcessor["attachPaymentMethod"]>[0],
): Promise<PaymentMethod> {
  const isRequestedObject = (response: Static<typeof paymentMethodResponse>) =>
    isMethod(response.id, paymentMethodId) && response.customer === customerId;
  try {
    const method = await callStripe({
      operation: "PostPaymentMethodsPaymentMethodAttach",
      retry: RETRY_WITHIN_REQUEST,
      send: (stripe, options) =>
        stripe.paymentMethods.attach(
          paymentMethodId,
          { customer: customerId },
          { ...options, idempotencyKey },
        ),
      schema: paymentMethodResponse,
      isRequestedObject,
    });
    return paymentMethod(method);
  } catch (error) {
    if (!(error instanceof VendorError) || error.failure !== "refused") throw error;
    // Stripe has no error code for a payment method that is already attached. The payment method is therefore read to
    // check whether it belongs to this customer.
    const method = await callStripe({
      operation: "GetPaymentMethodsPaymentMethod",
      reads: true,
      retry: RETRY_WITHIN_REQUEST,
      send: (stripe, options) => stripe.paymentMethods.retrieve(paymentMethodId, {}, options),
      schema: paymentMethodResponse,
      isRequestedObject: (response) => isMethod(response.id, paymentMethodId),
    });
    if (!isRequestedObject(method)) throw error;
    return paymentMethod(method);
  }
}

async function setUpPaymentMethod(
  callStripe: CallStripe,
  {
    customerId,
    paymentMethodId,
    returnUrl,
    idempotencyKey,
  }: Parameters<BillingProcessor["setUpPaymentMethod"]>[0],
): Promise<PaymentSetup> {
  const intent = await callStripe({
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
    schema: setupResponse,
    // After a decline, the setup intent no longer contains the payment method.
    isRequestedObject: (response) =>
      response.customer === customerId &&
      (isMethod(response.payment_method, paymentMethodId) ||
        (response.payment_method === null && response.status === "requires_payment_method")),
  });
  return paymentSetup(intent);
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

function paymentSetup(intent: Static<typeof setupResponse>): PaymentSetup {
  const needsAction = intent.status === "requires_action";
  return {
    setupIntentId: intent.id,
    status: SETUP_STATUS[intent.status],
    clientSecret: needsAction ? intent.client_secret : null,
    redirectUrl: needsAction ? (intent.next_action?.redirect_to_url?.url ?? null) : null,
  };
}

interface StripeCall<Schema extends TSchema> {
  /** The call's name in Stripe's API description. */
  readonly operation: string;
  /** Set if the call is read-only. */
  readonly reads?: true;
  /**
   * Retries are safe because each write has an idempotency key. Calls from sagas are retried by the saga, not by the
   * adapter.
   */
  readonly retry: RetryPolicy;
  readonly send: (stripe: Stripe, options: Stripe.RequestOptions) => Promise<unknown>;
  /** The response fields that Purser uses. */
  readonly schema: Schema;
  /** Returns true if the response refers to the requested object. Other responses are rejected. */
  readonly isRequestedObject: (response: Static<Schema>) => boolean;
}

type CallStripe = <Schema extends TSchema>(call: StripeCall<Schema>) => Promise<Static<Schema>>;

/** Returns the function through which all SDK calls are made. It validates responses and throws only `VendorError`. */
function openStripe({
  secretKey,
  apiUrl,
  timeoutMs = TIMEOUT_MS,
}: StripeBillingOptions): CallStripe {
  const stripe = new Stripe(secretKey, {
    apiVersion: API_VERSION,
    appInfo: { ...USER_AGENT_PRODUCT },
    telemetry: false,
    maxNetworkRetries: 0,
    // The SDK's default client restarts the timeout with every chunk and does not limit the response size.
    httpClient: Stripe.createFetchHttpClient(boundedFetch),
    ...hostOptions(apiUrl),
  });

  return ({ operation, reads = false, retry: policy, send, schema, isRequestedObject }) => {
    const failureWithoutResponse = reads ? "unavailable" : "unknown";
    const endsAtMs = performance.now() + timeoutMs;
    let isRetryable = true;
    const attemptCall = async (attempt: number) => {
      const timeout = Math.max(1, Math.floor(endsAtMs - performance.now()));
      const response = await send(stripe, { timeout }).catch((error: unknown) => {
        isRetryable = isWorthRetrying(error, failureWithoutResponse);
        const wasRepeated = !reads && attempt > 1;
        throw vendorError(error, { operation, secretKey, failureWithoutResponse, wasRepeated });
      });
      if (Check(schema, response) && isRequestedObject(response)) return response;
      // The SDK accepts any parsable response without checking its status, so an unexpected response may come from a
      // proxy. The call can therefore be retried.
      isRetryable = true;
      throw new VendorError(failureWithoutResponse, {
        vendor: "stripe",
        operation,
        vendorMessage: "the response has an unexpected shape or describes a different object",
      });
    };
    const retryOptions = {
      isWorthRetrying: () => isRetryable,
      requestedPauseMs: retryAfterMs,
      withinMs: timeoutMs,
    };
    return retry(attemptCall, policy, retryOptions);
  };
}

/** Follows the `stripe-should-retry` header. If it is missing, only calls without a usable response are retried. */
function isWorthRetrying(error: unknown, failureWithoutResponse: VendorFailure): boolean {
  if (!(error instanceof Stripe.errors.StripeError)) return false;
  const advice = error.headers?.["stripe-should-retry"];
  if (advice !== undefined) return advice === "true";
  return (
    failureOf(error, { failureWithoutResponse, wasRepeated: false }) === failureWithoutResponse
  );
}

function hostOptions(apiUrl: string | null): Stripe.StripeConfig {
  if (apiUrl === null) return {};
  const { protocol, hostname, port } = new URL(apiUrl);
  return {
    protocol: protocol === "http:" ? "http" : "https",
    host: hostname,
    port: port === "" ? (protocol === "http:" ? 80 : 443) : port,
  };
}

/**
 * Converts an SDK error. The SDK's error is not used as the cause, because it contains the whole response, possibly
 * with an intent's client secret.
 */
function vendorError(
  error: unknown,
  call: {
    readonly operation: string;
    readonly secretKey: string;
    readonly failureWithoutResponse: VendorFailure;
    readonly wasRepeated: boolean;
  },
): VendorError {
  const context = { vendor: "stripe", operation: call.operation };
  if (!(error instanceof Stripe.errors.StripeError)) {
    return new VendorError(call.failureWithoutResponse, { ...context, cause: error });
  }
  const code = safeVendorCode([error.code, error.rawType], [call.secretKey]);
  const vendorMessage = loggableMessage(error, call.secretKey);
  const retryAfterSeconds = secondsOf(error.headers?.["retry-after"]);
  return new VendorError(failureOf(error, call), {
    ...context,
    ...(vendorMessage === "" ? {} : { vendorMessage }),
    ...(code === undefined ? {} : { vendorCode: code }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...(error.detail instanceof Error ? { cause: error.detail } : {}),
  });
}

function failureOf(
  error: Stripe.errors.StripeError,
  {
    failureWithoutResponse,
    wasRepeated,
  }: { readonly failureWithoutResponse: VendorFailure; readonly wasRepeated: boolean },
): VendorFailure {
  if (error.code === "resource_missing") return "not_found";
  // 409 means that a call with the same idempotency key is still running.
  if (error.statusCode === 409) return failureWithoutResponse;
  const failure = FAILURES[error.type];
  if (failure === undefined) return failureWithoutResponse;
  // A rate-limited or unauthorized attempt has no effect. If the call was repeated, an earlier attempt without a
  // response may have had an effect.
  const hadNoEffect = failure === "rate_limited" || failure === "unauthorized";
  return hadNoEffect && wasRepeated ? failureWithoutResponse : failure;
}

/** Returns Stripe's error message in a form that is safe to log, with the request id that Stripe support needs. */
function loggableMessage(error: Stripe.errors.StripeError, secretKey: string): string {
  const { message, decline_code: declineCode, requestId } = error;
  // The SDK does not validate the types of these fields.
  const parts: readonly unknown[] = [message, declineCode, requestId];
  const text = parts.filter((part) => typeof part === "string" && part !== "").join(" · ");
  return safeVendorMessage(text, [secretKey]);
}

function secondsOf(retryAfter: string | undefined): number | undefined {
  return retryAfter !== undefined && /^\d{1,5}$/.test(retryAfter) ? Number(retryAfter) : undefined;
}
