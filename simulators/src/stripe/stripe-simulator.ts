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
  /** The secret keys of one account's two modes. Each mode has its own objects. */
  readonly secretKeys: StripeKeys;
}

/**
 * Simulates the part of Stripe's API that sets up payment methods: customers, payment methods and setup intents, with
 * idempotency keys, in the version of the SDK. Stricter than Stripe: parameters and versions that are not simulated are
 * refused, and a setup intent requires a customer.
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
