import { Type } from "typebox";
import { requireCustomer } from "./customers.ts";
import {
  alreadyAttached,
  attachTo,
  declineOf,
  detach,
  getOrCreateMethod,
  methodObject,
  previewMethod,
  requireMethod,
} from "./payment-methods.ts";
import { StripeApiError } from "./stripe-errors.ts";
import { stripeRoute } from "./stripe-route.ts";
import { testMethod } from "./test-methods.ts";

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

export const paymentMethodRoutes = [getPaymentMethod, attachPaymentMethod, detachPaymentMethod];
