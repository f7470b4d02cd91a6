import type Stripe from "stripe";
import type { ObjectStore, StoredObject } from "../kit/object-store.ts";
import { attachTo, declineOf, methodObject, type StoredMethod } from "./payment-methods.ts";
import { resourceMissing, StripeApiError } from "./stripe-errors.ts";
import type { InMode, StripeCall } from "./stripe-route.ts";

export interface IntentData extends InMode {
  readonly customer: string;
  readonly paymentMethod: string | null;
  readonly usage: "off_session" | "on_session";
  readonly automatic: { readonly enabled: boolean; readonly allow_redirects: "always" | "never" };
  readonly returnUrl: string | null;
  readonly description: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly cancellationReason: Stripe.SetupIntent.CancellationReason | null;
  readonly lastError: Stripe.SetupIntent.LastSetupError | null;
  readonly secret: { readonly clientSecret: string };
}

export type StoredIntent = StoredObject<IntentData>;

const AUTHENTICATION_FAILURE = {
  type: "invalid_request_error",
  code: "setup_intent_authentication_failure",
  message: "The provided PaymentMethod has failed authentication.",
} satisfies Stripe.SetupIntent.LastSetupError;

export async function requireIntent(call: StripeCall, id: string): Promise<StoredIntent> {
  const found = await call.find<IntentData>("setup_intent", id);
  if (found === undefined) throw resourceMissing("setupintent", id, "intent", 404);
  return found;
}

/**
 * Confirms the intent: sets up the payment method, or requires authentication first. Throws StripeApiError if the card
 * is declined.
 */
export async function confirmIntent(
  call: StripeCall,
  intent: StoredIntent,
  method: StoredMethod,
  returnUrl: string | null,
): Promise<void> {
  await throwIfDeclined(call, intent, method);
  const { id, data } = intent;
  const { needsOwner } = method.data;
  if (!needsOwner) await attachTo(call, method, data.customer);
  await call.objects.update("setup_intent", id, {
    state: needsOwner ? "requires_action" : "succeeded",
    data: { ...data, paymentMethod: method.id, returnUrl, lastError: null },
  });
  await call.emit(needsOwner ? "setup_intent.requires_action" : "setup_intent.succeeded", id);
}

/**
 * Throws if the card is declined. As in Stripe's API, the error contains the intent, which now requires another payment
 * method.
 */
async function throwIfDeclined(call: StripeCall, { id, data }: StoredIntent, method: StoredMethod): Promise<void> {
  const decline = declineOf(method);
  if (decline === undefined) return;
  const payment_method = methodObject(method);
  await call.objects.update("setup_intent", id, {
    state: "requires_payment_method",
    data: { ...data, paymentMethod: null, lastError: { ...decline, payment_method } },
  });
  const setup_intent = intentObject(call.baseUrl, await requireIntent(call, id));
  throw new StripeApiError(402, { ...decline, payment_method, setup_intent });
}

/**
 * Throws if the intent cannot be confirmed with this payment method and return URL. Must be called before the intent is
 * created or changed.
 */
export function throwIfUnconfirmable(
  { customer, automatic }: Pick<IntentData, "customer" | "automatic">,
  { data }: StoredMethod,
  returnUrl: string | null,
): void {
  if (data.customer !== null && data.customer !== customer) {
    throw new StripeApiError(400, {
      message: "The payment method belongs to another customer.",
      param: "payment_method",
    });
  }
  if (automatic.allow_redirects === "always" && returnUrl === null) {
    throw new StripeApiError(400, {
      message:
        "This SetupIntent allows redirects. To confirm it, pass a `return_url` or set `automatic_payment_methods[allow_redirects]` to `never`.",
      param: "return_url",
    });
  }
}

/** Stores the result of the authentication. Later results are ignored. */
export async function completeAuthentication(
  objects: ObjectStore,
  { id, data }: StoredIntent,
  method: StoredMethod,
  authenticated: boolean,
): Promise<void> {
  const newState = authenticated ? "succeeded" : "requires_payment_method";
  if (!(await objects.claim("setup_intent", id, "requires_action", newState))) return;
  if (authenticated) return attachTo({ objects }, method, data.customer);
  await objects.update("setup_intent", id, {
    data: { ...data, paymentMethod: null, lastError: AUTHENTICATION_FAILURE },
  });
}

export function unexpectedState(state: string, action: string): StripeApiError {
  return new StripeApiError(400, {
    code: "setup_intent_unexpected_state",
    message: `You cannot ${action} this SetupIntent because it has a status of ${state}.`,
  });
}

/** Returns the URL of the authentication page. The URL cannot be guessed, because it contains the client secret. */
function authenticationUrl(baseUrl: string, { id, data }: Pick<StoredIntent, "id" | "data">): string {
  const query = new URLSearchParams({ client_secret: data.secret.clientSecret });
  return `${baseUrl}/authenticate/${id}?${query.toString()}`;
}

export function intentObject(baseUrl: string, intent: StoredIntent) {
  const { id, state, createdAt, data } = intent;
  return {
    id,
    object: "setup_intent",
    allowed_payment_method_types: null,
    application: null,
    automatic_payment_methods: data.automatic,
    cancellation_reason: data.cancellationReason,
    client_secret: data.secret.clientSecret,
    created: Math.floor(createdAt.getTime() / 1000),
    customer: data.customer,
    customer_account: null,
    description: data.description,
    excluded_payment_method_types: null,
    flow_directions: null,
    last_setup_error: data.lastError,
    latest_attempt: null,
    livemode: data.livemode,
    managed_payments: null,
    mandate: null,
    metadata: { ...data.metadata },
    next_action: state === "requires_action" ? nextAction(baseUrl, intent) : null,
    on_behalf_of: null,
    payment_method: data.paymentMethod,
    payment_method_configuration_details: null,
    payment_method_options: { card: card() },
    payment_method_types: ["card"],
    single_use_mandate: null,
    status: state,
    usage: data.usage,
  } satisfies Omit<Stripe.SetupIntent, "status"> & { status: string };
}

function card() {
  return { mandate_options: null, network: null, request_three_d_secure: "automatic" } as const;
}

function nextAction(baseUrl: string, intent: StoredIntent): Stripe.SetupIntent.NextAction {
  const url = authenticationUrl(baseUrl, intent);
  const { returnUrl } = intent.data;
  return returnUrl === null
    ? {
        type: "use_stripe_sdk",
        use_stripe_sdk: { type: "three_d_secure_redirect", stripe_js: url },
      }
    : { type: "redirect_to_url", redirect_to_url: { url, return_url: returnUrl } };
}
