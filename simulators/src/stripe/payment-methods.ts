import type Stripe from "stripe";
import type { StoredObject } from "../kit/object-store.ts";
import { resourceMissing, StripeApiError } from "./stripe-errors.ts";
import type { InMode, StripeCall } from "./stripe-route.ts";
import { type TestMethod, testMethod } from "./test-methods.ts";

interface MethodData extends InMode {
  readonly brand: string;
  readonly last4: string;
  /** Whether setting up the payment method requires authentication by the cardholder. */
  readonly needsOwner: boolean;
  readonly customer: string | null;
  /** What the user entered. Cards with names expire in `EXPIRY_YEAR`. */
  readonly expiry?: Expiry;
  readonly declined?: TestMethod["declined"];
  readonly declinedWhenCharged?: true;
}

interface Expiry {
  readonly exp_month: number;
  readonly exp_year: number;
}

export type StoredMethod = StoredObject<MethodData>;

const EXPIRY_YEAR = 2034;

/**
 * Returns a stored payment method. Throws `resource_missing` if it does not exist. A test card's name, such as
 * `pm_card_visa`, is not a valid ID.
 */
export async function requireMethod(
  call: StripeCall,
  id: string,
  param: string,
  status: 400 | 404,
): Promise<StoredMethod> {
  const found = await call.find<MethodData>("payment_method", id);
  if (found === undefined) throw resourceMissing("PaymentMethod", id, param, status);
  return found;
}

/** Returns the payment method with this ID. If `idOrName` is a test card's name, creates a new payment method. */
export async function getOrCreateMethod(
  call: StripeCall,
  idOrName: string,
  param: string,
  status: 400 | 404,
): Promise<StoredMethod> {
  const card = testMethod(idOrName);
  if (card === undefined) return requireMethod(call, idOrName, param, status);
  return createMethod(call, card);
}

/** Creates a payment method. Its number is not stored. */
export async function createMethod(call: StripeCall, card: TestMethod, expiry?: Expiry): Promise<StoredMethod> {
  const id = newMethodId(call);
  const data = { ...dataOf(card, call.livemode), ...(expiry && { expiry }) };
  await call.objects.insert({ type: "payment_method", id, state: "unattached", data });
  return requireMethod(call, id, "payment_method", 404);
}

/** Returns a new payment method that is not stored, as Stripe does for a GET with a test card's name. */
export function previewMethod(call: StripeCall, card: TestMethod) {
  const data = dataOf(card, call.livemode);
  return methodObject({
    type: "payment_method",
    id: newMethodId(call),
    state: "unattached",
    data,
    createdAt: call.now,
  });
}

/** Attaches the payment method to the customer. Throws if it is attached to another customer or was detached. */
export async function attachTo(
  call: Pick<StripeCall, "objects">,
  { id, state, data }: StoredMethod,
  customerId: string,
): Promise<void> {
  if (data.customer === customerId) return;
  if (state !== "unattached") throw notAttachable();
  await call.objects.update("payment_method", id, {
    state: "attached",
    data: { ...data, customer: customerId },
  });
}

export async function detach(call: StripeCall, { id, data }: StoredMethod): Promise<void> {
  await call.objects.update("payment_method", id, {
    state: "detached",
    data: { ...data, customer: null },
  });
}

export async function detachAll(call: StripeCall, customerId: string): Promise<void> {
  for (const method of await methodsOf(call, customerId)) await detach(call, method);
}

/** Returns the customer's payment methods, newest first. */
export async function listMethods(call: StripeCall, customerId: string) {
  return (await methodsOf(call, customerId)).reverse().map(methodObject);
}

async function methodsOf(call: StripeCall, customerId: string): Promise<StoredMethod[]> {
  const all = await call.objects.list<MethodData>("payment_method");
  return all.filter(({ data }) => data.customer === customerId && data.livemode === call.livemode);
}

function newMethodId(call: StripeCall): string {
  return call.newId("pm_1", 23);
}

function dataOf(
  { brand, number, needsOwner, declined, declinedWhenCharged }: TestMethod,
  livemode: boolean,
): MethodData {
  return {
    livemode,
    brand,
    last4: number.slice(-4),
    needsOwner: needsOwner ?? false,
    customer: null,
    ...(declined && { declined }),
    ...(declinedWhenCharged && { declinedWhenCharged }),
  };
}

/** Returns the card error if the payment method is declined, otherwise undefined. */
export function declineOf({ data: { declined } }: StoredMethod) {
  if (declined === undefined) return undefined;
  const { code, declineCode } = declined;
  return {
    type: "card_error" as const,
    code,
    ...(declineCode === undefined ? {} : { decline_code: declineCode }),
    message: code === "expired_card" ? "Your card has expired." : "Your card was declined.",
  };
}

export function alreadyAttached(): StripeApiError {
  return new StripeApiError(400, {
    message: "The payment method you provided has already been attached to a customer.",
  });
}

function notAttachable(): StripeApiError {
  return new StripeApiError(400, {
    message:
      "The provided PaymentMethod belongs to another customer, or was detached from one. It cannot be used again.",
    param: "payment_method",
  });
}

export function methodObject({ id, createdAt, data }: StoredMethod) {
  const { brand, last4, customer, livemode, expiry = { exp_month: 12, exp_year: EXPIRY_YEAR } } = data;
  return {
    id,
    object: "payment_method",
    allow_redisplay: "unspecified",
    billing_details: {
      address: {
        city: null,
        country: null,
        line1: null,
        line2: null,
        postal_code: null,
        state: null,
      },
      email: null,
      name: null,
      phone: null,
      tax_id: null,
    },
    card: {
      brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: "pass" },
      country: "US",
      display_brand: brand,
      ...expiry,
      fingerprint: `card${brand}${last4}`,
      funding: "credit",
      generated_from: null,
      last4,
      networks: { available: [brand], preferred: null },
      regulated_status: "unregulated",
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: Math.floor(createdAt.getTime() / 1000),
    customer,
    customer_account: null,
    livemode,
    metadata: {},
    type: "card",
  } satisfies Stripe.PaymentMethod;
}
