import { createIdempotency } from "../kit/idempotency.ts";
import type { SendWebhook, VendorSimulator } from "../kit/vendor-simulator.ts";
import { addAuthenticationPages } from "./authentication-pages.ts";
import { chargeRoutes } from "./charge-routes.ts";
import { customerRoutes } from "./customer-routes.ts";
import { EVENT_TYPES, type StripeEventType } from "./event-types.ts";
import { createEvents, newestObjectId } from "./events.ts";
import { STRIPE_IDEMPOTENCY } from "./idempotency.ts";
import { invoiceRoutes } from "./invoice-routes.ts";
import { addPaymentElement } from "./payment-element.ts";
import { paymentMethodRoutes } from "./payment-method-routes.ts";
import { setupIntentRoutes } from "./setup-intent-routes.ts";
import { stripeErrors } from "./stripe-errors.ts";
import { echoedHeaders, type StripeKeys } from "./stripe-route.ts";
import { TEST_METHOD_EFFECTS } from "./test-methods.ts";

export interface StripeSimulatorOptions {
  /** The account's secret keys for live and test mode. Objects of one mode do not exist in the other. */
  readonly secretKeys: StripeKeys;
  /** The signing secrets of the webhook endpoints of both modes. */
  readonly webhookSecrets: StripeKeys;
  /** Undefined if no events are sent. */
  readonly sendWebhook?: SendWebhook | undefined;
}

/**
 * Simulates the part of Stripe's API that sets up payment methods and bills customers: customers, payment methods, setup
 * intents, invoices, charges, refunds, idempotency keys, webhooks and the Payment Element. It is stricter than Stripe. It rejects parameters that it does not simulate, and API versions other
 * than the SDK's. A setup intent requires a customer.
 */
export function stripeSimulator({ secretKeys, webhookSecrets, sendWebhook }: StripeSimulatorOptions): VendorSimulator {
  const idempotency = createIdempotency(STRIPE_IDEMPOTENCY);
  const events = createEvents({ secrets: webhookSecrets, send: sendWebhook });
  const routes = [...customerRoutes, ...paymentMethodRoutes, ...setupIntentRoutes, ...invoiceRoutes, ...chargeRoutes];
  return {
    vendor: "stripe",
    displayName: "Stripe",
    contractFile: "pruned/stripe.json",
    contractPrefix: "",
    bodies: "form",
    magicValues: TEST_METHOD_EFFECTS,
    errors: stripeErrors,
    echoedHeaders,
    routes: routes.map((route) => route(secretKeys, idempotency, events)),
    pages: (server, context) => {
      addAuthenticationPages(server, context, events);
      addPaymentElement(server);
    },
    webhooks: {
      types: EVENT_TYPES,
      fire: async ({ type: name, objectId }, context) => {
        // The control API has checked the name.
        const type = name as StripeEventType;
        return events.emit(context, type, objectId ?? (await newestObjectId(context, type)));
      },
    },
  };
}
