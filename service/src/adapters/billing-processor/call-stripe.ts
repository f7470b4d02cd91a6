import Stripe from "stripe";
import type { Static, TSchema } from "typebox";
import { Check } from "typebox/value";
import { NO_RETRY, type RetryPolicy, retry } from "../../foundation/retry.ts";
import { observedCall } from "../../foundation/telemetry/activities.ts";
import { VendorError, type VendorFailure } from "../../ports/vendor-error.ts";
import { boundedFetch } from "../http-client/bounded-fetch.ts";
import { retryAfterMs, retryAfterSecondsOf, USER_AGENT_PRODUCT } from "../http-client/vendor-client.ts";
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

export interface StripeOptions {
  /** Stripe's secret key for one mode, live or test. */
  readonly secretKey: string;
  /** Scheme, host and port. Null for `https://api.stripe.com`. */
  readonly apiUrl: string | null;
  /** Timeout for one call in milliseconds, including retries and reading the response. */
  readonly timeoutMs?: number;
}

export interface StripeCall<Schema extends TSchema> {
  /** The call's name in Stripe's API description. */
  readonly operation: string;
  /** Set if the call is read-only. */
  readonly reads?: true;
  /** Set for a write. */
  readonly idempotencyKey?: string;
  /**
   * Retries are safe because each write has an idempotency key. Default: none, because sagas and jobs retry their calls
   * themselves.
   */
  readonly retry?: RetryPolicy;
  readonly send: (stripe: Stripe, options: Stripe.RequestOptions) => Promise<unknown>;
  /** The response fields that Purser uses. */
  readonly schema: Schema;
  /** Returns true if the response refers to the requested object. Other responses are rejected. */
  readonly isRequestedObject: (response: Static<Schema>) => boolean;
}

export type CallStripe = <Schema extends TSchema>(call: StripeCall<Schema>) => Promise<Static<Schema>>;

/** Returns the function through which all SDK calls are made. It validates responses and throws only `VendorError`. */
export function createStripeCaller({ secretKey, apiUrl, timeoutMs = TIMEOUT_MS }: StripeOptions): CallStripe {
  const stripe = new Stripe(secretKey, {
    apiVersion: API_VERSION,
    appInfo: { ...USER_AGENT_PRODUCT },
    telemetry: false,
    maxNetworkRetries: 0,
    // Replaces the SDK's default client, which restarts the timeout with every chunk and does not limit the response
    // size.
    httpClient: Stripe.createFetchHttpClient(boundedFetch),
    ...hostOptions(apiUrl),
  });

  return ({ operation, reads = false, idempotencyKey, retry: policy = NO_RETRY, send, schema, isRequestedObject }) => {
    const failureWithoutResponse = reads ? "unavailable" : "unknown";
    const endsAtMs = performance.now() + timeoutMs;
    let isRetryable = true;
    const attemptCall = async (attempt: number) => {
      const timeout = Math.max(1, Math.floor(endsAtMs - performance.now()));
      const options = idempotencyKey === undefined ? { timeout } : { timeout, idempotencyKey };
      const response = await send(stripe, options).catch((error: unknown) => {
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
    return retry((attempt) => observedCall("stripe", operation, () => attemptCall(attempt)), policy, retryOptions);
  };
}

/** Follows the `stripe-should-retry` header. If it is missing, only calls without a usable response are retried. */
function isWorthRetrying(error: unknown, failureWithoutResponse: VendorFailure): boolean {
  if (!(error instanceof Stripe.errors.StripeError)) return false;
  const advice = error.headers?.["stripe-should-retry"];
  if (advice !== undefined) return advice === "true";
  return failureOf(error, { failureWithoutResponse, wasRepeated: false }) === failureWithoutResponse;
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
 * Converts an SDK error. The SDK's error is not used as the cause, because it contains the whole response, which can
 * include the client secret of a setup intent.
 */
function vendorError(
  error: unknown,
  call: Attempt & { readonly operation: string; readonly secretKey: string },
): VendorError {
  const context = { vendor: "stripe", operation: call.operation };
  if (!(error instanceof Stripe.errors.StripeError)) {
    return new VendorError(call.failureWithoutResponse, { ...context, cause: error });
  }
  const code = safeVendorCode([error.code, error.rawType], [call.secretKey]);
  const vendorMessage = loggableMessage(error, call.secretKey);
  const retryAfterSeconds = retryAfterSecondsOf(new Headers(error.headers ?? {}));
  return new VendorError(failureOf(error, call), {
    ...context,
    ...(vendorMessage === "" ? {} : { vendorMessage }),
    ...(code === undefined ? {} : { vendorCode: code }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...(error.detail instanceof Error ? { cause: error.detail } : {}),
  });
}

interface Attempt {
  readonly failureWithoutResponse: VendorFailure;
  readonly wasRepeated: boolean;
}

function failureOf(error: Stripe.errors.StripeError, { failureWithoutResponse, wasRepeated }: Attempt): VendorFailure {
  if (error.code === "resource_missing") return "not_found";
  // 409 means that a call with the same idempotency key is still running, so its outcome is not known yet.
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
