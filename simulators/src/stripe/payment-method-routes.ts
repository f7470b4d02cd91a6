import { Type } from "typebox";
import { requireCustomer } from "./customers.ts";
import {
  alreadyAttached,
  attachTo,
  createMethod,
  declineOf,
  detach,
  getOrCreateMethod,
  methodObject,
  previewMethod,
  requireMethod,
} from "./payment-methods.ts";
import { StripeApiError } from "./stripe-errors.ts";
import { stripeRoute } from "./stripe-route.ts";
import { testMethod, testMethodByNumber } from "./test-methods.ts";

const PARAM = "payment_method";

const getPaymentMethod = stripeRoute({
  operation: "GetPaymentMethodsPaymentMethod",
  method: "GET",
  url: "/v1/payment_methods/:payment_method",
  handle: async (call) => {
    const { payment_method: id = "" } = call.params;
    const card = testMethod(id);
    if (card !== undefined) return { status: 200, body: previewMethod(call, card) };
    return { status: 200, body: methodObject(await requireMethod(call, id, PARAM, 404)) };
  },
});

const closed = { additionalProperties: false } as const;
const Card = Type.Object(
  {
    number: Type.String({ maxLength: 30 }),
    exp_month: Type.Integer(),
    exp_year: Type.Integer(),
    cvc: Type.String({ maxLength: 10 }),
  },
  closed,
);
const address = Type.Object({ postal_code: Type.Optional(Type.String({ maxLength: 20 })) }, closed);

/** Creates a payment method from what a user entered in the Payment Element. */
const createPaymentMethod = stripeRoute({
  operation: "PostPaymentMethods",
  method: "POST",
  url: "/v1/payment_methods",
  isPublic: true,
  body: Type.Object(
    { type: Type.Literal("card"), card: Card, billing_details: Type.Optional(Type.Object({ address }, closed)) },
    closed,
  ),
  handle: async (call) => {
    const { number, exp_month, exp_year, cvc } = call.body.card;
    if (!hasCheckDigit(number)) throw cardError("incorrect_number", "Your card number is incorrect.");
    const today = [call.now.getUTCFullYear(), call.now.getUTCMonth() + 1] as const;
    if (exp_month < 1 || exp_month > 12 || (exp_year === today[0] && exp_month < today[1])) {
      throw cardError("invalid_expiry_month", "Your card's expiration month is invalid.");
    }
    if (exp_year < today[0] || exp_year > today[0] + 50) {
      throw cardError("invalid_expiry_year", "Your card's expiration year is invalid.");
    }
    if (!/^\d{3,4}$/.test(cvc)) throw cardError("invalid_cvc", "Your card's security code is invalid.");
    const card = testMethodByNumber(number);
    if (card === undefined) throw cardError("card_declined", LIVE_CARD, "test_mode_live_card");
    return { status: 200, body: methodObject(await createMethod(call, card, { exp_month, exp_year })) };
  },
});

const LIVE_CARD =
  "Your card was declined. Your request was in test mode, but used a non test (live) card. For a list of valid test cards, visit: https://stripe.com/docs/testing.";

function cardError(code: string, message: string, decline_code?: string): StripeApiError {
  return new StripeApiError(402, { type: "card_error", code, message, ...(decline_code && { decline_code }) });
}

/** Checks the last digit of a card's number by the formula of Luhn. */
function hasCheckDigit(number: string): boolean {
  if (!/^\d{13,19}$/.test(number)) return false;
  const sum = [...number].reverse().reduce((total, text, index) => {
    const digit = Number(text) * (index % 2 === 0 ? 1 : 2);
    return total + (digit > 9 ? digit - 9 : digit);
  }, 0);
  return sum % 10 === 0;
}

const attachPaymentMethod = stripeRoute({
  operation: "PostPaymentMethodsPaymentMethodAttach",
  method: "POST",
  url: "/v1/payment_methods/:payment_method/attach",
  body: Type.Object({ customer: Type.String({ maxLength: 5_000 }) }, { additionalProperties: false }),
  handle: async (call) => {
    const { payment_method: id = "" } = call.params;
    const { customer } = call.body;
    await requireCustomer(call, customer, 400);
    const method = await getOrCreateMethod(call, id, PARAM, 404);
    const decline = declineOf(method);
    if (decline !== undefined) throw new StripeApiError(402, decline);
    // If `id` is a test card's name, only an interrupted first attempt of this request can have attached the new
    // payment method. The retry must succeed.
    if (method.state === "attached" && method.id === id) throw alreadyAttached();
    await attachTo(call, method, customer);
    await call.emit("payment_method.attached", method.id);
    return { status: 200, body: methodObject(await requireMethod(call, method.id, PARAM, 404)) };
  },
});

const detachPaymentMethod = stripeRoute({
  operation: "PostPaymentMethodsPaymentMethodDetach",
  method: "POST",
  url: "/v1/payment_methods/:payment_method/detach",
  body: Type.Object({}, { additionalProperties: false }),
  handle: async (call) => {
    const { payment_method: id = "" } = call.params;
    const method = await requireMethod(call, id, PARAM, 404);
    if (method.state !== "attached") {
      throw new StripeApiError(400, {
        message: "The payment method you provided is not attached to a customer.",
      });
    }
    await detach(call, method);
    await call.emit("payment_method.detached", method.id);
    return { status: 200, body: methodObject(await requireMethod(call, id, PARAM, 404)) };
  },
});

export const paymentMethodRoutes = [createPaymentMethod, getPaymentMethod, attachPaymentMethod, detachPaymentMethod];
