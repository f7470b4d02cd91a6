import type { VendorSimulator } from "../kit/vendor-simulator.ts";
import { addAuthenticationPages } from "./authentication-pages.ts";
import { customerRoutes } from "./customer-routes.ts";
import { createIdempotency } from "./idempotency.ts";
import { paymentMethodRoutes } from "./payment-method-routes.ts";
import { setupIntentRoutes } from "./setup-intent-routes.ts";
import { stripeErrors } from "./stripe-errors.ts";
import { echoedHeaders, type StripeKeys } from "./stripe-route.ts";
import { TEST_METHOD_EFFECTS } from "./test-methods.ts";

export interface StripeSimulatorOptions {
  /** The account's secret keys for live and test mode. Objects of one mode do not exist in the other. */
  readonly secretKeys: StripeKeys;
}

/**
 * Simulates the part of Stripe's API that sets up payment methods: customers, payment methods, setup intents and
 * idempotency keys. It is stricter than Stripe. It rejects parameters that it does not simulate, and API versions other
 * than the SDK's. A setup intent requires a customer.
 */
export function stripeSimulator({ secretKeys }: StripeSimulatorOptions): VendorSimulator {
  const idempotency = createIdempotency();
  const routes = [...customerRoutes, ...paymentMethodRoutes, ...setupIntentRoutes];
  return {
    vendor: "stripe",
    displayName: "Stripe",
    contractFile: "pruned/stripe.json",
    contractPrefix: "",
    bodies: "form",
    magicValues: TEST_METHOD_EFFECTS,
    errors: stripeErrors,
    echoedHeaders,
    routes: routes.map((route) => route(secretKeys, idempotency)),
    pages: addAuthenticationPages,
  };
}
